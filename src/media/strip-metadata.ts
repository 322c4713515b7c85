// Plans the removal of a picture's metadata (place, device, comments) without changing a pixel.
import type { FileBytes, MediaType } from './media-type.ts';
import { findPolyglot } from './proofs/polyglot.ts';
import { readWithinBudget } from './read-within-budget.ts';
import type { Edit } from './strip/edit.ts';
import { editJpeg } from './strip/jpeg.ts';
import { editPng } from './strip/png.ts';
import { editWebp } from './strip/webp.ts';

/** Bytes `from` to `to` (excluded) of the source, or new bytes. */
export type Piece = { readonly from: number; readonly to: number } | { readonly bytes: Buffer };

type Editor = (file: FileBytes) => Edit[];

/** For types whose bytes are stored unchanged. */
const keep: Editor = () => [];

const editors: Readonly<Record<MediaType, Editor>> = {
  'image/jpeg': editJpeg,
  'image/png': editPng,
  'image/webp': editWebp,
  'image/gif': keep,
  'image/avif': keep,
  'application/pdf': keep,
  'text/plain': keep,
  'text/csv': keep,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': keep,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': keep,
  'application/vnd.oasis.opendocument.text': keep,
  'application/zip': keep,
  'audio/mpeg': keep,
  'audio/mp4': keep,
  'audio/ogg': keep,
  'audio/wav': keep,
  'video/mp4': keep,
  'video/webm': keep,
};

/** Without its metadata, the picture would also be a file of another format. */
class StrippedPolyglot extends Error {
  constructor(reason: string) {
    super(`without metadata: ${reason}`);
    this.name = 'StrippedPolyglot';
  }
}

/**
 * The stripped file in pieces. Undefined if the file needs no change. The file must already be proved to have this type.
 * Throws StrippedPolyglot and OverBudget.
 */
export function planStrip(type: MediaType, file: FileBytes): Piece[] | undefined {
  const edits = editors[type](readWithinBudget(file));
  if (edits.length === 0) return undefined;
  const pieces = toPieces(edits, file.size);
  // What is removed may have kept the header and the end of another format apart from where its readers look for them.
  const reason = findPolyglot(readWithinBudget(joinPieces(pieces, file)), type);
  if (reason !== undefined) throw new StrippedPolyglot(reason);
  return pieces;
}

function toPieces(edits: Edit[], size: number): Piece[] {
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

/** The stripped file as it will be stored. */
function joinPieces(pieces: readonly Piece[], file: FileBytes): FileBytes {
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
