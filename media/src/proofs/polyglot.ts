// Finds polyglots: proved files that an unpacker or a PDF reader would also open as its own format.
import type { FileBytes, MediaType } from '../media-type.ts';
import { endsLikeZip } from './archives/zip-end.ts';
import { archiveMarks, commonSigns, lenientMarks, type Marks, objectMarks } from './marks.ts';
import { sharedScan } from './scan/choose-scan.ts';

/** Strict PDF readers accept the header here, with any version. */
const strictBytes = 1_024;
const headerMark = '%PDF-';
const archiveBytes = 8 * 2 ** 20;
const pieceBytes = 65_536;
/** No mark is longer, so none is missed where pieces meet. */
const overlapBytes = 16;
/** So many places of a piece are looked at one by one. Chance makes five of them. */
const mostPlaces = 64;

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
    if (!mayHaveSign(piece)) continue;
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

/** One look for all signs together. It may be wrong only if it says yes. */
function mayHaveSign(piece: Buffer): boolean {
  const scan = sharedScan();
  piece.copy(scan.bytes);
  scan.endPiece(piece.length);
  let places = 0;
  for (let at = scan.findSign(0, piece.length); at !== undefined; at = scan.findSign(at + 1, piece.length)) {
    places += 1;
    if (places > mostPlaces || beginsSign(scan.bytes, at)) return true;
  }
  return false;
}

/** No sign is shorter than three bytes, and chance hardly ever makes three. */
function beginsSign(bytes: Buffer, at: number): boolean {
  for (const sign of commonSigns)
    if (bytes[at] === sign[0] && bytes[at + 1] === sign[1] && bytes[at + 2] === sign[2]) return true;
  return false;
}

/** No mark makes the search look at a byte more than a few times. */
function hasMark(piece: Buffer, { signs, pattern }: Marks): boolean {
  return signs.some((sign) => piece.includes(sign)) && pattern.test(piece.toString('latin1'));
}
