// An edited file in pieces: what stays of the source, and new bytes in between.
import type { FileBytes } from './media-type.ts';
import type { Edit } from './strip/edit.ts';

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
      const parts: Buffer[] = [];
      // A file can have tens of thousands of pieces, and be read in as many places.
      for (let next = firstAfter(placed, position); ; next++) {
        const found = placed[next];
        if (found === undefined || found.start >= until) return Buffer.concat(parts);
        const { piece, start, end } = found;
        const [from, to] = [Math.max(position, start) - start, Math.min(until, end) - start];
        parts.push('bytes' in piece ? piece.bytes.subarray(from, to) : file.read(piece.from + from, to - from));
      }
    },
  };
}

/** The index of the first piece that ends after the position. */
function firstAfter(placed: readonly { readonly end: number }[], position: number): number {
  let [low, high] = [0, placed.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((placed[middle]?.end ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
