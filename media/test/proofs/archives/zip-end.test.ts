// The end of a ZIP archive: a record at the end of the file, and 64-bit records that agree with it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Objection } from '../../../src/proof.ts';
import { endsLikeZip, readZipEnd } from '../../../src/proofs/archives/zip-end.ts';
import { fixture, inMemory, joined, type Part, u32le } from '../../helpers/media-files.ts';
import { centralEntry, endRecord, locator, wideEndRecord } from '../../helpers/zip-builder.ts';

const before = Buffer.alloc(100, 'x');
const directory = Buffer.alloc(50, 'd');
const place = { count: 3, size: 50, start: 100 };

function read(...parts: Part[]) {
  return readZipEnd(inMemory(joined(...parts)));
}

/** What the reader returns: the end, and where its first record is. */
const found = { entryCount: 3, directorySize: 50, directoryStart: 100, position: 150 };

describe('the end of an archive', () => {
  for (const [what, parts] of [
    ['a record', [before, directory, endRecord(place)]],
    ['a comment', [before, directory, endRecord({ ...place, comment: 'words' })]],
    ['a comment of 65,535 bytes', [before, directory, endRecord({ ...place, comment: Buffer.alloc(65_535, 'x') })]],
    ['64-bit records with the same values', [before, directory, wideEndRecord(place), locator(150), endRecord(place)]],
    [
      '64-bit records with values that the record leaves out',
      [
        before,
        directory,
        wideEndRecord(place),
        locator(150),
        endRecord({ count: 0xffff, size: 0xffffffff, start: 0xffffffff }),
      ],
    ],
    [
      'a 64-bit record with more fields',
      [before, directory, wideEndRecord({ ...place, more: 'words' }), locator(150), endRecord(place)],
    ],
    [
      'a locator that counts no disks',
      [before, directory, wideEndRecord(place), locator(150, { disks: 0 }), endRecord(place)],
    ],
  ] as [string, Part[]][]) {
    it(`the end of an archive is found: ${what}`, () => assert.deepEqual(read(...parts), found));
  }

  it('the end of an empty archive is found', () =>
    assert.deepEqual(read(endRecord()), { entryCount: 0, directorySize: 0, directoryStart: 0, position: 0 }));

  it('the end of an archive of a real program with 64-bit records is found', () =>
    assert.equal(typeof readZipEnd(inMemory(fixture('infozip-zip64.zip'))), 'object'));

  const wide = (record: Parameters<typeof wideEndRecord>[0], end: Parameters<typeof endRecord>[0] = place) => [
    before,
    directory,
    wideEndRecord({ ...place, ...record }),
    locator(150),
    endRecord(end),
  ];
  const contradiction = 'the two end records contradict each other';
  const disks: Objection = { rule: 'zip-form' };
  const apart = 'the central directory does not reach the end records';
  for (const [what, parts, reason] of [
    ['nothing', [], 'no end of the central directory'],
    ['words', [before], 'no end of the central directory'],
    ['a record that is cut', [before, directory, endRecord(place).subarray(0, -1)], 'no end of the central directory'],
    [
      '65,536 bytes behind the record',
      [before, directory, endRecord(place), Buffer.alloc(65_536, 'x')],
      'no end of the central directory',
    ],
    ['a byte behind the record', [before, directory, endRecord(place), 'x'], 'bytes after the archive'],
    [
      'a comment longer than it says',
      [before, directory, endRecord({ ...place, comment: 'words', commentLength: 4 })],
      'bytes after the archive',
    ],
    [
      'a comment shorter than it says',
      [before, directory, endRecord({ ...place, comment: 'words', commentLength: 6 })],
      'bytes after the archive',
    ],
    [
      'a second record in the comment',
      [before, directory, endRecord({ ...place, comment: joined(endRecord(), 'x') })],
      'bytes after the archive',
    ],
    ['another disk', [before, directory, endRecord({ ...place, disks: 1 })], disks],
    ['a directory on another disk', [before, directory, endRecord({ ...place, disks: 0x10000 })], disks],
    ['entries on another disk', [before, directory, endRecord({ ...place, countHere: 2 })], disks],
    ['a directory that ends too early', [before, directory, endRecord({ ...place, size: 49 })], apart],
    ['a directory that ends too late', [before, directory, endRecord({ ...place, start: 101 })], apart],
    ['values left out without 64-bit records', [before, directory, endRecord({ ...place, start: 0xffffffff })], apart],
    [
      'a locator of another disk',
      [before, directory, wideEndRecord(place), locator(150, { disk: 1 }), endRecord(place)],
      disks,
    ],
    [
      'a locator of two disks',
      [before, directory, wideEndRecord(place), locator(150, { disks: 2 }), endRecord(place)],
      disks,
    ],
    [
      'a locator that points elsewhere',
      [before, directory, wideEndRecord(place), locator(149), endRecord(place)],
      'no 64-bit end record',
    ],
    [
      'a locator that points behind itself',
      [before, directory, wideEndRecord(place), locator(9_999), endRecord(place)],
      'no 64-bit end record',
    ],
    [
      'a locator that points beyond all numbers',
      [
        before,
        directory,
        wideEndRecord(place),
        joined('PK\x06\x07', u32le(0), Buffer.alloc(8, 0xff), u32le(1)),
        endRecord(place),
      ],
      'no 64-bit end record',
    ],
    ['a locator and nothing before it', [locator(0), endRecord()], 'no 64-bit end record'],
    ['a 64-bit record of another length', wide({ length: 45 }), '64-bit end record with a wrong length'],
    [
      'a 64-bit record shorter than its fields',
      [before, directory, wideEndRecord({ ...place, length: 43 }).subarray(0, -1), locator(150), endRecord(place)],
      contradiction,
    ],
    ['a 64-bit record with another disk', wide({ disks: 1 }), contradiction],
    ['64-bit entries on another disk', wide({ countHere: 2 }), contradiction],
    ['another number of entries', wide({ count: 4 }), contradiction],
    ['another size', wide({ size: 49, start: 101 }), contradiction],
    ['another start', wide({ start: 99 }), contradiction],
    [
      'another size, while the start is left out',
      wide({ size: 49, start: 101 }, { count: 3, size: 50, start: 0xffffffff }),
      contradiction,
    ],
    [
      '64-bit records that do not reach the directory',
      wide({ start: 99 }, { count: 3, size: 50, start: 0xffffffff }),
      apart,
    ],
  ] as [string, Part[], Objection][]) {
    it(`the end of an archive is refused: ${what}`, () => assert.deepEqual(read(...parts), reason));
  }

  it('a locator is looked for directly before the record, and only if there is room', () => {
    for (let room = 0; room < 25; room++)
      assert.equal(typeof read(Buffer.alloc(room), endRecord({ start: room })), 'object', `${room}`);
  });
});

describe('the end of a file of another type', () => {
  const entry = centralEntry();
  const archive = (end: Parameters<typeof endRecord>[0] = {}) =>
    joined(before, entry, endRecord({ count: 1, size: entry.length, start: 100, ...end }));
  const ends = (mustReachEnd: boolean, ...parts: Part[]) => endsLikeZip(inMemory(joined(...parts)), mustReachEnd);

  for (const [what, parts, isLenient, isStrict] of [
    ['an archive', [archive()], true, true],
    ['an archive that is all of the file', [entry, endRecord({ count: 1, size: entry.length })], true, true],
    ['an archive with a comment', [archive({ comment: 'words' })], true, true],
    ['an archive and other bytes', [archive(), 'words'], true, false],
    ['an archive whose comment is longer than the file', [archive({ commentLength: 9 })], true, false],
    ['an archive that begins elsewhere than it says', [archive({ start: 7 })], true, true],
    ['an archive as far back as unpackers look', [archive(), Buffer.alloc(0xffff + 8_192)], true, false],
    ['an archive farther back', [archive(), Buffer.alloc(0x10000 + 8_192)], false, false],
    ['an end without a directory', [before, endRecord({ size: 46 })], false, false],
    ['a directory that would begin before the file', [endRecord({ size: 1 })], false, false],
    ['an end that is cut', [archive().subarray(0, -1)], false, false],
    ['an archive before a mark of another end', [archive(), 'PK\x05\x06'], true, false],
    ['an archive before another end', [archive(), endRecord({ size: 9_999 })], true, false],
    ['no mark', [before], false, false],
    ['nothing', [], false, false],
  ] as [string, Part[], boolean, boolean][]) {
    it(`a file that ends with ${what} is ${isLenient ? '' : 'not '}taken for an archive`, () => {
      assert.equal(ends(false, ...parts), isLenient);
      assert.equal(ends(true, ...parts), isStrict);
    });
  }

  it('a file at whose start the mark is ends the search', () =>
    assert.equal(ends(false, 'PK\x05\x06', Buffer.alloc(30)), false));

  it('the search for an end gives up after a hundred marks', () => {
    const marks = (count: number) => Buffer.alloc(22 * count, endRecord({ size: 9_999_999 }));
    assert.equal(ends(false, archive(), marks(99)), true);
    assert.equal(ends(false, archive(), marks(100)), false);
  });
});
