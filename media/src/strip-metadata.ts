// Plans the bytes to store: removes a picture's metadata (place, device, comments) without changing a pixel, and refuses polyglots.
import type { FileRule } from './file-rule.ts';
import type { FileBytes, MediaType } from './media-type.ts';
import { joinPieces, type Piece, toPieces } from './pieces.ts';
import { findPolyglot } from './proofs/polyglot.ts';
import { isContainer } from './prove-media-type.ts';
import { readWithinBudget } from './read-within-budget.ts';
import type { Edit } from './strip/edit.ts';
import { editAvif, editHeic } from './strip/heif.ts';
import { editJpeg } from './strip/jpeg.ts';
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
  'image/avif': editAvif,
  'image/heic': editHeic,
  'image/heif': editHeic,
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
  'video/quicktime': keep,
  'video/webm': keep,
};

/** The file to store in pieces, undefined if that is the whole file. Or the rule that excludes what would be stored. */
type StripPlan = Piece[] | undefined | { readonly rule: FileRule };

/** The file must already be proved to have this type. Throws OverBudget. */
export function planStrip(type: MediaType, file: FileBytes): StripPlan {
  const edits = editors[type](readWithinBudget(file));
  const pieces = edits.length === 0 ? undefined : toPieces(edits, file.size);
  // Only the bytes to store count. What is removed may hide a file of another format, or keep the parts of one apart.
  const stored = pieces === undefined ? file : joinPieces(pieces, file);
  const isPolyglot = !isContainer(type) && findPolyglot(readWithinBudget(stored), type) !== undefined;
  return isPolyglot ? { rule: 'hidden-file' } : pieces;
}
