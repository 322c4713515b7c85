// Variants: smaller pictures that the service makes of a stored picture. A purpose lists them, each with a name and a size.
import { isAlwaysAttached, isMediaType, mediaTypes } from '#media/media-type';
import type { StoredFile } from '../stored-file.ts';

/** `box`: cropped to fill exactly this box. `side`: the longest side. Neither enlarges a picture. */
export type VariantSize =
  | { readonly kind: 'box'; readonly width: number; readonly height: number }
  | { readonly kind: 'side'; readonly side: number };

export const variantFormats = ['webp', 'avif'] as const;
export type VariantFormat = (typeof variantFormats)[number];

type Variant = {
  /** As written in the purpose: `320x320` or `1600`. */
  readonly size: string;
  readonly format: VariantFormat;
};

/** A picture and the variant to make of it. */
export type VariantSource = { readonly file: StoredFile; readonly variant: Variant; readonly maxPixels: number };

const mostVariants = 8;
const sides = { least: 16, most: 4096 };
/** No purpose allows more for a variant: memory grows with the pixels of the picture. */
const mostVariantPixels = 50_000_000;

/** Part of every stored name. Increase it when the same size and format must give other bytes. */
const recipe = 1;

export function parseVariantSize(text: string): VariantSize | undefined {
  const [, width, height] = /^([1-9]\d{1,3})(?:x([1-9]\d{1,3}))?$/.exec(text) ?? [];
  if (width === undefined) return undefined;
  const numbers = [width, height ?? width].map(Number);
  if (numbers.some((side) => side < sides.least || side > sides.most)) return undefined;
  return height === undefined
    ? { kind: 'side', side: Number(width) }
    : { kind: 'box', width: Number(width), height: Number(height) };
}

function isVariantName(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,31}$/.test(text);
}

/** Whether this is the field `variants` of a purpose. */
export function areVariants(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= mostVariants &&
    entries.every(
      ([name, size]) => isVariantName(name) && typeof size === 'string' && parseVariantSize(size) !== undefined,
    )
  );
}

export const variantsCure = `an object of at most ${mostVariants} names (lower-case letters, digits and -) with sizes like "320x320" or "1600", from ${sides.least} to ${sides.most}, or nothing`;

/** Undefined if the purpose has no such variant, or none can be made of this file. */
export function findVariantSource(
  file: StoredFile,
  purpose: { readonly variants?: Readonly<Record<string, string>>; readonly maxPixels?: number } | undefined,
  { name, format }: { name: string; format: VariantFormat },
): VariantSource | undefined {
  const { variants = {}, maxPixels = mostVariantPixels } = purpose ?? {};
  const size = Object.hasOwn(variants, name) ? variants[name] : undefined;
  const most = Math.min(maxPixels, mostVariantPixels);
  const isTooLarge = (file.width ?? 0) * (file.height ?? 0) > most;
  if (size === undefined || !mayHaveVariants(file.type) || isTooLarge) return undefined;
  return { file, variant: { size, format }, maxPixels: most };
}

/** Whether a variant can be made of a file of this type, if its purpose has any. */
export function mayHaveVariants(type: string): boolean {
  // The packages of sharp decode what browsers show: neither HEIC nor HEIF.
  return isMediaType(type) && mediaTypes[type].family === 'image' && !isAlwaysAttached(type);
}

/** The name of a kept variant, next to others of the same file. It is never a file id. */
export function storedNameOf({ size, format }: Variant): string {
  return `${size}-${recipe}.${format}`;
}

export function isStoredName(text: string): boolean {
  return /^[1-9]\d{1,3}(?:x[1-9]\d{1,3})?-\d{1,4}\.(?:webp|avif)$/.test(text);
}
