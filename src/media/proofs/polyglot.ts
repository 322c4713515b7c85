// Finds polyglots: proved files that an unpacker or a PDF reader would also open as its own format.
import type { FileBytes, MediaType } from '../media-type.ts';
import { endsLikeZip } from './zip-end.ts';

/** Strict PDF readers accept the header here, with any version. */
const strictBytes = 1_024;
const headerMark = '%PDF-';
/**
 * Unpackers look for these marks behind a program that unpacks itself: RAR in the first 1 MiB, 7-Zip and ZIP in the first 8 MiB. Of ZIP, a
 * version, flags and a method follow the mark.
 */
const archiveMarks = /Rar!\x1a\x07|7z\xbc\xaf'\x1c|PK\x03\x04[\0-?][\0-\x7f]..[\0-c]\0/s;
const archiveBytes = 8 * 2 ** 20;
/**
 * Lenient readers accept a header anywhere, or none at all if there is a table of objects. A version, or the beginning of a dictionary, keeps
 * chance and the trailers of films out. White space may reach beyond the piece.
 */
const lenientMarks = /%PDF-\d|startxref|trailer[\0\t\n\f\r ]*(?:<<|%|$)/;
/** Before the word are its numbers. Any white space and comments may stand between them, so only the byte next to the word is looked at. */
const objectMarks = /[\0\t\n\f\r \d]obj[\0\t\n\f\r ()<>[\]{}/%]|%%EOF/;
const pieceBytes = 65_536;
/** No mark is longer, so none is missed where pieces meet. */
const overlapBytes = 16;

/** Not for archives and text: they may contain a whole PDF, and no reader opens them as one. */
export function findPolyglot(file: FileBytes, type: MediaType): string | undefined {
  // A PDF may contain files of any format, but for an unpacker an archive at its end makes it one.
  if (endsLikeZip(file, type === 'application/pdf')) return 'also a ZIP archive';
  if (type === 'application/pdf') return undefined;
  if (hasMark(file, archiveMarks, archiveBytes)) return 'also an archive';
  return hidesPdf(file) ? 'also a PDF' : undefined;
}

/** A header or a table, and an object or an end mark in any place. Readers need nothing else: they rebuild the table of the objects. */
function hidesPdf(file: FileBytes): boolean {
  const isStrict = file.read(0, strictBytes + headerMark.length - 1).includes(headerMark, 0, 'latin1');
  return (isStrict || hasMark(file, lenientMarks)) && hasMark(file, objectMarks);
}

/** Whether a mark is in the file, before `to`. No mark makes the search look at a byte more than a few times. */
function hasMark(file: FileBytes, marks: RegExp, to = file.size): boolean {
  const end = Math.min(to, file.size);
  for (let start = 0; start < end; start += pieceBytes) {
    const piece = file.read(start, Math.min(pieceBytes + overlapBytes, end - start));
    if (marks.test(piece.toString('latin1'))) return true;
  }
  return false;
}
