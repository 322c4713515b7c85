// Plans the removal of what a picture tells about its maker (place, device, comments) without touching a pixel.
import type { FileBytes, MediaType } from './media-type.ts';
import { readWithinBudget } from './read-within-budget.ts';
import type { Edit } from './strip/edit.ts';
import { editJpeg } from './strip/jpeg.ts';
import { editPng } from './strip/png.ts';
import { editWebp } from './strip/webp.ts';

/** Bytes `from` to `to` (not included) of the source, or bytes that are new. */
export type Piece = { readonly from: number; readonly to: number } | { readonly bytes: Buffer };

const editors: Partial<Record<MediaType, (file: FileBytes) => Edit[]>> = {
  'image/jpeg': editJpeg,
  'image/png': editPng,
  'image/webp': editWebp,
};

/** The stripped file in pieces; undefined when it can stay as it is. The file must be proved to be of the type. */
export function planStrip(type: MediaType, file: FileBytes): Piece[] | undefined {
  const edits = editors[type]?.(readWithinBudget(file));
  return edits === undefined || edits.length === 0 ? undefined : toPieces(edits, file.size);
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
