// Builds small PDF files: objects, cross-reference tables and streams, trailers.
import { joined, type Part } from './media-files.ts';

export const pdfHead = '%PDF-1.4\n';
export const catalogue = '1 0 obj\n<</Type/Catalog>>\nendobj\n';

/** A row of a table: an object in use at an offset, or a free one. */
export function row(offset: number, kind: 'n' | 'f' = 'n', end = ' \n'): string {
  return `${String(offset).padStart(10, '0')} 00000 ${kind}${end}`;
}

/** Two rows: none for object 0, and the catalogue behind the header. */
export const plainRows = `0 2\n${row(0, 'f')}${row(pdfHead.length)}`;

export function table(runs: string, dictionary = '/Root 1 0 R'): string {
  return `xref\n${runs}trailer\n<<${dictionary}>>\n`;
}

/** A cross-reference stream. Its data are as long as it says, or not. */
export function stream(dictionary = '/Root 1 0 R', data = 'data', length = data.length): string {
  return `7 0 obj\n<</Type /XRef /Length ${length} ${dictionary}>>\nstream\n${data}\nendstream\nendobj\n`;
}

/** A document whose last section is this one, behind other parts. */
export function pdf(
  section: string,
  {
    before = '',
    head = pdfHead,
    gap = '\n',
    end = '\n%%EOF\n',
  }: { before?: Part; head?: string; gap?: string; end?: string } = {},
): Buffer {
  const start = joined(head, catalogue, before);
  return joined(start, section, `startxref${gap}${start.length}`, end);
}

export const plainPdf = pdf(table(plainRows));
