// Plans the removal of a picture's metadata (place, device, comments) without changing a pixel.
import type { FileBytes, MediaType } from './media-type.ts';
import { findPolyglot } from './proofs/polyglot.ts';
import { readWithinBudget } from './read-within-budget.ts';
import type { Edit } from './strip/edit.ts';
import { editJpeg } from './strip/jpeg.ts';
import { joinPieces, type Piece, toPieces } from './strip/pieces.ts';
import { editPng } from './strip/png.ts';
import { editWebp } from './strip/webp.ts';

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
