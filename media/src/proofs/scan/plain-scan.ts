// Looks at all bytes of a piece of text without vector instructions. It takes three times as long, and runs everywhere.
import { mostScanned, type TextScan } from './text-scan.ts';

const blank = 0x20;
const bracket = 0x3c;
const highBits = 0x80808080;

export function createPlainScan(): TextScan {
  const words = new Int32Array((mostScanned >> 2) + 1);
  const bytes = Buffer.from(words.buffer);
  return {
    bytes: bytes.subarray(0, mostScanned),
    endPiece: (length) => void bytes.fill(blank, length, (length + 3) & ~3),
    hasControls: (length) => hasControls(words.subarray(0, (length + 3) >> 2)),
    findMarkup: (from, length) => {
      const place = bytes.subarray(0, length).indexOf(bracket, from);
      return place < 0 ? undefined : place;
    },
    // Nothing here would be quicker than the search for the signs themselves, so that follows.
    findSign: (from, length) => (from < length ? from : undefined),
  };
}

/** Four bytes at a time and without a branch: lines end everywhere, so no processor could foresee it. */
function hasControls(words: Int32Array): boolean {
  let allowed = highBits;
  for (let index = 0; index < words.length; index++) allowed &= allowedBits(words[index] ?? 0);
  return (allowed & highBits) !== (highBits | 0);
}

/**
 * Sets the highest bit of each byte that a text may contain: from 0x20 on, and tab, line feed, form feed and carriage return. In binary these
 * are 01001, 01010, 01100 and 01101. Each shift brings one bit of every byte to its highest place. The other bits mean nothing.
 */
function allowedBits(word: number): number {
  const [third, second] = [word << 5, word << 6];
  const isLine = ~(word << 3) & (word << 4) & ((third & ~second) | (~third & (second ^ (word << 7))));
  return word | (word << 1) | (word << 2) | isLine;
}
