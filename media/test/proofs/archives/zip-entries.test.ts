// The entries of a ZIP archive: they fill the file up to the directory, and their local headers and descriptors agree with it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isObjection, type Objection } from '../../../src/proof.ts';
import type { ZipEntry } from '../../../src/proofs/archives/zip-directory.ts';
import { placeEntries } from '../../../src/proofs/archives/zip-entries.ts';
import { inMemory, joined, type Part, patched, u32le, u64le } from '../../helpers/media-files.ts';
import { extraField, localEntry } from '../../helpers/zip-builder.ts';

const content = 'words';
const checksum = 0x12345678;
const plain: ZipEntry = { name: 'a', flags: 0, method: 8, checksum, packedSize: 5, unpackedSize: 9, offset: 0 };
const local = { name: 'a', method: 8, checksum, packed: 5, unpacked: 9 };
const later = 0x0008;

function place(entries: ZipEntry[], ...parts: Part[]) {
  const bytes = joined(...parts);
  return placeEntries(inMemory(joined(bytes, 'the directory')), { start: bytes.length, entries });
}

/** One entry with this local header. */
function judge(header: Parameters<typeof localEntry>[0], entry: Partial<ZipEntry> = {}, behind: Part = '') {
  const found = place([{ ...plain, ...entry }], localEntry({ ...local, ...header }), content, behind);
  return isObjection(found) ? found : undefined;
}

describe('the entries of an archive', () => {
  const first = joined(localEntry(local), content);
  const second = joined(localEntry({ ...local, name: 'bcd', extra: extraField(9, 'x') }), content);

  it('the entries of an archive are listed in the order of the file, with the places of their data', () => {
    const entries = [{ ...plain, name: 'bcd', offset: first.length }, plain];
    assert.deepEqual(place(entries, first, second), [
      { ...plain, dataStart: 31 },
      { ...plain, name: 'bcd', offset: first.length, dataStart: first.length + 30 + 3 + 5 },
    ]);
  });

  it('an archive without entries is empty up to its directory', () => {
    assert.deepEqual(place([]), []);
    assert.equal(place([], 'x'), 'bytes between the entries and the central directory');
  });

  const gap = 'a gap or an overlap between entries';
  for (const [what, found, reason] of [
    ['bytes before the first entry', place([{ ...plain, offset: 1 }], 'x', first), gap],
    [
      'bytes between two entries',
      place([plain, { ...plain, name: 'bcd', offset: first.length + 1 }], first, 'x', second),
      gap,
    ],
    ['bytes before the directory', place([plain], first, 'x'), gap],
    [
      'an entry that begins in another',
      place([plain, { ...plain, name: 'bcd', offset: first.length - 1 }], first, second),
      gap,
    ],
    ['two entries at one place', place([plain, { ...plain, name: 'b' }], first), gap],
    ['an entry longer than its room', place([{ ...plain, packedSize: 6 }], patched(first, 18, u32le(6))), gap],
    [
      'a second entry that is missing',
      place([plain, { ...plain, name: 'bcd', offset: first.length }], first),
      'no local header',
    ],
    ['another record in the place of a local header', place([plain], patched(first, 3, [9])), 'no local header'],
    [
      'an archive cut in a local header',
      placeEntries(inMemory(first.subarray(0, 29)), { start: 29, entries: [plain] }),
      'no local header',
    ],
  ] as const) {
    it(`entries are refused: ${what}`, () => assert.equal(found, reason));
  }
});

describe('a local header', () => {
  const contradiction = 'a local header contradicts the central directory';
  const wide = (unpacked: number, packed: number) => extraField(1, joined(u64le(unpacked), u64le(packed)));
  const allOnes = { packed: 0xffffffff, unpacked: 0xffffffff };
  for (const [what, header, entry, expected] of [
    ['the same values', {}, {}, undefined],
    ['a second name that is safe', { extra: extraField(0x7075, '12345b') }, {}, undefined],
    ['a second name that is dangerous', { extra: extraField(0x7075, '12345../b') }, {}, { rule: 'zip-names' }],
    ['another name', { name: 'b' }, {}, contradiction],
    ['a longer name', { name: 'ab' }, {}, contradiction],
    ['another compression', { method: 0 }, {}, contradiction],
    ['another checksum', { checksum: 1 }, {}, contradiction],
    ['a checksum of zero', { checksum: 0 }, {}, contradiction],
    ['another packed size', { packed: 4 }, {}, contradiction],
    ['another unpacked size', { unpacked: 8 }, {}, contradiction],
    ['sizes of zero', { packed: 0, unpacked: 0 }, {}, contradiction],
    ['another mark of encryption', { flags: 1 }, {}, contradiction],
    ['another mark of UTF-8', { flags: 0x0800 }, {}, contradiction],
    ['a descriptor that the directory does not know', { flags: later }, {}, contradiction],
    ['other flags, which have no meaning here', { flags: 0x0006 }, {}, undefined],
    ['64-bit sizes', { ...allOnes, extra: wide(9, 5) }, {}, undefined],
    ['a 64-bit unpacked size alone', { unpacked: 0xffffffff, extra: wide(9, 77) }, {}, undefined],
    ['a 64-bit packed size alone', { packed: 0xffffffff, extra: wide(77, 5) }, {}, undefined],
    ['another 64-bit unpacked size', { ...allOnes, extra: wide(8, 5) }, {}, contradiction],
    ['another 64-bit packed size', { ...allOnes, extra: wide(9, 4) }, {}, contradiction],
    ['64-bit sizes that are missing', allOnes, {}, contradiction],
    [
      '64-bit sizes that are cut',
      { ...allOnes, extra: extraField(1, joined(u64le(9), u64le(5)).subarray(0, 15)) },
      {},
      contradiction,
    ],
    [
      'a 64-bit unpacked size without a packed one',
      { unpacked: 0xffffffff, extra: extraField(1, u64le(9)) },
      {},
      contradiction,
    ],
    ['a 64-bit packed size that is missing', { packed: 0xffffffff }, {}, contradiction],
  ] as [string, Parameters<typeof localEntry>[0], Partial<ZipEntry>, Objection | undefined][]) {
    it(`a local header with ${what} is ${expected === undefined ? 'accepted' : 'refused'}`, () =>
      assert.deepEqual(judge(header, entry), expected));
  }
});

describe('a data descriptor', () => {
  const values = [u32le(checksum), u32le(5), u32le(9)];
  const wideValues = [u32le(checksum), u64le(5), u64le(9)];
  const mark = 'PK\x07\x08';
  const flags = { flags: later };
  const contradiction = 'a data descriptor contradicts the central directory';
  const gap = 'a gap or an overlap between entries';
  for (const [what, descriptor, expected] of [
    ['no mark', joined(...values), undefined],
    ['a mark', joined(mark, ...values), undefined],
    ['64-bit sizes', joined(...wideValues), undefined],
    ['a mark and 64-bit sizes', joined(mark, ...wideValues), undefined],
    ['another mark', joined('PK\x07\x09', ...values), 'no data descriptor'],
    ['another mark and 64-bit sizes', joined('PK\x07\x09', ...wideValues), 'no data descriptor'],
    ['another checksum', joined(u32le(1), u32le(5), u32le(9)), contradiction],
    ['another packed size', joined(mark, u32le(checksum), u32le(4), u32le(9)), contradiction],
    ['another unpacked size', joined(mark, u32le(checksum), u32le(5), u32le(8)), contradiction],
    ['another 64-bit packed size', joined(u32le(checksum), u64le(4), u64le(9)), contradiction],
    ['another 64-bit unpacked size', joined(mark, u32le(checksum), u64le(5), u64le(8)), contradiction],
    ['nothing', joined(), gap],
    ['a byte too few', joined(...values).subarray(1), gap],
    ['a byte too many', joined(mark, ...values, 'x'), gap],
    ['32 bytes', Buffer.alloc(32), gap],
  ] as [string, Buffer, string | undefined][]) {
    it(`a data descriptor with ${what} is ${expected === undefined ? 'accepted' : 'refused'}`, () =>
      assert.equal(judge(flags, flags, descriptor), expected));
  }

  it('a local header may leave out what its descriptor says, and nothing else', () => {
    const descriptor = joined(mark, ...values);
    assert.equal(judge({ ...flags, checksum: 0, packed: 0, unpacked: 0 }, flags, descriptor), undefined);
    assert.equal(
      judge({ ...flags, checksum: 1, packed: 0, unpacked: 0 }, flags, descriptor),
      'a local header contradicts the central directory',
    );
    assert.equal(
      judge({ ...flags, checksum: 0, packed: 1, unpacked: 0 }, flags, descriptor),
      'a local header contradicts the central directory',
    );
    assert.equal(
      judge({ ...flags, checksum: 0, packed: 0, unpacked: 1 }, flags, descriptor),
      'a local header contradicts the central directory',
    );
    const noWide = { ...flags, packed: 0xffffffff, unpacked: 0xffffffff, extra: extraField(1, Buffer.alloc(16)) };
    assert.equal(judge(noWide, flags, descriptor), undefined);
    const allOnes = { ...flags, packed: 0xffffffff, unpacked: 0xffffffff };
    assert.equal(judge(allOnes, flags, descriptor), undefined);
  });

  it('a data descriptor is read before the next entry', () => {
    const entry = joined(localEntry({ ...local, flags: later }), content, ...values);
    const second = { ...plain, ...flags, offset: entry.length };
    assert.deepEqual(place([{ ...plain, ...flags }, second], entry, entry), [
      { ...plain, ...flags, dataStart: 31 },
      { ...second, dataStart: entry.length + 31 },
    ]);
  });
});
