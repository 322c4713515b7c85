// Whether a kept variant is whole. A copy onto a full disk leaves empty or cut files, which must be made again and not served.
import type { VariantFormat } from './variant.ts';

const boxHeadBytes = 8;

/** Compares the lengths that the formats write with the length of the bytes. It does not look at the pixels. */
export const isWholeVariant: Readonly<Record<VariantFormat, (bytes: Buffer) => boolean>> = {
  webp: (bytes) =>
    bytes.length >= 12 &&
    bytes.toString('latin1', 0, 4) === 'RIFF' &&
    bytes.toString('latin1', 8, 12) === 'WEBP' &&
    bytes.readUInt32LE(4) + 8 === bytes.length,
  avif: (bytes) => {
    const types: string[] = [];
    let at = 0;
    while (at + boxHeadBytes <= bytes.length) {
      const length = bytes.readUInt32BE(at);
      if (length < boxHeadBytes) return false;
      types.push(bytes.toString('latin1', at + 4, at + 8));
      at += length;
    }
    // The library writes the pixels last.
    return at === bytes.length && types[0] === 'ftyp' && types.at(-1) === 'mdat';
  },
};
