// Proves a PDF: header, every cross-reference section, the catalogue, and the end mark at the end of the file.
import { corrupt, type FileBytes, type Proof, proved } from '../media-type.ts';
import { readXrefSection, type XrefRun } from './pdf-xref.ts';
import { hasActiveMarkup } from './text.ts';

const headBytes = 1_024;
const maxSections = 1_024;
/** For all sections together. */
const maxRuns = 100_000;
const version = /^%PDF-(?:1\.[0-7]|2\.0)[\0\t\n\f\r %]/;
const ending = /startxref[\0\t\n\f\r ]+(\d{1,10})[\0\t\n\f\r ]+%%EOF[\t\n\r ]{0,2}$/;

export function provePdf(file: FileBytes): Proof | undefined {
  const head = file.read(0, headBytes);
  if (head.toString('latin1', 0, 5) !== '%PDF-') return undefined;
  const defect = headDefect(head) ?? bodyDefect(file);
  return defect === undefined ? proved('application/pdf') : corrupt('application/pdf', defect);
}

function headDefect(head: Buffer): string | undefined {
  if (!version.test(head.toString('latin1'))) return 'unknown PDF version';
  const firstObject = head.indexOf(' obj');
  // Refuses an HTML page hidden after the header. Markup inside objects (XMP) is part of the document.
  if (hasActiveMarkup(firstObject < 0 ? head : head.subarray(0, firstObject))) return 'markup before the first object';
  return undefined;
}

function bodyDefect(file: FileBytes): string | undefined {
  const tail = file.read(Math.max(0, file.size - headBytes), headBytes);
  const offset = ending.exec(tail.toString('latin1'))?.[1];
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
