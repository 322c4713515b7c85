// The accent of a brand: its shades in light and dark, the contrast of each, and the nearest colour that people can read.
import { type Colour, contrastOf, fromOklch, mix, parseHex, toOklch, writeHex } from './colour.ts';

export type Scheme = 'light' | 'dark';

export const schemes: readonly Scheme[] = ['light', 'dark'];

/** Colours as #rrggbb. `strong`: under the pointer. `tint`: a pale background. */
export type Shades = {
  readonly accent: string;
  readonly strong: string;
  readonly onAccent: string;
  readonly tint: string;
};

export type Accent = Readonly<Record<Scheme, Shades>>;

export type Contrast = {
  readonly scheme: Scheme;
  /** What is read: text on a button, a link on a background, or the ring around what has the focus. */
  readonly what: 'button' | 'button-hover' | 'link' | 'focus';
  readonly foreground: string;
  readonly background: string;
  readonly ratio: number;
  readonly least: number;
};

/** The backgrounds of the pages: card, page, pale area. web/style/colours.css has the same values. */
export const pageColours: Readonly<
  Record<Scheme, { readonly page: string; readonly ground: string; readonly soft: string }>
> = {
  light: { page: '#ffffff', ground: '#f7f8fa', soft: '#f4f5f8' },
  dark: { page: '#14161b', ground: '#0b0c0f', soft: '#1b1e24' },
};

/** The accent of the pages if the operator names none. web/style/colours.css has the same values. */
export const usualAccent: Accent = {
  light: { accent: '#3346c8', strong: '#28379f', onAccent: '#ffffff', tint: '#eef1ff' },
  dark: { accent: '#a3b4ff', strong: '#c0ccff', onAccent: '#10142b', tint: '#1d2340' },
};

const leastForText = 4.5;
const leastForRings = 3;

const onAccentColours: Readonly<Record<Scheme, string>> = { light: '#ffffff', dark: '#0b0c0f' };
/** What the colour under the pointer goes towards, and by how much. */
const strongWith: Readonly<Record<Scheme, Colour>> = { light: [0, 0, 0], dark: [255, 255, 255] };
const strongShare = 0.2;
const tintShares: Readonly<Record<Scheme, number>> = { light: 0.08, dark: 0.12 };

export function shadesOf(colour: Colour, scheme: Scheme): Shades {
  return {
    accent: writeHex(colour),
    strong: writeHex(mix(strongWith[scheme], colour, strongShare)),
    onAccent: onAccentColours[scheme],
    tint: writeHex(mix(colour, colourOf(pageColours[scheme].page), tintShares[scheme])),
  };
}

/** Every pair of colours that people must tell apart, with its ratio. */
export function measureContrast(scheme: Scheme, { accent, strong, onAccent, tint }: Shades): readonly Contrast[] {
  const { page, ground, soft } = pageColours[scheme];
  const measure = (what: Contrast['what'], foreground: string, background: string, least: number): Contrast => {
    const ratio = contrastOf(colourOf(foreground), colourOf(background));
    return { scheme, what, foreground, background, ratio, least };
  };
  return [
    measure('button', onAccent, accent, leastForText),
    measure('button-hover', onAccent, strong, leastForText),
    ...[page, ground, soft, tint].map((background) => measure('link', accent, background, leastForText)),
    ...[page, ground].map((background) => measure('focus', accent, background, leastForRings)),
  ];
}

/** The pair that is furthest below what it needs. Undefined if people can read all of them. */
export function worstContrast(scheme: Scheme, shades: Shades): Contrast | undefined {
  return measureContrast(scheme, shades)
    .filter(({ ratio, least }) => ratio < least)
    .sort((one, other) => one.ratio / one.least - other.ratio / other.least)[0];
}

/** The colour of the same hue, darker or lighter by as little as possible, that people can read. */
export function nearestReadable(colour: Colour, scheme: Scheme): Colour {
  const seen = toOklch(colour);
  const at = (lightness: number) => fromOklch({ ...seen, lightness });
  const isReadable = (lightness: number) => worstContrast(scheme, shadesOf(at(lightness), scheme)) === undefined;
  if (worstContrast(scheme, shadesOf(colour, scheme)) === undefined) return colour;
  // Black on light and white on dark are always readable, and nothing between them and the colour is nearer than its end.
  let [good, bad] = [scheme === 'light' ? 0 : 1, seen.lightness];
  for (let step = 0; step < 24; step++) {
    const middle = (good + bad) / 2;
    if (isReadable(middle)) good = middle;
    else bad = middle;
  }
  return at(good);
}

/** For dark pages: the same hue, light and a little paler. */
export function deriveDark(light: Colour): Colour {
  const { chroma, hue } = toOklch(light);
  return nearestReadable(fromOklch({ lightness: 0.8, chroma: Math.min(chroma, 0.13), hue }), 'dark');
}

function colourOf(hex: string): Colour {
  const colour = parseHex(hex);
  if (colour === undefined) throw new Error(`${hex} is not a colour`);
  return colour;
}
