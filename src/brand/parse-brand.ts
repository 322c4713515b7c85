// Parses the text of BRAND_FILE: the brand, or all problems, each with its place in the file and its cure.
import { noLinks, type OperatorLinks, type OwnTexts } from '../messages/texts/message-look.ts';
import { type Accent, deriveDark, nearestReadable, type Scheme, shadesOf, worstContrast } from './accent.ts';
import { type Brand, longestName, parseBrandName } from './brand.ts';
import { type Colour, parseHex, writeHex } from './colour.ts';
import { type LogoFile, type ReadBeside, readLogo } from './logo.ts';
import { parseTexts } from './own-texts.ts';
import { type BrandProblem, listFields, type Report, suggest } from './report.ts';

export type ParsedBrand = { readonly brand: Brand } | { readonly problems: readonly BrandProblem[] };

type BrandPlace = {
  /** The value of BRAND_NAME. Undefined if it is not set. */
  readonly name: string | undefined;
  readonly publicUrl: string;
  readonly readBeside: ReadBeside;
};

const fields = ['name', 'logo', 'accent', 'links', 'texts'] as const;
const linkNames = ['terms', 'privacy', 'support'] as const;
const longestFile = 1_000_000;
const longestUrl = 500;

export function parseBrand(text: string, place: BrandPlace): ParsedBrand {
  const value = readJson(text);
  if ('problem' in value) return { problems: [value.problem] };
  const problems: BrandProblem[] = [];
  const report: Report = (path, trouble, cure) => problems.push({ path, trouble, cure });
  const raw = new Map(listFields(value.json, 'the file', report));
  for (const field of raw.keys())
    if (!fields.some((known) => known === field)) report(field, 'is not a known field', suggest(field, fields));
  const name = parseName(raw.get('name'), place.name, report);
  const brand = {
    name,
    isNamed: true,
    logo: parseLogos(raw.get('logo'), place.readBeside, report),
    accent: parseAccent(raw.get('accent'), report),
    links: parseLinks(raw.get('links'), report),
    texts: parseTexts(raw.get('texts'), name, place, report) satisfies OwnTexts,
  };
  return problems.length > 0 ? { problems } : { brand };
}

export function describeProblem({ path, trouble, cure }: BrandProblem): string {
  return `${path} ${trouble}: ${cure}`;
}

function readJson(text: string): { readonly json: unknown } | { readonly problem: BrandProblem } {
  const fail = (trouble: string, cure: string) => ({ problem: { path: 'the file', trouble, cure } });
  if (text.trim() === '') return fail('is empty', 'write { "name": "Your product" }');
  if (text.length > longestFile) return fail('has more than 1 MB', 'remove what does not belong to it');
  // Bytes that are not UTF-8 became this character when the file was read.
  if (text.includes('\uFFFD')) return fail('is not UTF-8', 'save it as UTF-8');
  try {
    // Some editors on Windows begin a file with this mark.
    return { json: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    const [, line, column] = (error instanceof Error && /\(line (\d+) column (\d+)\)/.exec(error.message)) || [];
    const where = line === undefined ? '' : ` in line ${line}, column ${column}`;
    return fail(`is not JSON${where}`, 'look for comments, single quotes, and commas too many or missing');
  }
}

/** Two different names are a mistake: nobody would know which one counts. */
function parseName(value: unknown, setting: string | undefined, report: Report): string {
  if (value === undefined && setting !== undefined) return setting;
  const name = typeof value === 'string' ? parseBrandName(value) : undefined;
  if (name === undefined)
    report(
      'name',
      value === undefined ? 'is missing' : `is not plain text of 1 to ${longestName} characters`,
      'write the name of your product as users know it, without < > { }',
    );
  else if (setting !== undefined && setting !== name)
    report('name', 'is not the name in BRAND_NAME', 'remove BRAND_NAME, or write the same name in both');
  return name ?? '';
}

function parseLogos(value: unknown, readBeside: ReadBeside, report: Report): Brand['logo'] {
  if (value === undefined) return null;
  const read = (file: unknown, path: string): LogoFile | undefined => {
    const result = readLogo(file, readBeside);
    if ('logo' in result) return result.logo;
    for (const { trouble, cure } of result.problems) report(path, trouble, cure);
    return undefined;
  };
  const sides = readSides(value, 'logo', '"logo.svg"', report);
  if (sides === undefined) return null;
  const light = read(sides.light, 'logo.light');
  const dark = sides.dark === undefined ? light : read(sides.dark, 'logo.dark');
  return light && dark ? { light, dark } : null;
}

function parseAccent(value: unknown, report: Report): Accent | null {
  if (value === undefined) return null;
  const sides = readSides(value, 'accent', '"#3346c8"', report);
  if (sides === undefined) return null;
  const light = parseColour(sides.light, 'light', report);
  const dark = sides.dark === undefined ? light && deriveDark(light) : parseColour(sides.dark, 'dark', report);
  return light && dark ? { light: shadesOf(light, 'light'), dark: shadesOf(dark, 'dark') } : null;
}

/** `"x"` is short for `{"light": "x"}`. */
function readSides(
  value: unknown,
  path: string,
  example: string,
  report: Report,
): { readonly light: unknown; readonly dark: unknown } | undefined {
  if (typeof value === 'string') return { light: value, dark: undefined };
  const cure = `write { "light": ${example}, "dark": … }; dark is optional`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report(path, 'is not an object', cure);
    return undefined;
  }
  const { light, dark, ...others } = value as Readonly<Record<string, unknown>>;
  for (const [key] of listFields(others, path, report)) report(`${path}.${key}`, 'is not a known field', cure);
  if (light !== undefined) return { light, dark };
  report(`${path}.light`, 'is missing', cure);
  return undefined;
}

function parseColour(value: unknown, scheme: Scheme, report: Report): Colour | undefined {
  const path = `accent.${scheme}`;
  const colour = typeof value === 'string' ? parseHex(value) : undefined;
  if (colour === undefined) {
    report(path, 'is not a colour', 'write six hexadecimal digits, such as "#3346c8"');
    return undefined;
  }
  const worst = worstContrast(scheme, shadesOf(colour, scheme));
  if (worst === undefined) return colour;
  const { foreground, background, ratio, least } = worst;
  const figure = (Math.floor(ratio * 100) / 100).toFixed(2);
  report(
    path,
    `is hard to read: ${foreground} on ${background} has a contrast of ${figure}, and ${least} is needed`,
    `write "${writeHex(nearestReadable(colour, scheme))}", the nearest colour that works`,
  );
  return undefined;
}

function parseLinks(value: unknown, report: Report): OperatorLinks {
  if (value === undefined) return noLinks;
  const raw = new Map(listFields(value, 'links', report));
  for (const field of raw.keys())
    if (!linkNames.some((known) => known === field))
      report(`links.${field}`, 'is not a known link', suggest(field, linkNames));
  const read = (name: (typeof linkNames)[number]) => parseLink(raw.get(name), name, report);
  return { terms: read('terms'), privacy: read('privacy'), support: read('support') };
}

function parseLink(value: unknown, name: (typeof linkNames)[number], report: Report): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' && value.length <= longestUrl ? value : '';
  const address = name === 'support' ? parseEmail(text.replace(/^mailto:/i, '')) : undefined;
  const url = address ?? parseHttps(text);
  if (url !== undefined) return url;
  const example = `"https://example.com/${name}"`;
  report(
    `links.${name}`,
    name === 'support' ? 'is neither an https address nor an e-mail address' : 'is not an https address',
    `write ${name === 'support' ? `${example} or "help@example.com"` : example}`,
  );
  return null;
}

function parseEmail(text: string): string | undefined {
  return /^[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/.test(text) ? `mailto:${text}` : undefined;
}

function parseHttps(text: string): string | undefined {
  if (/[\s\p{C}]/u.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, username, password, hostname, href } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' && hostname !== '' ? href : undefined;
}
