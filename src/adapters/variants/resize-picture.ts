// Makes one variant with sharp. The result has no metadata, its colours are sRGB, and only the first frame of an animation is used.

import { parseVariantSize, type VariantFormat, type VariantSize } from '../../files/variants/variant.ts';
import type { VariantOrder } from '../../files/variants/variant-maker.ts';

type SharpModule = typeof import('sharp');
type Sharp = SharpModule['default'];
type Pipeline = ReturnType<Sharp>;

/** What works here: the version of sharp, and the types of pictures that it reads. */
export type Ability = { readonly version: string; readonly reads: readonly string[] };

/** The only decoders that may run. The others are written for trusted files. */
const decoders = {
  JPEG: 'VipsForeignLoadJpegFile',
  PNG: 'VipsForeignLoadPngFile',
  WebP: 'VipsForeignLoadWebpFile',
  GIF: 'VipsForeignLoadNsgifFile',
  AVIF: 'VipsForeignLoadHeifFile',
} as const;

/** Undefined if sharp is not installed, or not for this machine. */
export async function loadSharp(load: () => Promise<SharpModule> = () => import('sharp')): Promise<Sharp | undefined> {
  const module = await load().catch(() => undefined);
  if (module === undefined) return undefined;
  const sharp = module.default;
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: Object.values(decoders) });
  return sharp;
}

export function abilityOf({ versions, format }: Sharp): Ability {
  const { jpeg, png, webp, gif, heif } = format;
  const found = { JPEG: jpeg, PNG: png, WebP: webp, GIF: gif, AVIF: heif };
  const reads = Object.entries(found).flatMap(([name, { input }]) => (input.file ? [name] : []));
  return { version: versions.sharp ?? 'of unknown version', reads };
}

export async function resizePicture(
  sharp: Sharp,
  path: string,
  { size, format, maxPixels }: VariantOrder,
): Promise<Buffer> {
  const parsed = parseVariantSize(size);
  if (parsed === undefined) throw new Error('not a size');
  const picture = sharp(path, {
    autoOrient: true,
    failOn: 'error',
    limitInputPixels: maxPixels,
    sequentialRead: true,
  });
  return encoders[format](picture.resize({ ...boxOf(parsed), withoutEnlargement: true })).toBuffer();
}

function boxOf(size: VariantSize) {
  return size.kind === 'box'
    ? { width: size.width, height: size.height, fit: 'cover' as const, position: 'centre' }
    : { width: size.side, height: size.side, fit: 'inside' as const };
}

/** With a higher effort, AVIF takes ten times as long as WebP and saves little. See docs/evidence/performance.md. */
const encoders: Readonly<Record<VariantFormat, (picture: Pipeline) => Pipeline>> = {
  webp: (picture) => picture.webp({ quality: 80, effort: 4 }),
  avif: (picture) => picture.avif({ quality: 50, effort: 1 }),
};
