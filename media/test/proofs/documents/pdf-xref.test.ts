// A cross-reference section of a PDF: a table with rows of a fixed form and a trailer, or a stream of the length it says.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readXrefSection } from '../../../src/proofs/documents/pdf-xref.ts';
import { inMemory, joined } from '../../helpers/media-files.ts';
import { plainRows, row, stream, table } from '../../helpers/pdf-builder.ts';

const before = 'some bytes before ';
const behind = 'startxref\n0\n%%EOF\n';

function read(section: string, { mostRuns = 10, more = behind, offset = before.length } = {}) {
  return readXrefSection(inMemory(joined(before, section, more)), offset, mostRuns);
}

const firstRow = before.length + 'xref\n0 2\n'.length;
const plain = { runs: [{ first: 0, count: 2, position: firstRow, rowBytes: 20 }], root: 1, previous: undefined };

describe('a cross-reference table', () => {
  for (const [what, section, expected] of [
    ['one run', table(plainRows), plain],
    [
      'up to four blanks before its mark',
      `\r\n\t ${table(plainRows)}`,
      { ...plain, runs: [{ ...plain.runs[0], position: firstRow + 4 }] },
    ],
    ['no runs', table(''), { ...plain, runs: [] }],
    [
      'rows that end with a carriage return and a line feed',
      table(`0 1\n${row(7, 'n', '\r\n')}`),
      { ...plain, runs: [{ ...plain.runs[0], count: 1 }] },
    ],
    [
      'rows that end with a line feed alone',
      table(`0 2\n${row(7, 'n', '\n')}${row(7, 'n', '\n')}`),
      { ...plain, runs: [{ ...plain.runs[0], rowBytes: 19 }] },
    ],
    [
      'one row that ends with a line feed alone',
      table(`0 1\n${row(7, 'n', '\n')}`),
      { ...plain, runs: [{ ...plain.runs[0], count: 1, rowBytes: 19 }] },
    ],
    [
      'rows that end with a carriage return alone',
      table(`0 2\n${row(7, 'n', '\r')}${row(7, 'n', '\r')}`),
      { ...plain, runs: [{ ...plain.runs[0], rowBytes: 19 }] },
    ],
    [
      'two runs',
      table(`0 1\n${row(0, 'f')}5 1\n${row(9)}`),
      {
        ...plain,
        runs: [
          { ...plain.runs[0], count: 1 },
          { first: 5, count: 1, position: firstRow + 24, rowBytes: 20 },
        ],
      },
    ],
    [
      'a run without rows',
      table(`0 0\n${plainRows}`),
      {
        ...plain,
        runs: [
          { first: 0, count: 0, position: firstRow, rowBytes: 20 },
          { ...plain.runs[0], position: firstRow + 4 },
        ],
      },
    ],
    [
      'more blanks between the numbers',
      table(`0   2 \r\n${row(0, 'f')}${row(9)}`),
      { ...plain, runs: [{ ...plain.runs[0], position: firstRow + 4 }] },
    ],
    [
      'a free object outside the file',
      table(`0 1\n${row(9_999_999_999, 'f')}`),
      { ...plain, runs: [{ ...plain.runs[0], count: 1 }] },
    ],
    [
      'a run of later objects',
      table(`10 1\n${row(9)}`),
      { ...plain, runs: [{ first: 10, count: 1, position: firstRow + 1, rowBytes: 20 }] },
    ],
    [
      'no blank before the dictionary',
      'xref\n0 0\ntrailer<</Root 1 0 R>>\n',
      { ...plain, runs: [{ first: 0, count: 0, position: firstRow, rowBytes: 20 }] },
    ],
    [
      'blanks before the dictionary',
      'xref\n0 0\ntrailer \r\n<</Root 1 0 R>>\n',
      { ...plain, runs: [{ first: 0, count: 0, position: firstRow, rowBytes: 20 }] },
    ],
    ['a catalogue in an odd notation', table(plainRows, '/Root \n12\t\r34 \0R'), { ...plain, root: 12 }],
    ['no catalogue', table(plainRows, '/Size 2'), { ...plain, root: undefined }],
    ['a catalogue with another number', table(plainRows, '/Size 2/Root\n12 3 R/Info 4 0 R'), { ...plain, root: 12 }],
    ['an earlier section', table(plainRows, '/Root 1 0 R/Prev 5'), { ...plain, previous: 5 }],
    ['no earlier section, written as 0', table(plainRows, '/Root 1 0 R/Prev 0'), plain],
    ['a stream beside it', table(plainRows, '/Root 1 0 R/XRefStm 5'), plain],
    ['a long trailer', table(plainRows, `/Root 1 0 R/Words (${'x'.repeat(50_000)})`), plain],
  ] as const) {
    it(`a table is read with ${what}`, () => assert.deepEqual(read(section), expected));
  }

  it('a table is read across the pieces in which its rows are read', () => {
    const of = (last: string) => read(table(`0 5001\n${row(9).repeat(5_000)}${last}`));
    assert.equal(typeof of(row(9)), 'object');
    assert.equal(of(row(9).replace('n', 'x')), 'broken cross-reference rows');
    const short = row(9, 'n', '\n');
    const shortRows = (last: string) => read(table(`0 5001\n${short.repeat(5_000)}${last}`));
    assert.equal(typeof shortRows(short), 'object');
    assert.equal(shortRows(short.replace('n', 'x')), 'broken cross-reference rows');
  });

  const broken = 'broken cross-reference rows';
  const notATable = 'broken cross-reference table';
  const rowOf = (text: string) => table(`0 1\n${text}`);
  for (const [what, section, reason] of [
    ['words', 'words and more words', 'no cross-reference section where the file says'],
    ['five blanks before its mark', `     ${table(plainRows)}`, 'no cross-reference section where the file says'],
    ['a longer word than its mark', 'xrefs\n0 0\ntrailer\n<<>>', 'no cross-reference section where the file says'],
    ['no numbers of a run', table('words\n'), notATable],
    ['one number of a run', table('0\n'), notATable],
    ['a run with a number of 11 digits', table('00000000000 1\n'), notATable],
    ['a run with a count of 11 digits', table('0 00000000001\n'), notATable],
    ['numbers of a run without a line end', table('0 2trailer'), notATable],
    ['no trailer', `xref\n${plainRows}tralier\n<<>>\n`, notATable],
    ['more rows than announced', table(`0 1\n${row(9)}${row(9)}`), notATable],
    ['fewer rows than announced', table(`0 2\n${row(9)}`), broken],
    ['more rows than the file has bytes', table(`0 9999\n${row(9)}`), broken],
    ['an offset with a letter', rowOf('000000000x 00000 n \n'), broken],
    ['an offset of nine digits', rowOf('000000009 00000 n  \n'), broken],
    ['a generation with a letter', rowOf('0000000009 0000x n \n'), broken],
    ['no blank behind the offset', rowOf('0000000009-00000 n \n'), broken],
    ['a digit in the place of the blank', rowOf('0000000009000000 n \n'), broken],
    ['a sign in the place of a digit', rowOf('000000000/ 00000 n \n'), broken],
    ['a colon in the place of a digit', rowOf('000000000: 00000 n \n'), broken],
    ['no blank behind the generation', rowOf('0000000009 00000-n \n'), broken],
    ['an object neither free nor in use', rowOf('0000000009 00000 x \n'), broken],
    ['a row that ends with another byte', rowOf('0000000009 00000 nx\n'), broken],
    ['a row that ends with a tab', rowOf('0000000009 00000 n \t'), broken],
    ['an object outside the file', rowOf(row(9_999_999_999)), broken],
    ['no dictionary', 'xref\n0 0\ntrailer\n/Root 1 0 R\n', 'no trailer dictionary'],
    ['a dictionary behind other words', 'xref\n0 0\ntrailer\n/Root 1 0 R <<>>\n', 'no trailer dictionary'],
    ['a dictionary without an end', 'xref\n0 0\ntrailer\n<</Root 1 0 R\n', 'no trailer dictionary'],
    [
      'an earlier section outside the file',
      table(plainRows, '/Root 1 0 R/Prev 99999'),
      'cross-reference offset outside the file',
    ],
    [
      'a stream beside it outside the file',
      table(plainRows, '/Root 1 0 R/XRefStm 99999'),
      'cross-reference offset outside the file',
    ],
  ] as const) {
    it(`a table is refused: ${what}`, () => assert.equal(read(section), reason));
  }

  it('a table is refused without an end of its trailer', () => {
    assert.equal(read(table(plainRows), { more: '' }), 'trailer without an end');
    assert.equal(read(table(plainRows, `/Words (${'x'.repeat(70_000)})`)), 'trailer without an end');
  });

  it('the rows of a table must be there, and be followed by a trailer', () => {
    assert.equal(read(`xref\n0 2\n${row(9)}`, { more: '' }), 'broken cross-reference rows');
    assert.equal(read(`xref\n0 2\n${row(9)}${row(9)}`, { more: '' }), 'broken cross-reference table');
  });

  it('an object may be at the last byte of the file, and not behind it', () => {
    const of = (offset: number) => read(rowOf(row(offset)));
    const size = joined(before, rowOf(row(0)), behind).length;
    assert.equal(typeof of(size - 1), 'object');
    assert.equal(of(size), broken);
  });

  it('an earlier section or a stream may be at the last byte of the file, and not behind it', () => {
    const of = (key: string, offset: number) => read(table(plainRows, `/Root 1 0 R/${key} ${offset}`));
    for (const key of ['Prev', 'XRefStm']) {
      const size = joined(before, table(plainRows, `/Root 1 0 R/${key} 100`), behind).length;
      assert.ok(size >= 100 && size < 1_000);
      assert.equal(typeof of(key, size - 1), 'object');
      assert.equal(of(key, size), 'cross-reference offset outside the file');
    }
  });

  it('a section is refused where the file has ended', () => {
    const size = joined(before, behind).length;
    assert.equal(read('', { offset: size }), 'cross-reference offset outside the file');
    assert.equal(read('', { offset: size - 1 }), 'no cross-reference section where the file says');
  });

  it('a table may have as many runs as the file may still have, and no run more', () => {
    const runs = (count: number) => table(`0 1\n${row(9)}`.repeat(count));
    assert.equal(typeof read(runs(3), { mostRuns: 3 }), 'object');
    assert.equal(read(runs(4), { mostRuns: 3 }), 'too many cross-reference runs');
  });

  it('runs with rows do not count as runs without rows', () =>
    assert.equal(typeof read(table(`0 1\n${row(9)}`.repeat(10))), 'object'));

  it('a table may have eight runs without rows, and no such run more', () => {
    const runs = (count: number) => table('0 0\n'.repeat(count));
    assert.equal(typeof read(runs(8)), 'object');
    assert.equal(read(runs(9)), 'too many cross-reference runs');
  });

  it('a table may have two million objects, and no object more', () => {
    assert.equal(read(table('0 2000000\n')), 'broken cross-reference rows');
    assert.equal(read(table('0 2000001\n')), 'too many objects');
    assert.equal(read(table(`0 1\n${row(9)}0 2000000\n`)), 'too many objects');
  });
});

describe('a cross-reference stream', () => {
  const runs: never[] = [];
  for (const [what, section, expected] of [
    ['its catalogue', stream(), { runs, root: 1, previous: undefined }],
    ['an earlier section', stream('/Prev 5'), { runs, root: undefined, previous: 5 }],
    ['up to four blanks before its number', `\n\n${stream()}`, { runs, root: 1, previous: undefined }],
    [
      'a line end of two bytes before its data',
      stream().replace('stream\n', 'stream\r\n'),
      { runs, root: 1, previous: undefined },
    ],
    [
      'numbers of several digits and several blanks',
      stream().replace('7 0 obj', '17 \n12\t\r\nobj'),
      { runs, root: 1, previous: undefined },
    ],
    [
      'no line end behind its data',
      stream().replace('\nendstream', 'endstream'),
      { runs, root: 1, previous: undefined },
    ],
    [
      'a line end of two bytes behind its data',
      stream().replace('\nendstream', '\r\nendstream'),
      { runs, root: 1, previous: undefined },
    ],
    [
      'a length in an odd notation',
      stream().replace('/Length 4', '/Length\t\n4'),
      { runs, root: 1, previous: undefined },
    ],
    ['a type without a blank', stream().replace('/Type /XRef', '/Type/XRef'), { runs, root: 1, previous: undefined }],
    ['a long dictionary', stream(`/Root 1 0 R/Words (${'x'.repeat(50_000)})`), { runs, root: 1, previous: undefined }],
  ] as const) {
    it(`a stream is read with ${what}`, () => assert.deepEqual(read(section), expected));
  }

  for (const [what, section, reason] of [
    ['another object', stream().replace('/XRef', '/ObjStm'), 'not a cross-reference stream'],
    ['a type that begins like its own', stream().replace('/XRef', '/XRefs'), 'not a cross-reference stream'],
    ['an object without data', '7 0 obj\n<</Type /XRef>>\nendobj\n', 'cross-reference stream without data'],
    [
      'data that begin in the same line',
      stream().replace('stream\n', 'stream '),
      'cross-reference stream with a wrong length',
    ],
    ['no length', stream().replace('/Length', '/Breadth'), 'cross-reference stream without a length'],
    [
      'a length in another object',
      stream().replace('/Length 4', '/Length R'),
      'cross-reference stream without a length',
    ],
    [
      'a length of 11 digits',
      stream().replace('/Length 4', '/Length 00000000004'),
      'cross-reference stream without a length',
    ],
    ['data a byte longer than it says', stream('', 'data words', 7), 'cross-reference stream with a wrong length'],
    ['data shorter than it says', stream('', 'data', 9), 'cross-reference stream with a wrong length'],
    ['a length outside the file', stream('', 'data', 99_999), 'cross-reference stream with a wrong length'],
    [
      'three bytes behind its data',
      stream().replace('\nendstream', '\n\n\nendstream'),
      'cross-reference stream with a wrong length',
    ],
    ['five blanks before its number', `     ${stream()}`, 'no cross-reference section where the file says'],
    [
      'an object without a generation',
      stream().replace('7 0 obj', '7 obj'),
      'no cross-reference section where the file says',
    ],
    [
      'a dictionary longer than 64 KiB',
      stream(`/Words (${'x'.repeat(70_000)})`),
      'cross-reference stream without data',
    ],
    ['an earlier section outside the file', stream('/Prev 99999'), 'cross-reference offset outside the file'],
  ] as const) {
    it(`a stream is refused: ${what}`, () => assert.equal(read(section), reason));
  }
});
