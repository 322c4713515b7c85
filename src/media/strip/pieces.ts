// An edited file in pieces: what stays of the source, and new bytes in between.
import type { FileBytes } from '../media-type.ts';
import type { Edit } from './edit.ts';

/** Bytes `from` to `to` (excluded) of the source, or new bytes. */
export type Piece = { readonly from: number; readonly to: number } | { readonly bytes: Buffer };

/** The pieces of a file with these edits, which may be in any order. */
export function toPieces(edits: readonly Edit[], size: number): Piece[] {
  const pieces: Piece[] = [];
  let position = 0;
  for (const { from, to, bytes } of edits.toSorted((one, other) => one.from - other.from)) {
    if (from > position) pieces.push({ from: position, to: from });
    if (bytes.length > 0) pieces.push({ bytes });
    position = Math.max(position, to);
  }
  if (position < size) pieces.push({ from: position, to: size });
  return pieces;
}

/** The edited file as it will be stored. */
export function joinPieces(pieces: readonly Piece[], file: FileBytes): FileBytes {
  let size = 0;
  const placed = pieces.map((piece) => {
    const start = size;
    size += 'bytes' in piece ? piece.bytes.length : piece.to - piece.from;
    return { piece, start, end: size };
  });
  return {
    size,
    read: (position, length) => {
      const until = Math.min(position + length, size);
      const parts = placed
        .filter(({ start, end }) => start < until && end > position)
        .map(({ piece, start, end }) => {
          const [from, to] = [Math.max(position, start) - start, Math.min(until, end) - start];
          return 'bytes' in piece ? piece.bytes.subarray(from, to) : file.read(piece.from + from, to - from);
        });
      return Buffer.concat(parts);
    },
  };
}
