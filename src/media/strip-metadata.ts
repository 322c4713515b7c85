// Plans the removal of a picture's metadata (place, device, comments) without changing a pixel.
import type { FileBytes, MediaType } from './media-type.ts';
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

/** The stripped file in pieces. Undefined if the file needs no change. The file must already be proved to have this type. */
export function planStrip(type: MediaType, file: FileBytes): Piece[] | undefined {
  const edits = editors[type](readWithinBudget(file));
  return edits.length === 0 ? undefined : toPieces(edits, file.size);
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
