// Proves plain text in UTF-8, UTF-16 with a byte order mark, or an 8-bit encoding: no control characters, and nothing that would be run.
import { isUtf8 } from 'node:buffer';
import type { FileBytes } from '../../media-type.ts';
import { any8Bit, excluded, type Proof, provedText } from '../../proof.ts';
import { createTextSearch, pieceBytes } from './text-search.ts';

/** DOS programs end a text with it. */
const endOfFile = 0x1a;

type Encoding = {
  readonly mark: Buffer;
  /** The part of a piece that ends with a whole character, or undefined if the piece is not in this encoding. */
  take(piece: Buffer, isLast: boolean): Taken | undefined;
};

/** `ascii` has the ASCII characters of the text as they are, and bytes from 0x80 for all others. */
type Taken = { readonly length: number; readonly ascii: Buffer };

const utf8: Encoding = {
  mark: Buffer.from([0xef, 0xbb, 0xbf]),
  take: (piece, isLast) => {
    const ascii = isLast ? piece : piece.subarray(0, endOfWholeCharacters(piece));
    return ascii.length > 0 && isUtf8(ascii) ? { length: ascii.length, ascii } : undefined;
  },
};

/** UTF-32 begins with the mark of UTF-16, but is full of NUL. It is not accepted: no browser reads it. */
const utf16: Readonly<Record<'utf-16le' | 'utf-16be', Encoding>> = {
  'utf-16le': { mark: Buffer.from([0xff, 0xfe]), take: (piece, isLast) => takeUtf16(piece, isLast, false) },
  'utf-16be': { mark: Buffer.from([0xfe, 0xff]), take: (piece, isLast) => takeUtf16(piece, isLast, true) },
};

/** Returns undefined for anything but text, never `corrupt`: text has no structure that can be broken. */
export function proveText(file: FileBytes): Proof | undefined {
  const head = file.read(0, 3);
  for (const charset of ['utf-16le', 'utf-16be'] as const) {
    const { mark } = utf16[charset];
    if (head.subarray(0, 2).equals(mark)) return readText(file, mark.length, charset, utf16[charset]);
  }
  return readText(file, head.equals(utf8.mark) ? utf8.mark.length : 0, 'utf-8', utf8);
}

function readText(file: FileBytes, start: number, charset: string, encoding: Encoding): Proof | undefined {
  const search = createTextSearch();
  let is8Bit = false;
  let position = start;
  if (position >= file.size) return undefined;
  while (position < file.size) {
    const piece = file.read(position, pieceBytes);
    const isLast = position + piece.length >= file.size;
    const taken: Taken | undefined = is8Bit ? undefined : encoding.take(piece, isLast);
    // Text that is not UTF-8 may be in any 8-bit encoding.
    is8Bit ||= taken === undefined && encoding === utf8;
    const { length, ascii } = taken ?? { length: piece.length, ascii: piece };
    if (length === 0 || (taken === undefined && !is8Bit)) return undefined;
    const text = isLast && ascii.at(-1) === endOfFile ? ascii.subarray(0, -1) : ascii;
    if (position === start && text.length === 0) return undefined;
    const finding = search(text, isLast);
    if (finding === 'control') return undefined;
    if (finding === 'active') return excluded(undefined, 'active-text');
    position += length;
  }
  return provedText(is8Bit ? any8Bit : charset);
}

/** Before the last character if it may be cut off. Of a character that is cut, at most three bytes are there. */
function endOfWholeCharacters(piece: Buffer): number {
  const tail = piece.subarray(-3);
  const lead = tail.findLastIndex((byte) => byte > 0xbf);
  return lead < 0 ? piece.length : piece.length - tail.length + lead;
}

function takeUtf16(piece: Buffer, isLast: boolean, isBigEndian: boolean): Taken | undefined {
  if (piece.length % 2 === 1) return undefined;
  const pairs = new Int32Array((piece.length + 3) >> 2);
  const units = Buffer.from(pairs.buffer, 0, piece.length);
  piece.copy(units);
  if (isBigEndian) units.swap16();
  // A pair of surrogates may be cut off after the first.
  const length = !isLast && ((units.at(-1) ?? 0) & 0xfc) === 0xd8 ? piece.length - 2 : piece.length;
  if (!units.toString('utf16le', 0, length).isWellFormed()) return undefined;
  const ascii = new Uint16Array(pairs.length);
  for (let index = 0; index < pairs.length; index++) {
    const pair = pairs[index] ?? 0;
    ascii[index] = toAscii(pair & 0xffff) | (toAscii(pair >>> 16) << 8);
  }
  return { length, ascii: Buffer.from(ascii.buffer, 0, length / 2) };
}

function toAscii(unit: number): number {
  return unit < 0x80 ? unit : 0x80;
}
