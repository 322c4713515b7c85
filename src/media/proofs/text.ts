// Proves plain text: UTF-8 without control characters or content that a browser, shell or word processor would run.
import { isUtf8 } from 'node:buffer';
import { type FileBytes, type Proof, proved } from '../media-type.ts';

const headBytes = 65_536;
const pieceBytes = 262_144;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const activeOpening = /^[\t\n\f\r ]*(?:<[!?%a-z]|%!ps|#!|\{\\rtf)/i;
// Not every tag: source code and technical texts use <object>, <head> or <link> with other meanings.
const activeMarkup = /<(?:!doctype html|\?php|(?:script|html|svg|iframe|frameset|embed|applet)(?=[\s/>]))/i;
/** At the end of the file, no character needs to follow the tag name. */
const activeMarkupAtEnd = /<(?:script|html|svg|iframe|frameset|embed|applet)$/i;
/** The length of the longest markup plus the character after it. */
const markupBytes = 16;

/** Returns undefined for anything but text, never `corrupt`: text has no structure that can be broken. */
export function proveText(file: FileBytes): Proof | undefined {
  const head = withoutMark(file.read(0, headBytes));
  if (head.length === 0 || activeOpening.test(head.toString('latin1'))) return undefined;
  let position = 0;
  let before = '';
  while (position < file.size) {
    const piece = file.read(position, pieceBytes);
    const isLast = position + piece.length >= file.size;
    const whole = isLast ? piece : piece.subarray(0, endOfWholeCharacters(piece));
    if (whole.length === 0 || !isUtf8(whole) || hasControl(whole)) return undefined;
    // Markup may begin in one piece and end in the next.
    if ((before.includes('<') || whole.includes(0x3c)) && isActive(before + whole.toString('latin1'), isLast))
      return undefined;
    before = whole.toString('latin1', Math.max(0, whole.length - markupBytes));
    position += whole.length;
  }
  return proved('text/plain');
}

/** Whether the piece contains a tag that makes a browser read the bytes as HTML or SVG. */
export function hasActiveMarkup(piece: Buffer): boolean {
  return isActive(piece.toString('latin1'), true);
}

function isActive(text: string, isLast: boolean): boolean {
  return activeMarkup.test(text) || (isLast && activeMarkupAtEnd.test(text));
}

function withoutMark(head: Buffer): Buffer {
  return head.subarray(0, 3).equals(byteOrderMark) ? head.subarray(3) : head;
}

/** Before the last character if it may be cut off. Of a character that is cut, at most three bytes are there. */
function endOfWholeCharacters(piece: Buffer): number {
  const tail = piece.subarray(-3);
  const lead = tail.findLastIndex((byte) => byte > 0xbf);
  return lead < 0 ? piece.length : piece.length - tail.length + lead;
}

/** Checks four bytes at a time without branches, because it runs over every byte of every text. */
function hasControl(piece: Buffer): boolean {
  // A shorter piece may contain no aligned word at all.
  if (piece.length < 4) return hasControlIn(piece, 0, piece.length);
  const start = -piece.byteOffset & 3;
  const words = new Int32Array(piece.buffer, piece.byteOffset + start, (piece.length - start) >> 2);
  const end = start + words.length * 4;
  let controls = 0;
  for (let index = 0; index < words.length; index++) controls |= controlBits(words[index] ?? 0);
  return controls !== 0 || hasControlIn(piece, 0, start) || hasControlIn(piece, end, piece.length);
}

/** Sets the highest bit of each byte that is a control: below 0x20, except tab, line feed, form feed and carriage return. */
function controlBits(word: number): number {
  const isPrintable = word | (word << 1) | (word << 2);
  const others = nonZeroBits(word ^ 0x09090909) & nonZeroBits(word ^ 0x0a0a0a0a);
  // 0x0c and 0x0d differ only in their lowest bit.
  return ~isPrintable & others & nonZeroBits((word | 0x01010101) ^ 0x0d0d0d0d) & 0x80808080;
}

/** Sets the highest bit of each byte that is not zero. The other bits have no meaning. */
function nonZeroBits(word: number): number {
  return ((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word;
}

function hasControlIn(piece: Buffer, from: number, to: number): boolean {
  return piece.subarray(from, to).some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte));
}
