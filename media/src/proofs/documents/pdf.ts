// Proves a PDF: header, every cross-reference section, the catalogue, and the end mark at the end of the file.
import type { FileBytes } from '../../media-type.ts';
import { type Objection, type Proof, proved, refused } from '../../proof.ts';
import { hasActiveMarkup } from '../text/active-markup.ts';
import { readXrefSection, type XrefRun } from './pdf-xref.ts';

const headBytes = 1_024;
const maxSections = 1_024;
/** For all sections together. */
const maxRuns = 100_000;
/** White space or NUL behind the end mark. Some writers fill up a block; readers look for the mark near the end. */
const maxPaddingBytes = 65_536;
const whiteSpace = new Set(Buffer.from('\0\t\n\f\r '));
// Version numbers that do not exist yet are harmless: readers decide by what the file uses.
const version = /^%PDF-[12]\.\d(?!\d)/;
const ending = /startxref[\0\t\n\f\r ]+(\d{1,10})[\0\t\n\f\r ]+%%EOF$/;

export function provePdf(file: FileBytes): Proof | undefined {
  const head = file.read(0, headBytes);
  if (head.toString('latin1', 0, 5) !== '%PDF-') return undefined;
  const objection = objectionToHead(head) ?? bodyDefect(file);
  return objection === undefined ? proved('application/pdf') : refused('application/pdf', objection);
}

function objectionToHead(head: Buffer): Objection | undefined {
  if (!version.test(head.toString('latin1'))) return 'unknown PDF version';
  const firstObject = head.indexOf(' obj');
  // Refuses an HTML page hidden after the header. Markup inside objects (XMP) is part of the document.
  if (hasActiveMarkup(firstObject < 0 ? head : head.subarray(0, firstObject))) return { rule: 'hidden-file' };
  return undefined;
}

/** The last kibibyte before the padding. */
function readEnding(file: FileBytes): string {
  const tail = file.read(Math.max(0, file.size - maxPaddingBytes - headBytes), maxPaddingBytes + headBytes);
  const end = tail.findLastIndex((byte) => !whiteSpace.has(byte)) + 1;
  if (tail.length - end > maxPaddingBytes) return '';
  return tail.toString('latin1', Math.max(0, end - headBytes), end);
}

function bodyDefect(file: FileBytes): string | undefined {
  const offset = ending.exec(readEnding(file))?.[1];
  if (offset === undefined) return 'does not end with startxref and %%EOF';
  const runs: XrefRun[] = [];
  const seen = new Set<number>();
  let next: number | undefined = Number(offset);
  let root: number | undefined;
  while (next !== undefined) {
    if (seen.has(next) || seen.size === maxSections) return 'cross-reference sections in a loop';
    seen.add(next);
    const section = readXrefSection(file, next, maxRuns - runs.length);
    if (typeof section === 'string') return section;
    for (const run of section.runs) runs.push(run);
    root ??= section.root;
    next = section.previous;
  }
  return root === undefined ? 'no catalogue' : rootDefect(file, root, runs);
}

/** The newest table that lists the catalogue must point to it. A catalogue that only a stream lists is not checked. */
function rootDefect(file: FileBytes, root: number, runs: readonly XrefRun[]): string | undefined {
  const run = runs.find(({ first, count }) => root >= first && root < first + count);
  if (run === undefined) return undefined;
  const row = file.read(run.position + (root - run.first) * run.rowBytes, 18).toString('latin1');
  const at = file.read(Number(row.slice(0, 10)), 40).toString('latin1');
  const isObject = row.endsWith('n') && /^[\0\t\n\f\r ]*\d+[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+obj/.test(at);
  return isObject ? undefined : 'the catalogue is not where the table says';
}
