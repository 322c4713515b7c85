// Reads one cross-reference section of a PDF, a table with its trailer or a stream, and checks that it fits the file.
import type { ByteReader } from '../media-type.ts';

/** Rows of a table that stand together: objects `first` to `first + count - 1`. */
export type XrefRun = { first: number; count: number; position: number; rowBytes: number };

export type XrefSection = { runs: XrefRun[]; root: number | undefined; previous: number | undefined };

const maxObjects = 2_000_000;
const maxRuns = 100_000;
const rowsAtOnce = 2_000;
const dictionaryBytes = 65_536;

/** A string says what is wrong with the section. */
export async function readXrefSection(file: ByteReader, offset: number): Promise<XrefSection | string> {
  if (offset >= file.size) return 'cross-reference offset outside the file';
  const opening = (await file.read(offset, 64)).toString('latin1');
  const table = /^[\0\t\n\f\r ]{0,4}xref(?=[\0\t\n\f\r ])/.exec(opening);
  if (table !== null) return readTable(file, offset + table[0].length);
  if (/^[\0\t\n\f\r ]{0,4}\d+[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+obj/.test(opening)) return readStream(file, offset);
  return 'no cross-reference section where the file says';
}

async function readTable(file: ByteReader, start: number): Promise<XrefSection | string> {
  const runs: XrefRun[] = [];
  let position = start;
  let objects = 0;
  while (runs.length <= maxRuns) {
    const line = (await file.read(position, 64)).toString('latin1');
    const trailer = /^[\0\t\n\f\r ]*trailer/.exec(line);
    if (trailer !== null) return readTrailer(file, position + trailer[0].length, runs);
    const header = /^[\0\t\n\f\r ]*(\d{1,10}) +(\d{1,10})[ \r\n]+/.exec(line);
    if (header === null) return 'broken cross-reference table';
    const run = await readRun(file, Number(header[1]), Number(header[2]), position + header[0].length);
    objects += run.count;
    if (objects > maxObjects) return 'too many objects';
    if (!(await isRunSound(file, run))) return 'broken cross-reference rows';
    runs.push(run);
    position = run.position + run.count * run.rowBytes;
  }
  return 'too many cross-reference runs';
}

async function readRun(file: ByteReader, first: number, count: number, position: number): Promise<XrefRun> {
  const row = (await file.read(position, 20)).toString('latin1');
  // Some writers end a row with a bare line feed, one byte short of what the standard asks for.
  return { first, count, position, rowBytes: /[\r\n][\dt]$/.test(row) ? 19 : 20 };
}

async function isRunSound(file: ByteReader, run: XrefRun): Promise<boolean> {
  const end = run.position + run.count * run.rowBytes;
  if (end > file.size) return false;
  let position = run.position;
  while (position < end) {
    const length = Math.min(rowsAtOnce * run.rowBytes, end - position);
    const rows = (await file.read(position, length)).toString('latin1');
    for (let at = 0; at < rows.length; at += run.rowBytes) {
      const row = /^(\d{10}) \d{5} ([nf])[ \r\n]{1,2}$/.exec(rows.slice(at, at + run.rowBytes));
      if (row === null || (row[2] === 'n' && Number(row[1]) >= file.size)) return false;
    }
    position += length;
  }
  return true;
}

async function readTrailer(file: ByteReader, position: number, runs: XrefRun[]): Promise<XrefSection | string> {
  const bytes = await file.read(position, dictionaryBytes);
  const end = bytes.indexOf('startxref');
  if (end < 0) return 'trailer without an end';
  const dictionary = bytes.toString('latin1', 0, end);
  if (!/^[\0\t\n\f\r ]*<</.test(dictionary) || !dictionary.includes('>>')) return 'no trailer dictionary';
  return readDictionary(file, dictionary, runs);
}

async function readStream(file: ByteReader, position: number): Promise<XrefSection | string> {
  const bytes = await file.read(position, dictionaryBytes);
  const keyword = /stream\r?\n/.exec(bytes.toString('latin1'));
  if (keyword === null) return 'cross-reference stream without data';
  const dictionary = bytes.toString('latin1', 0, keyword.index);
  if (!/\/Type[\0\t\n\f\r ]*\/XRef\b/.test(dictionary)) return 'not a cross-reference stream';
  const length = numberOf(dictionary, 'Length');
  if (length === undefined) return 'cross-reference stream without a length';
  const after = await file.read(position + keyword.index + keyword[0].length + length, 16);
  if (!/^[\r\n ]{0,2}endstream/.test(after.toString('latin1'))) return 'cross-reference stream of another length';
  return readDictionary(file, dictionary, []);
}

function readDictionary(file: ByteReader, dictionary: string, runs: XrefRun[]): XrefSection | string {
  const previous = numberOf(dictionary, 'Prev');
  const hybrid = numberOf(dictionary, 'XRefStm') ?? 0;
  if (hybrid >= file.size || (previous ?? 0) >= file.size) return 'cross-reference offset outside the file';
  const root = /\/Root[\0\t\n\f\r ]+(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+R/.exec(dictionary)?.[1];
  // Writers that know of no earlier section sometimes say 0 where they should say nothing.
  return { runs, root: root === undefined ? undefined : Number(root), previous: previous === 0 ? undefined : previous };
}

function numberOf(dictionary: string, key: string): number | undefined {
  const text = new RegExp(`/${key}[\\0\\t\\n\\f\\r ]+(\\d{1,10})(?![\\d])`).exec(dictionary)?.[1];
  return text === undefined ? undefined : Number(text);
}
