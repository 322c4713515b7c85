// Finds polyglots: proved files that an unpacker or a PDF reader would also open as its own format.
import type { FileBytes, MediaType } from '../media-type.ts';
import { endsLikeZip } from './zip-end.ts';

/** `signs`: bytes of which at least one is in every mark. Searching for them is far quicker than the pattern, and finds hardly ever one. */
type Marks = { readonly signs: readonly Buffer[]; readonly pattern: RegExp };

/** Strict PDF readers accept the header here, with any version. */
const strictBytes = 1_024;
const headerMark = '%PDF-';
/**
 * Unpackers look for these marks behind a program that unpacks itself: RAR in the first 1 MiB, 7-Zip and ZIP in the first 8 MiB. Of ZIP, a
 * version, flags and a method follow the mark.
 */
const archiveMarks: Marks = {
  signs: signsOf('Rar!\x1a\x07', "7z\xbc\xaf'\x1c", 'PK\x03\x04'),
  pattern: /Rar!\x1a\x07|7z\xbc\xaf'\x1c|PK\x03\x04[\0-?][\0-\x7f]..[\0-c]\0/s,
};
const archiveBytes = 8 * 2 ** 20;
/**
 * Lenient readers accept a header anywhere, or none at all if there is a table of objects. A version, or the beginning of a dictionary, keeps
 * chance and the trailers of films out. White space may reach beyond the piece.
 */
const lenientMarks: Marks = {
  signs: signsOf('%PDF-', 'startx', 'traile'),
  pattern: /%PDF-\d|startxref|trailer[\0\t\n\f\r ]*(?:<<|%|$)/,
};
/** Before the word are its numbers. Any white space and comments may stand between them, so only the byte next to the word is looked at. */
const objectMarks: Marks = {
  signs: signsOf('obj', '%%EOF'),
  pattern: /[\0\t\n\f\r \d]obj[\0\t\n\f\r ()<>[\]{}/%]|%%EOF/,
};
const pieceBytes = 65_536;
/** No mark is longer, so none is missed where pieces meet. */
const overlapBytes = 16;

/** Not for archives and text: they may contain a whole PDF, and no reader opens them as one. */
export function findPolyglot(file: FileBytes, type: MediaType): string | undefined {
  // A PDF may contain files of any format, but for an unpacker an archive at its end makes it one.
  if (endsLikeZip(file, type === 'application/pdf')) return 'also a ZIP archive';
  if (type === 'application/pdf') return undefined;
  const found = findMarks(file);
  if (found.isArchive) return 'also an archive';
  return found.hasObject && mayBePdf(file) ? 'also a PDF' : undefined;
}

/**
 * A PDF has a header or a table, and an object or an end mark in any place. Readers need nothing else: they rebuild the table of the objects.
 * The object has fewer signs, so it is looked for first.
 */
function findMarks(file: FileBytes): { isArchive: boolean; hasObject: boolean } {
  let hasObject = false;
  for (const { start, piece } of piecesOf(file)) {
    if (start < archiveBytes && hasMark(piece.subarray(0, archiveBytes - start), archiveMarks))
      return { isArchive: true, hasObject };
    hasObject ||= hasMark(piece, objectMarks);
  }
  return { isArchive: false, hasObject };
}

function mayBePdf(file: FileBytes): boolean {
  if (file.read(0, strictBytes + headerMark.length - 1).includes(headerMark, 0, 'latin1')) return true;
  for (const { piece } of piecesOf(file)) if (hasMark(piece, lenientMarks)) return true;
  return false;
}

function* piecesOf(file: FileBytes): Iterable<{ readonly start: number; readonly piece: Buffer }> {
  for (let start = 0; start < file.size; start += pieceBytes)
    yield { start, piece: file.read(start, Math.min(pieceBytes + overlapBytes, file.size - start)) };
}

/** No mark makes the search look at a byte more than a few times. */
function hasMark(piece: Buffer, { signs, pattern }: Marks): boolean {
  return signs.some((sign) => piece.includes(sign)) && pattern.test(piece.toString('latin1'));
}

function signsOf(...signs: readonly string[]): Buffer[] {
  return signs.map((sign) => Buffer.from(sign, 'latin1'));
}
