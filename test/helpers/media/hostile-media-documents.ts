// Hostile PDF files: moved headers and ends, false cross-references, disguised archives and pages.
import type { HostileFile } from './hostile-media.ts';
import { buildZip } from './media-builders.ts';
import { fixture, joined, patched, replaced, u16le } from './media-files.ts';

type Case = [string, Buffer, RegExp | 'unknown'];

const pdf = fixture('ghostscript.pdf');
const xrefAt = pdf.lastIndexOf('xref\n0');
const stated = `startxref\n${xrefAt}\n`;

export function hostileDocuments(): HostileFile[] {
  const cases = [...spoiltEdges(), ...spoiltTables()];
  return cases.map(([name, bytes, refusal]) => ({ name: `PDF: ${name}`, bytes, refusal }));
}

function spoiltEdges(): Case[] {
  const linear = fixture('qpdf-linearized.pdf');
  const firstEnd = linear.indexOf('%%EOF') + 6;
  return [
    ['a byte before the header', joined(' ', pdf), 'unknown'],
    ['a page before the header', joined('<html><script>1</script>', pdf), 'unknown'],
    ['a version of the future', replaced(pdf, '%PDF-1.7', '%PDF-9.7'), /version/],
    ['a page behind the header', joined('%PDF-1.4\n<html><body onload=x>', pdf), /markup/],
    ['nothing but a header', joined('%PDF-1.7\n'), /does not end/],
    ['a line too many', joined(pdf, '\n\n\n'), /does not end/],
    ['words after the end', joined(pdf, 'words'), /does not end/],
    ['an archive after the end', joined(pdf, buildZip([{ name: 'a', content: 'x' }])), /does not end/],
    ['an archive that ends with the document', zipInside(), /also a ZIP/],
    ['cut in the middle', pdf.subarray(0, pdf.length >> 1), /does not end/],
    ['a linearised file cut at its first end', linear.subarray(0, firstEnd), /section where/],
    ['startxref outside the file', replaced(pdf, stated, 'startxref\n9999999\n'), /outside/],
    ['startxref into an object', replaced(pdf, stated, 'startxref\n20\n'), /section where/],
  ];
}

function spoiltTables(): Case[] {
  const streamed = fixture('pdf-lib.pdf');
  const far = Buffer.from(pdf).fill('9', xrefAt + 29, xrefAt + 39);
  return [
    ['a table that follows itself', replaced(pdf, '/Root', `/Prev ${xrefAt} /Root`), /loop/],
    ['an earlier table outside the file', replaced(pdf, '/Root', '/Prev 99999999 /Root'), /outside/],
    ['no catalogue', replaced(pdf, '/Root', '/Rood'), /no catalogue/],
    ['a catalogue that is not an object', replaced(pdf, '/Root 1 0 R', '/Root 0 0 R'), /not where/],
    ['more rows announced than there are', replaced(pdf, 'xref\n0 ', 'xref\n0 9'), /rows/],
    ['a hundred million rows', replaced(pdf, 'xref\n0 ', 'xref\n0 99999999'), /too many|rows/],
    ['rows of letters', replaced(pdf, '0000000000 65535 f', 'ooooooooooo65535 f'), /rows/],
    ['an object outside the file', far, /rows/],
    ['no trailer', replaced(pdf, 'trailer', 'tralier'), /table/],
    ['a stream of another length', spoiltLength(streamed), /length/],
    ['a stream that is not a cross-reference', replaced(streamed, '/XRef', '/XReg'), /not a cross/],
  ];
}

/** An archive between the last object and the end mark. Its comment is the rest of the document. */
function zipInside(): Buffer {
  const rest = joined('\n', stated, '%%EOF\n');
  const at = pdf.lastIndexOf('startxref');
  const zip = buildZip([{ name: 'evil.txt', content: 'x' }]);
  u16le(rest.length).copy(zip, zip.length - 2);
  return joined(pdf.subarray(0, at), '%', zip, rest);
}

/** The last stream of the file is its cross-reference. Only digits change, so that nothing moves. */
function spoiltLength(streamed: Buffer): Buffer {
  return patched(streamed, streamed.lastIndexOf('/Length ') + 8, '9');
}
