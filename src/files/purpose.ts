// Upload purposes, as data: each sets the allowed types, size and pixels, who may read the file, and how it is served.
import { isMediaType, type MediaType, mediaTypeNames, mediaTypes, typesOf } from '../media/media-type.ts';

export type Purpose = {
  readonly name: string;
  readonly types: readonly MediaType[];
  readonly maxBytes: number;
  readonly maxPixels?: number;
  readonly maxSide?: number;
  readonly readableBy: 'owner' | 'signed-in';
  readonly served: 'inline' | 'attachment';
};

const mebibyte = 1024 * 1024;

/** Built-in purposes accept whole families, so a new type of a family is accepted without a change here. */
const pictures = typesOf('image');
const documents = typesOf('document', 'text');
const sounds = typesOf('audio');
const films = typesOf('video');

export const builtInPurposes: readonly Purpose[] = [
  {
    name: 'avatar',
    types: ['image/jpeg', 'image/png', 'image/webp'],
    maxBytes: 5 * mebibyte,
    maxPixels: 40_000_000,
    maxSide: 8192,
    readableBy: 'signed-in',
    served: 'inline',
  },
  {
    name: 'image',
    types: pictures,
    maxBytes: 15 * mebibyte,
    maxPixels: 50_000_000,
    readableBy: 'owner',
    served: 'inline',
  },
  { name: 'document', types: documents, maxBytes: 25 * mebibyte, readableBy: 'owner', served: 'attachment' },
  { name: 'audio', types: sounds, maxBytes: 25 * mebibyte, readableBy: 'owner', served: 'inline' },
  { name: 'video', types: films, maxBytes: 200 * mebibyte, readableBy: 'owner', served: 'inline' },
  {
    name: 'attachment',
    types: [...pictures, ...documents, ...sounds, ...films, ...typesOf('archive')],
    maxBytes: 50 * mebibyte,
    maxPixels: 50_000_000,
    readableBy: 'owner',
    served: 'attachment',
  },
];

/** For file pickers: every type and every extension. */
export function acceptOf({ types }: Purpose): string {
  return [...types, ...extensionsOf(types).map((extension) => `.${extension}`)].join(',');
}

export function extensionsOf(types: readonly MediaType[]): string[] {
  return types.flatMap((type) => [...mediaTypes[type].extensions]);
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
    isRight: (value) => typeof value === 'string' && /^[a-z][a-z0-9_-]{0,31}$/.test(value),
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
  { field: 'readableBy', isRight: (value) => value === 'owner' || value === 'signed-in', cure: 'owner or signed-in' },
  { field: 'served', isRight: (value) => value === 'inline' || value === 'attachment', cure: 'inline or attachment' },
];

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

function pick({ name, types, maxBytes, maxPixels, maxSide, readableBy, served }: Purpose): Purpose {
  return {
    name,
    types,
    maxBytes,
    ...(maxPixels !== undefined && { maxPixels }),
    ...(maxSide !== undefined && { maxSide }),
    readableBy,
    served,
  };
}
