// Searches a text, piece by piece, for control characters and active markup. It runs over every byte of every text, four at a time.
import { hasActiveMarkup, markupBytes, opensActive } from './active-markup.ts';

export type TextFinding = 'control' | 'active';

const blank = 0x20;
const highBits = 0x80808080;
/** So many places of a piece are looked at one by one. If there are more, searching the whole piece costs less. */
const mostPlaces = 64;

/** Takes the pieces of a text in order, each of at most `pieceBytes`. Markup may begin in one piece and end in the next. */
export function createTextSearch(pieceBytes: number): (piece: Buffer, isLast: boolean) => TextFinding | undefined {
  // Two words more, because the bytes of a word and the byte after it are looked at together.
  const words = new Int32Array(((markupBytes + pieceBytes) >> 2) + 2);
  const bytes = Buffer.from(words.buffer);
  let before = 0;
  let opens: boolean | undefined;
  return (piece, isLast) => {
    const end = before + piece.length;
    bytes.set(piece, before);
    bytes.fill(blank, end);
    const text = bytes.subarray(0, end);
    opens ??= opensActive(text, isLast);
    const places = findPlaces(words, (end + 3) >> 2);
    if (places === undefined) return 'control';
    if (opens === true || isActiveAt(places, text, isLast)) return 'active';
    before = Math.min(end, markupBytes);
    bytes.copyWithin(0, end - before, end);
    return undefined;
  };
}

function isActiveAt(places: readonly number[], text: Buffer, isLast: boolean): boolean {
  if (places.length > mostPlaces) return hasActiveMarkup(text, isLast);
  return places.some((at) => {
    // The `<` is one of the four bytes.
    const end = Math.min(text.length, at + 3 + markupBytes);
    return hasActiveMarkup(text.subarray(at, end), isLast && end === text.length);
  });
}

/** The words in which markup may begin, or undefined if there is a control. Ends early with more places than are of use. */
function findPlaces(words: Int32Array, count: number): number[] | undefined {
  const places: number[] = [];
  let controls = 0;
  for (let index = 0; index < count; index++) {
    const word = words[index] ?? 0;
    const low = ~(word | (word << 1) | (word << 2)) & highBits;
    if (low !== 0) controls |= low & ~lineBits(word);
    const tags = zeroBits(word ^ 0x3c3c3c3c);
    if (tags !== 0 && places.length <= mostPlaces) {
      const next = (word >>> 8) | ((words[index + 1] ?? 0) << 24);
      if ((tags & nameBits(next)) !== 0) places.push(4 * index);
    }
  }
  return controls === 0 ? places : undefined;
}

/** Marks each byte that is a control that a text may contain: tab, line feed, form feed, carriage return. */
function lineBits(word: number): number {
  // 0x0c and 0x0d differ only in their lowest bit.
  return zeroBits(word ^ 0x09090909) | zeroBits(word ^ 0x0a0a0a0a) | zeroBits((word | 0x01010101) ^ 0x0d0d0d0d);
}

/** Marks each byte that may follow a `<` of markup: a letter (or another byte with its bit 0x40), `!` and `?`. */
function nameBits(word: number): number {
  return (word << 1) | zeroBits(word ^ 0x21212121) | zeroBits(word ^ 0x3f3f3f3f);
}

/** Sets the highest bit of each byte that is zero, and no other bit. */
function zeroBits(word: number): number {
  return ~(((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word) & highBits;
}
