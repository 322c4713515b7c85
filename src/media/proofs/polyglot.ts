// Finds a second face: a proved file that an unpacker or a PDF reader would also open as theirs.
import type { FileBytes, MediaType } from '../media-type.ts';
import { endsLikeZip } from './zip-end.ts';

// PDF readers look for the header and the end mark in this many bytes, not only at the edges.
const lenientBytes = 1_024;

/** Not for archives and text, which may hold a whole PDF and still be nothing else to who opens them. */
export function findPolyglot(file: FileBytes, type: MediaType): string | undefined {
  if (endsLikeZip(file, type === 'application/pdf')) return 'also a ZIP archive';
  if (type === 'application/pdf') return undefined;
  const head = file.read(0, lenientBytes + 5);
  const tail = file.read(Math.max(0, file.size - lenientBytes), lenientBytes);
  return head.includes('%PDF-') && tail.includes('%%EOF') ? 'also a PDF' : undefined;
}
