// Proves plain text: UTF-8 without controls, and nothing that a browser, a shell or a word processor would run.
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { type ByteReader, type Proof, proved } from '../media-type.ts';

const pieceBytes = 65_536;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const activeOpening = /^[\t\n\f\r ]*(?:<[!?%a-z]|%!ps|#!|\{\\rtf)/;
// Not every tag: texts about programs write <object>, <head> or <link> for things of their own.
const activeMarkup = /<(?:!doctype html|\?php|(?:script|html|svg|iframe|frameset|embed|applet)(?=[\s/>]|$))/;

/** Answers undefined for whatever is not text: text has no structure that could be broken. */
export async function proveText(file: ByteReader): Promise<Proof | undefined> {
  const head = withoutMark(await file.read(0, pieceBytes));
  if (head.length === 0 || opensActively(head) || hasActiveMarkup(head)) return undefined;
  let position = 0;
  while (position < file.size) {
    const piece = await file.read(position, pieceBytes);
    const isLast = position + piece.length >= file.size;
    const whole = isLast ? piece : piece.subarray(0, endOfWholeCharacters(piece));
    if (whole.length === 0 || !isUtf8(whole) || hasControl(whole)) return undefined;
    position += whole.length;
    await setImmediate();
  }
  return proved('text/plain');
}

/** Tags that make a browser read the bytes as a page or a drawing, wherever they stand in the piece. */
export function hasActiveMarkup(piece: Buffer): boolean {
  return activeMarkup.test(piece.toString('latin1').toLowerCase());
}

function opensActively(head: Buffer): boolean {
  return activeOpening.test(head.toString('latin1').toLowerCase());
}

function withoutMark(head: Buffer): Buffer {
  return head.subarray(0, 3).equals(byteOrderMark) ? head.subarray(3) : head;
}

/** Where the last character begins that the piece may have cut, or the end of the piece when it ends in ASCII. */
function endOfWholeCharacters(piece: Buffer): number {
  let end = piece.length;
  while (end > piece.length - 4 && end > 0) {
    const byte = piece.readUInt8(end - 1);
    if (byte < 0x80) return end;
    end -= 1;
    if (byte >= 0xc0) return end;
  }
  return piece.length;
}

function hasControl(piece: Buffer): boolean {
  for (const byte of piece) {
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d) return true;
  }
  return false;
}
