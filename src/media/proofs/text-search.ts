// Searches a text, piece by piece, for control characters and active markup. It runs over every byte of every text.
import { hasActiveMarkup, markupBytes, opensActive } from './active-markup.ts';

export type TextFinding = 'control' | 'active';

const blank = 0x20;
const bracket = 0x3c;
const highBits = 0x80808080;
/** So many brackets of a piece are looked at one by one. If there are more, one search for all of them costs less. */
const mostBrackets = 64;

/** The largest piece that a search takes. */
export const pieceBytes = 262_144;
/** For all texts, one after the other: memory of each would stay until a thread collects its garbage, which it seldom does. */
let scratch: Int32Array<ArrayBuffer> | undefined;

/** Takes the pieces of a text in order. Markup may begin in one piece and end in the next. Ends before the next search begins. */
export function createTextSearch(): (piece: Buffer, isLast: boolean) => TextFinding | undefined {
  scratch ??= new Int32Array(((markupBytes + pieceBytes) >> 2) + 1);
  const words = scratch;
  const bytes = Buffer.from(words.buffer);
  let before = 0;
  let opens: boolean | undefined;
  return (piece, isLast) => {
    const end = before + piece.length;
    // Not `set`, which copies shared memory byte by byte.
    piece.copy(bytes, before);
    bytes.fill(blank, end, (end + 3) & ~3);
    const text = bytes.subarray(0, end);
    opens ??= opensActive(text, isLast);
    if (hasControls(words.subarray(0, (end + 3) >> 2))) return 'control';
    if (opens === true || isActive(text, isLast)) return 'active';
    before = Math.min(end, markupBytes);
    bytes.copyWithin(0, end - before, end);
    return undefined;
  };
}

/** Only a bracket can begin markup, and most texts have none or few: finding them is far quicker than a search for all tags. */
function isActive(text: Buffer, isLast: boolean): boolean {
  let at = text.indexOf(bracket);
  for (let count = 0; at >= 0; count++) {
    if (count === mostBrackets) return hasActiveMarkup(text.subarray(at), isLast);
    const end = Math.min(text.length, at + markupBytes);
    if (hasActiveMarkup(text.subarray(at, end), isLast && end === text.length)) return true;
    at = text.indexOf(bracket, at + 1);
  }
  return false;
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
