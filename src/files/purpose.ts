// Upload purposes, as data: each sets the allowed types, size and pixels, who may read the file, and how it is served.
import { isMediaType, type MediaType, mediaTypeNames, mediaTypes, typesOf } from '#media/media-type';
import { areVariants, variantsCure } from './variants/variant.ts';

export type Purpose = {
  readonly name: string;
  readonly types: readonly MediaType[];
  readonly maxBytes: number;
  readonly maxPixels?: number;
  readonly maxSide?: number;
  /** Smaller pictures that a caller may ask for, by name: `{ thumb: '320x320', preview: '1600' }`. */
  readonly variants?: Readonly<Record<string, string>>;
  /** `named`: the owner, and the users whom the owner names. */
  readonly readableBy: 'owner' | 'named' | 'signed-in';
  /** Whether owners may make links that open a file without a sign-in. */
  readonly links?: boolean;
  /** How long a file is kept: `30d`. Without it, until it is deleted. */
  readonly keepFor?: string;
  readonly served: 'inline' | 'attachment';
};

const mebibyte = 1024 * 1024;

/** Built-in purposes accept whole families, so a new type of a family is accepted without a change here. */
const pictures = typesOf('image');
const documents = typesOf('document', 'text');
const sounds = typesOf('audio');
const films = typesOf('video');

const usualVariants = { thumb: '320x320', preview: '1600' };

export const builtInPurposes: readonly Purpose[] = [
  {
    name: 'avatar',
    types: ['image/jpeg', 'image/png', 'image/webp'],
    maxBytes: 5 * mebibyte,
    maxPixels: 40_000_000,
    maxSide: 8192,
    variants: usualVariants,
    readableBy: 'signed-in',
    links: true,
    served: 'inline',
  },
  {
    name: 'image',
    types: pictures,
    maxBytes: 15 * mebibyte,
    maxPixels: 50_000_000,
    variants: usualVariants,
    readableBy: 'named',
    links: true,
    served: 'inline',
  },
  {
    name: 'document',
    types: documents,
    maxBytes: 25 * mebibyte,
    readableBy: 'named',
    links: true,
    served: 'attachment',
  },
  { name: 'audio', types: sounds, maxBytes: 25 * mebibyte, readableBy: 'named', links: true, served: 'inline' },
  { name: 'video', types: films, maxBytes: 200 * mebibyte, readableBy: 'named', links: true, served: 'inline' },
  {
    name: 'attachment',
    types: [...pictures, ...documents, ...sounds, ...films, ...typesOf('archive')],
    maxBytes: 50 * mebibyte,
    maxPixels: 50_000_000,
    variants: usualVariants,
    readableBy: 'named',
    links: true,
    served: 'attachment',
  },
];

/** A file without pixels cannot have too many. */
export function hasTooManyPixels(
  { width = 0, height = 0 }: { readonly width?: number | undefined; readonly height?: number | undefined },
  { maxPixels = Number.POSITIVE_INFINITY, maxSide = Number.POSITIVE_INFINITY }: Pick<Purpose, 'maxPixels' | 'maxSide'>,
): boolean {
  return width * height > maxPixels || Math.max(width, height) > maxSide;
}

const secondsOf = { m: 60, h: 3600, d: 86_400 } as const;

/** Undefined if it is not a duration that a purpose may have. */
export function keepSecondsOf(keepFor: unknown): number | undefined {
  const match = typeof keepFor === 'string' ? /^([1-9]\d{0,4})([mhd])$/.exec(keepFor) : null;
  if (match === null) return undefined;
  const seconds = Number(match[1]) * secondsOf[match[2] as keyof typeof secondsOf];
  return seconds <= 3650 * 86_400 ? seconds : undefined;
}

/** For file pickers: every type and every extension. */
export function acceptOf({ types }: Purpose): string {
  return [...types, ...extensionsOf(types).map((extension) => `.${extension}`)].join(',');
}

export function extensionsOf(types: readonly MediaType[]): string[] {
  return [...new Set(types.flatMap((type) => [...mediaTypes[type].extensions]))];
}

/** Returns the purposes, or every problem of the file. */
export function parsePurposes(text: string): { purposes: Purpose[] } | { problems: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problems: ['is not JSON'] };
  }
  const entries = Array.isArray(value) ? value : (value as { purposes?: unknown } | null)?.purposes;
  if (!Array.isArray(entries) || entries.length === 0)
    return { problems: ['must be a list of purposes, or {"purposes": […]}'] };
  const problems = entries.flatMap((entry, index) => problemsOf(entry, `purpose ${index + 1}`));
  const names = entries
    .map((entry: { name?: unknown } | null) => entry?.name)
    .filter((name): name is string => typeof name === 'string');
  for (const name of new Set(names)) {
    if (names.filter((other) => other === name).length > 1) problems.push(`name ${JSON.stringify(name)} is used twice`);
  }
  return problems.length > 0 ? { problems } : { purposes: (entries as Purpose[]).map(pick) };
}

type Rule = { readonly field: keyof Purpose; readonly isRight: (value: unknown) => boolean; readonly cure: string };

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0;
const isTypes = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every((type) => typeof type === 'string' && isMediaType(type));

const rules: readonly Rule[] = [
  {
    field: 'name',
    isRight: (value) => typeof value === 'string' && isPurposeName(value),
    cure: 'lower-case letters, digits, - and _, at most 32 characters',
  },
  { field: 'types', isRight: isTypes, cure: `a list of ${mediaTypeNames.join(', ')}` },
  { field: 'maxBytes', isRight: isCount, cure: 'a number of bytes' },
  {
    field: 'maxPixels',
    isRight: (value) => value === undefined || isCount(value),
    cure: 'a number of pixels, or nothing',
  },
  {
    field: 'maxSide',
    isRight: (value) => value === undefined || isCount(value),
    cure: 'a number of pixels, or nothing',
  },
  { field: 'variants', isRight: areVariants, cure: variantsCure },
  {
    field: 'readableBy',
    isRight: (value) => value === 'owner' || value === 'named' || value === 'signed-in',
    cure: 'owner, named or signed-in',
  },
  {
    field: 'links',
    isRight: (value) => value === undefined || typeof value === 'boolean',
    cure: 'true, false, or nothing',
  },
  {
    field: 'keepFor',
    isRight: (value) => value === undefined || keepSecondsOf(value) !== undefined,
    cure: 'a duration from 1m to 3650d (30d, 12h, 90m), or nothing',
  },
  { field: 'served', isRight: (value) => value === 'inline' || value === 'attachment', cure: 'inline or attachment' },
];

export function isPurposeName(text: string): boolean {
  return /^[a-z][a-z0-9_-]{0,31}$/.test(text);
}

function problemsOf(entry: unknown, place: string): string[] {
  if (typeof entry !== 'object' || entry === null) return [`${place} is not an object`];
  const fields = entry as Record<string, unknown>;
  const title = typeof fields.name === 'string' ? `purpose ${fields.name}` : place;
  const wrong = rules
    .filter(({ field, isRight }) => !isRight(fields[field]))
    .map(({ field, cure }) => `${title}: ${field} must be ${cure}`);
  const unknown = Object.keys(fields).filter((field) => !rules.some((rule) => rule.field === field));
  return [...wrong, ...unknown.map((field) => `${title}: ${field} is not a known field`)];
}

function pick(purpose: Purpose): Purpose {
  const { name, types, maxBytes, maxPixels, maxSide, variants, readableBy, links, keepFor, served } = purpose;
  return {
    name,
    types,
    maxBytes,
    ...(maxPixels !== undefined && { maxPixels }),
    ...(maxSide !== undefined && { maxSide }),
    ...(variants !== undefined && { variants }),
    readableBy,
    ...(links !== undefined && { links }),
    ...(keepFor !== undefined && { keepFor }),
    served,
  };
}
