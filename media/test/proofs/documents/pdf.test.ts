// A PDF: a known version, no page before the first object, an end mark at the end, and sections that lead to the catalogue.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, type Objection, proved, refused } from '../../../src/proof.ts';
import { provePdf } from '../../../src/proofs/documents/pdf.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/assert-proofs.ts';
import { fixture, fixtures, joined } from '../../helpers/media-files.ts';
import { catalogue, pdf, pdfHead, plainPdf, plainRows, row, stream, table } from '../../helpers/pdf-builder.ts';

const isProved = proved('application/pdf');

function versioned(version: string): Buffer {
  return joined('%PDF-', version, plainPdf.subarray('%PDF-1.4'.length));
}

describe('a whole PDF', () => {
  for (const { name, bytes } of fixtures().filter(({ type }) => type === 'application/pdf')) {
    it(`a PDF of a real program is proved: ${name}`, () => assert.deepEqual(proofOf(provePdf, bytes), isProved));
  }

  it('a PDF is proved of the versions 1.0 to 2.9, and of no other', () => {
    for (const version of ['1.0', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '1.7', '1.8', '2.0', '2.1'])
      assert.deepEqual(proofOf(provePdf, versioned(version)), isProved, version);
    for (const version of ['0.9', '1.10', '3.0', '9.7', '1,4', '1x4', 'abc'])
      assert.deepEqual(
        proofOf(provePdf, versioned(version)),
        corrupt('application/pdf', 'unknown PDF version'),
        version,
      );
  });

  const older = (rows: string) => `${table(rows)}startxref\n0\n%%EOF\n`;
  const olderAt = joined(pdfHead, catalogue).length;
  const longHead = `${pdfHead}%${'x'.repeat(1_024)}<script>\n`;
  for (const [what, bytes] of [
    ['a table', plainPdf],
    ['a stream', pdf(stream())],
    ['a catalogue that only a stream lists', pdf(stream('/Root 99 0 R'))],
    ['two line ends behind the end mark', pdf(table(plainRows), { end: '\n%%EOF\r\n' })],
    ['three line ends behind the end mark', joined(plainPdf, '\r\n\r\n')],
    ['NUL behind the end mark', joined(plainPdf, Buffer.alloc(2_000))],
    ['all white space behind the end mark', joined(plainPdf, '\0\t\n\f\r ')],
    // One byte of it is the line end that is already there.
    ['65,536 bytes of white space behind the end mark', joined(plainPdf, Buffer.alloc(65_535))],
    ['a version followed by other bytes', pdf(table(plainRows), { head: '%PDF-1.4\xe2' })],
    ['no line end behind the end mark', pdf(table(plainRows), { end: '\n%%EOF' })],
    ['blanks around the offset', pdf(table(plainRows), { end: '\r\n\t %%EOF\n' })],
    ['a version followed by a carriage return', pdf(table(plainRows), { head: '%PDF-1.4\r' })],
    ['a version followed by a comment', pdf(table(plainRows), { head: '%PDF-1.4%' })],
    ['an older section', pdf(table('0 0\n', `/Root 1 0 R/Prev ${olderAt}`), { before: older(plainRows) })],
    [
      'a catalogue that only the older section names',
      pdf(table('0 0\n', `/Prev ${olderAt}`), { before: older(plainRows) }),
    ],
    [
      'a catalogue that the newer section moves',
      pdf(table(plainRows, `/Root 1 0 R/Prev ${olderAt}`), { before: older(`0 2\n${row(0, 'f')}${row(5)}`) }),
    ],
    ['a catalogue behind blanks', pdf(table(`0 2\n${row(0, 'f')}${row(pdfHead.length - 1)}`))],
    ['blanks before the offset', pdf(table(plainRows), { gap: ' \r\n' })],
    ['a catalogue that no section lists', pdf(table(plainRows, '/Root 2 0 R'))],
    [
      'a catalogue in an odd notation',
      pdf(table(`0 2\n${row(0, 'f')}${row(olderAt)}`), { before: '17 \n12\t\r\nobj\n<<>>\nendobj\n' }),
    ],
    ['a catalogue in a later run', pdf(table(`5 1\n${row(0)}1 1\n${row(pdfHead.length)}`))],
    ['markup inside an object', pdf(table(plainRows), { before: '2 0 obj\n<script>alert(1)</script>\nendobj\n' })],
    ['markup behind the first kibibyte', pdf(table(`0 2\n${row(0, 'f')}${row(longHead.length)}`), { head: longHead })],
  ] as [string, Buffer][]) {
    it(`a PDF is proved: ${what}`, () => assert.deepEqual(proofOf(provePdf, bytes), isProved));
  }
});

describe('a broken PDF', () => {
  const hidden: Objection = { rule: 'hidden-file' };
  const noEnd = 'does not end with startxref and %%EOF';
  const nowhere = 'the catalogue is not where the table says';
  const at = joined(pdfHead, catalogue).length;
  const oldAt = (rows: string) =>
    pdf(table('0 0\n', `/Root 1 0 R/Prev ${at}`), { before: `${table(rows)}startxref\n0\n%%EOF\n` });
  for (const [what, bytes, reason] of [
    ['nothing but a header', joined('%PDF-1.7\n'), noEnd],
    ['a header that ends with its version', joined('%PDF-1.4'), noEnd],
    ['a page behind the header', pdf(table(plainRows), { head: `${pdfHead}<html><body onload=x>` }), hidden],
    ['a tag as the last word', joined('%PDF-1.4\n<script'), hidden],
    ['an unknown version before a known one', joined('%PDF-9.9 %PDF-1.4 '), 'unknown PDF version'],
    ['a page that is all of the header', joined('%PDF-1.4\n<script>alert(1)</script>'), hidden],
    ['a tag cut by the first object', joined('%PDF-1.4\n<script obj'), hidden],
    ['65,536 bytes of white space and a byte behind the end mark', joined(plainPdf, Buffer.alloc(65_536)), noEnd],
    ['words behind white space', joined(plainPdf, Buffer.alloc(100), 'words', Buffer.alloc(100)), noEnd],
    ['an end mark of another format behind white space', joined(plainPdf, '\n\n\v'), noEnd],
    ['words behind the end mark', joined(plainPdf, 'words'), noEnd],
    ['no end mark', pdf(table(plainRows), { end: '\n' }), noEnd],
    ['no offset', joined(pdfHead, catalogue, table(plainRows), 'startxref\n%%EOF\n'), noEnd],
    ['an offset of 11 digits', joined(pdfHead, catalogue, table(plainRows), 'startxref\n00000000051\n%%EOF\n'), noEnd],
    [
      'an end mark more than a kibibyte behind the offset',
      joined(plainPdf.subarray(0, -6), ' '.repeat(1_024), '%%EOF\n'),
      noEnd,
    ],
    [
      'an offset outside the file',
      joined(pdfHead, catalogue, table(plainRows), 'startxref\n9999\n%%EOF\n'),
      'cross-reference offset outside the file',
    ],
    [
      'an offset into an object',
      joined(pdfHead, catalogue, table(plainRows), 'startxref\n12\n%%EOF\n'),
      'no cross-reference section where the file says',
    ],
    [
      'a section that follows itself',
      pdf(table(plainRows, `/Root 1 0 R/Prev ${at}`)),
      'cross-reference sections in a loop',
    ],
    [
      'a broken older section',
      pdf(table(plainRows, '/Root 1 0 R/Prev 12')),
      'no cross-reference section where the file says',
    ],
    ['no catalogue', pdf(table(plainRows, '/Size 2')), 'no catalogue'],
    ['a free catalogue', pdf(table(plainRows, '/Root 0 0 R')), nowhere],
    ['a catalogue that is marked as free', pdf(table(`0 2\n${row(0, 'f')}${row(pdfHead.length, 'f')}`)), nowhere],
    ['a catalogue that is not an object', pdf(table(`0 2\n${row(0, 'f')}${row(0)}`)), nowhere],
    ['a catalogue in the middle of an object', pdf(table(`0 2\n${row(0, 'f')}${row(pdfHead.length + 9)}`)), nowhere],
    ['a catalogue in an older section that is not where it says', oldAt(`0 2\n${row(0, 'f')}${row(0)}`), nowhere],
    [
      'a newer section that moves the catalogue away',
      pdf(table(`1 1\n${row(0)}`, `/Root 1 0 R/Prev ${at}`), { before: `${table(plainRows)}startxref\n0\n%%EOF\n` }),
      nowhere,
    ],
  ] as const) {
    it(`a PDF is refused: ${what}`, () =>
      assert.deepEqual(proofOf(provePdf, bytes), refused('application/pdf', reason)));
  }

  it('a PDF is proved with 1,024 sections, and with no section more', () => {
    const of = (count: number) => {
      const parts = [pdfHead, catalogue, '          '];
      let at = joined(...parts).length;
      let previous = '';
      for (let index = 0; index < count; index++) {
        const section = `${table('0 0\n', `/Root 1 0 R${previous}`)}startxref\n`;
        parts.push(section);
        previous = `/Prev ${at}`;
        at += section.length;
      }
      return joined(...parts, `${previous.slice(6)}\n%%EOF\n`);
    };
    assert.deepEqual(proofOf(provePdf, of(1_024)), isProved);
    assert.deepEqual(proofOf(provePdf, of(1_025)), corrupt('application/pdf', 'cross-reference sections in a loop'));
  });

  it('a PDF is refused when it is cut anywhere but behind its end mark', () => {
    assertNoCutIsProved(provePdf, plainPdf, (length) => length === plainPdf.length - 1);
    assertNoCutIsProved(provePdf, pdf(stream()), (length) => length === pdf(stream()).length - 1);
    assertNoCutIsProved(provePdf, fixture('cairo.pdf'), (length, { length: whole }) => length === whole - 1);
  });

  it('a PDF is proved or refused, in a bounded number of reads, when bytes are damaged', () => {
    assertDamageIsBounded(provePdf, plainPdf);
    assertDamageIsBounded(provePdf, pdf(stream('/Root 1 0 R')));
  });
});

describe('another file', () => {
  for (const [what, bytes] of [
    ['an empty file', Buffer.alloc(0)],
    ['a byte before the header', joined(' ', plainPdf)],
    ['a page before the header', joined('<html>', plainPdf)],
    ['half a header', joined('%PDF')],
  ] as const) {
    it(`a file is not taken for a PDF: ${what}`, () => assert.equal(proofOf(provePdf, bytes), undefined));
  }
});
