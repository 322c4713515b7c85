// Finds polyglots: proved files that an unpacker or a PDF reader would also open as its own format.
import type { FileBytes, MediaType } from '../media-type.ts';
import { endsLikeZip } from './zip-end.ts';

// PDF readers accept the header in the first 1,024 bytes and the end mark in the last 1,024.
const lenientBytes = 1_024;

/** Not for archives and text: they may contain a whole PDF, and no reader opens them as one. */
export function findPolyglot(file: FileBytes, type: MediaType): string | undefined {
  if (endsLikeZip(file, type === 'application/pdf')) return 'also a ZIP archive';
  if (type === 'application/pdf') return undefined;
  const head = file.read(0, lenientBytes + 5);
  const tail = file.read(Math.max(0, file.size - lenientBytes), lenientBytes);
  return head.includes('%PDF-') && tail.includes('%%EOF') ? 'also a PDF' : undefined;
}
