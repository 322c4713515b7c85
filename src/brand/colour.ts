// Colours as numbers: hexadecimal notation, contrast as WCAG 2.2 defines it, and lightness and hue as people see them (OKLCH).

/** Red, green and blue from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** Lightness from 0 to 1, chroma, and hue in radians. */
type Oklch = { readonly lightness: number; readonly chroma: number; readonly hue: number };

/** `#rgb` or `#rrggbb`. Undefined if the text is something else. */
export function parseHex(text: string): Colour | undefined {
  const [, digits] = /^#((?:[0-9a-f]{3}){1,2})$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? []);
  const [red = 0, green = 0, blue = 0] = pairs.map((pair) => Number.parseInt(pair, 16));
  return [red, green, blue];
}

export function writeHex(colour: Colour): string {
  return `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** From 1 to 21. */
export function contrastOf(one: Colour, other: Colour): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminanceOf(colour: Colour): number {
  const [red, green, blue] = colour.map(toLinear) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function toLinear(part: number): number {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function fromLinear(value: number): number {
  return 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);
}

/** `share` of the first colour, from 0 to 1, over the second one. */
export function mix(one: Colour, other: Colour, share: number): Colour {
  const at = (index: 0 | 1 | 2) => Math.round(other[index] + (one[index] - other[index]) * share);
  return [at(0), at(1), at(2)];
}

export function toOklch(colour: Colour): Oklch {
  const [red, green, blue] = colour.map(toLinear) as [number, number, number];
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short;
  return {
    lightness: 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  };
}

/** A colour that a screen cannot show loses chroma until it can. */
export function fromOklch({ lightness, chroma, hue }: Oklch): Colour {
  let [least, most] = [0, chroma];
  if (isShown(linearOf(lightness, chroma, hue))) least = chroma;
  for (let step = 0; step < 20 && least < most; step++) {
    const middle = (least + most) / 2;
    if (isShown(linearOf(lightness, middle, hue))) least = middle;
    else most = middle;
  }
  const [red, green, blue] = linearOf(lightness, least, hue);
  return [toByte(red), toByte(green), toByte(blue)];
}

function linearOf(lightness: number, chroma: number, hue: number): Colour {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
}

function isShown(linear: Colour): boolean {
  return linear.every((value) => value >= -0.0001 && value <= 1.0001);
}

function toByte(value: number): number {
  return Math.round(fromLinear(Math.min(1, Math.max(0, value))));
}
