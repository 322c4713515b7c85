// Reads one cross-reference section of a PDF (a table with its trailer, or a stream) and checks that it fits the file.
import type { FileBytes } from '../../media-type.ts';

/** Consecutive rows of a table, for objects `first` to `first + count - 1`. */
export type XrefRun = { first: number; count: number; position: number; rowBytes: number };

type XrefSection = { runs: XrefRun[]; root: number | undefined; previous: number | undefined };

const maxObjects = 2_000_000;
/** Some writers add an empty run to a section that lists no objects. */
const maxEmptyRuns = 8;
const rowsAtOnce = 2_000;
const space = 0x20;
const inUse = 0x6e;
const free = 0x66;
const dictionaryBytes = [1_024, 65_536];

/** A string describes the defect. */
export function readXrefSection(file: FileBytes, offset: number, mostRuns: number): XrefSection | string {
  if (offset >= file.size) return 'cross-reference offset outside the file';
  const opening = file.read(offset, 64).toString('latin1');
  const table = /^[\0\t\n\f\r ]{0,4}xref(?=[\0\t\n\f\r ])/.exec(opening);
  if (table !== null) return readTable(file, offset + table[0].length, mostRuns);
  if (/^[\0\t\n\f\r ]{0,4}\d+[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+obj/.test(opening)) return readStream(file, offset);
  return 'no cross-reference section where the file says';
}

function readTable(file: FileBytes, start: number, mostRuns: number): XrefSection | string {
  const runs: XrefRun[] = [];
  let position = start;
  let objects = 0;
  let emptyRuns = 0;
  while (runs.length <= mostRuns && emptyRuns <= maxEmptyRuns) {
    const line = file.read(position, 64).toString('latin1');
    const trailer = /^[\0\t\n\f\r ]*trailer/.exec(line);
    if (trailer !== null) return readTrailer(file, position + trailer[0].length, runs);
    const header = /^[\0\t\n\f\r ]*(\d{1,10}) +(\d{1,10})[ \r\n]+/.exec(line);
    if (header === null) return 'broken cross-reference table';
    const run = readRun(file, Number(header[1]), Number(header[2]), position + header[0].length);
    objects += run.count;
    if (run.count === 0) emptyRuns += 1;
    if (objects > maxObjects) return 'too many objects';
    if (!isRunValid(file, run)) return 'broken cross-reference rows';
    runs.push(run);
    position = run.position + run.count * run.rowBytes;
  }
  return 'too many cross-reference runs';
}

function readRun(file: FileBytes, first: number, count: number, position: number): XrefRun {
  const row = file.read(position, 20).toString('latin1');
  // Some writers end a row with a bare line feed, one byte shorter than the standard requires.
  return { first, count, position, rowBytes: /[\r\n][\dt]$/.test(row) ? 19 : 20 };
}

function isRunValid(file: FileBytes, run: XrefRun): boolean {
  const end = run.position + run.count * run.rowBytes;
  if (end > file.size) return false;
  let position = run.position;
  while (position < end) {
    const length = Math.min(rowsAtOnce * run.rowBytes, end - position);
    const rows = file.read(position, length);
    for (let at = 0; at < rows.length; at += run.rowBytes) {
      if (!isRowValid(rows, at, run.rowBytes, file.size)) return false;
    }
    position += length;
  }
  return true;
}

/** A row is `nnnnnnnnnn ggggg n` (or `f`) and one or two bytes of white space. */
function isRowValid(rows: Buffer, at: number, rowBytes: number, fileSize: number): boolean {
  let offset = 0;
  for (let index = 0; index < 16; index++) {
    const digit = (rows[at + index] ?? 0) - 0x30;
    if (index === 10 ? digit !== space - 0x30 : digit < 0 || digit > 9) return false;
    if (index < 10) offset = offset * 10 + digit;
  }
  const kind = rows[at + 17];
  if (rows[at + 16] !== space || (kind !== inUse && kind !== free)) return false;
  for (let index = at + 18; index < at + rowBytes; index++) {
    const end = rows[index];
    if (end !== space && end !== 0x0d && end !== 0x0a) return false;
  }
  return kind === free || offset < fileSize;
}

function readTrailer(file: FileBytes, position: number, runs: XrefRun[]): XrefSection | string {
  const dictionary = readUpTo(file, position, /startxref/)?.text;
  if (dictionary === undefined) return 'trailer without an end';
  if (!/^[\0\t\n\f\r ]*<</.test(dictionary) || !dictionary.includes('>>')) return 'no trailer dictionary';
  return readDictionary(file, dictionary, runs);
}

function readStream(file: FileBytes, position: number): XrefSection | string {
  const found = readUpTo(file, position, /stream\r?\n/);
  if (found === undefined) return 'cross-reference stream without data';
  const { text: dictionary, end } = found;
  if (!/\/Type[\0\t\n\f\r ]*\/XRef\b/.test(dictionary)) return 'not a cross-reference stream';
  const length = numberOf(dictionary, 'Length');
  if (length === undefined) return 'cross-reference stream without a length';
  const after = file.read(end + length, 16);
  if (!/^[\r\n ]{0,2}endstream/.test(after.toString('latin1'))) return 'cross-reference stream with a wrong length';
  return readDictionary(file, dictionary, []);
}

/** Returns the text before the mark, and the position after it. Most dictionaries are short, so it first reads a small piece. */
function readUpTo(file: FileBytes, position: number, mark: RegExp): { text: string; end: number } | undefined {
  for (const length of dictionaryBytes) {
    const text = file.read(position, length).toString('latin1');
    const found = mark.exec(text);
    if (found !== null) return { text: text.slice(0, found.index), end: position + found.index + found[0].length };
  }
  return undefined;
}

function readDictionary(file: FileBytes, dictionary: string, runs: XrefRun[]): XrefSection | string {
  const previous = numberOf(dictionary, 'Prev');
  const hybrid = numberOf(dictionary, 'XRefStm') ?? 0;
  if (hybrid >= file.size || (previous ?? 0) >= file.size) return 'cross-reference offset outside the file';
  const root = /\/Root[\0\t\n\f\r ]+(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+R/.exec(dictionary)?.[1];
  // Without an earlier section, some writers set 0 instead of omitting the key.
  return { runs, root: root === undefined ? undefined : Number(root), previous: previous === 0 ? undefined : previous };
}

function numberOf(dictionary: string, key: string): number | undefined {
  const text = new RegExp(`/${key}[\\0\\t\\n\\f\\r ]+(\\d{1,10})(?![\\d])`).exec(dictionary)?.[1];
  return text === undefined ? undefined : Number(text);
}
