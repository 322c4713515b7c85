// Clears bytes without moving others: overwrites them with zeros, and turns boxes into free space.
import type { FileBytes } from '../media-type.ts';
import type { Span } from '../proofs/images/heif-items.ts';
import type { Box } from '../proofs/iso-boxes.ts';
import type { Edit } from './edit.ts';

/** All edits share it, so clearing a large part needs no memory. */
const zeros = Buffer.alloc(65_536);

/** No edit for bytes that are zero already. */
export function blank(file: FileBytes, { start, end }: Span): Edit[] {
  const edits: Edit[] = [];
  for (let from = start; from < end; from += zeros.length) {
    const to = Math.min(end, from + zeros.length);
    const bytes = zeros.subarray(0, to - from);
    if (!file.read(from, to - from).equals(bytes)) edits.push({ from, to, bytes });
  }
  return edits;
}

/** A box of the same length without content. */
export function toFree(file: FileBytes, { type, start, headerSize, end }: Box): Edit[] {
  // The header of `uuid` includes its name, which is content of any other box.
  const content = start + (type === 'uuid' ? headerSize - 16 : headerSize);
  const renamed = type === 'free' || type === 'skip' ? [] : [{ from: start + 4, to: start + 8, bytes: freeType }];
  return [...renamed, ...blank(file, { start: content, end })];
}

const freeType = Buffer.from('free');

/** A box of free space, to insert at a place. It has at least 8 bytes. */
export function freeBox(at: number, length: number): Edit[] {
  const head = Buffer.concat([Buffer.alloc(4), freeType]);
  head.writeUInt32BE(length);
  const edits: Edit[] = [{ from: at, to: at, bytes: head }];
  for (let rest = length - head.length; rest > 0; rest -= zeros.length)
    edits.push({ from: at, to: at, bytes: zeros.subarray(0, Math.min(rest, zeros.length)) });
  return edits;
}
