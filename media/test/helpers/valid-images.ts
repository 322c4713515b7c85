// Real pictures of all five types, made by a real encoder while the tests run.
import sharp, { type Sharp } from 'sharp';
import type { MediaType } from '../../src/media-type.ts';

export type ValidImage = { readonly name: string; readonly type: MediaType; readonly bytes: Buffer };

export const width = 24;
export const height = 16;

export async function makeValidImages(): Promise<ValidImage[]> {
  const recipes: [string, MediaType, Sharp][] = [
    ['baseline', 'image/jpeg', still().jpeg({ progressive: false })],
    ['progressive', 'image/jpeg', still().jpeg({ progressive: true })],
    ['mozjpeg', 'image/jpeg', still().jpeg({ mozjpeg: true })],
    ['grey', 'image/jpeg', still().greyscale().jpeg()],
    ['CMYK', 'image/jpeg', still().toColourspace('cmyk').jpeg()],
    ['with a profile', 'image/jpeg', still().withIccProfile('p3').jpeg()],
    ['from a phone', 'image/jpeg', fromPhone(still(), 6).jpeg()],
    ['truecolour', 'image/png', still().png()],
    ['palette', 'image/png', still().png({ palette: true, colours: 16 })],
    ['16 bits', 'image/png', still().toColourspace('rgb16').png()],
    ['interlaced', 'image/png', still().ensureAlpha(0.5).png({ progressive: true })],
    ['from a phone', 'image/png', fromPhone(still(), 8).png()],
    ['lossy', 'image/webp', still().webp()],
    ['lossy with alpha', 'image/webp', still().ensureAlpha(0.5).webp()],
    ['lossless', 'image/webp', still().webp({ lossless: true })],
    ['animated', 'image/webp', animation().webp({ delay: [50, 60, 70] })],
    ['from a phone', 'image/webp', fromPhone(still(), 3).webp()],
    ['still', 'image/gif', still().gif()],
    ['animated', 'image/gif', animation().gif({ delay: [50, 60, 70] })],
    ['interlaced', 'image/gif', still().gif({ progressive: true, colours: 4 })],
    ['lossy', 'image/avif', still().avif({ effort: 0 })],
    ['lossless', 'image/avif', still().avif({ lossless: true, effort: 0 })],
    ['with alpha and a profile', 'image/avif', still().ensureAlpha(0.5).withIccProfile('p3').avif({ effort: 0 })],
  ];
  return Promise.all(recipes.map(async ([name, type, image]) => ({ name, type, bytes: await image.toBuffer() })));
}

/** One plain picture of each type. */
export function makePictures(): Promise<ValidImage[]> {
  const formats = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const;
  return Promise.all(
    formats.map(async (format) => {
      const bytes = await still().toFormat(format).toBuffer();
      return { name: `picture.${format}`, type: `image/${format}` as const, bytes };
    }),
  );
}

export function still(): Sharp {
  return sharp(pixels(1), { raw: { width, height, channels: 3 } });
}

function animation(): Sharp {
  const raw = { width, height: height * 3, channels: 3 as const, pageHeight: height };
  return sharp(Buffer.concat([pixels(1), pixels(2), pixels(3)]), { raw });
}

export function fromPhone(image: Sharp, orientation: number): Sharp {
  const gps = { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' };
  return image
    .withMetadata({ orientation })
    .withIccProfile('p3')
    .withExif({ IFD0: { Make: 'SecretMaker' }, IFD3: gps })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SecretXmp</x:xmpmeta>');
}

function pixels(seed: number): Buffer {
  const bytes = Buffer.alloc(width * height * 3);
  for (let at = 0; at < bytes.length; at++) bytes[at] = (at * (36 + seed) + (at % 7) * 11) & 255;
  return bytes;
}
