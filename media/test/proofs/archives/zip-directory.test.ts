// The central directory of a ZIP archive: every entry with a safe name, a known compression, sizes that are possible, no bomb.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isObjection, type Objection } from '../../../src/proof.ts';
import { readZipDirectory } from '../../../src/proofs/archives/zip-directory.ts';
import { hex, inMemory, joined, patched, u64le } from '../../helpers/media-files.ts';
import { centralEntry, endRecord, extraField } from '../../helpers/zip-builder.ts';

const before = Buffer.alloc(20);

type End = { count?: number; size?: number };

function read(entries: Buffer[], { count = entries.length, size = joined(...entries).length }: End = {}) {
  return readZipDirectory(inMemory(joined(before, ...entries, endRecord({ count, size, start: 20 }))));
}

type Entry = Parameters<typeof centralEntry>[0];
const one = (entry: Entry) => read([centralEntry(entry)]);
const plain = { name: 'a', flags: 0, method: 0, checksum: 0, packedSize: 0, unpackedSize: 0, offset: 0 };
const mebibyte = 2 ** 20;

describe('a whole central directory', () => {
  it('a directory lists its entries in its own order', () => {
    const full = centralEntry({
      name: 'folder/b',
      flags: 9,
      method: 8,
      checksum: 0xfffffffe,
      packed: 5,
      unpacked: 9,
      offset: 77,
      extra: extraField(9, 'x'),
      comment: 'words',
    });
    assert.deepEqual(read([full, centralEntry()]), {
      start: 20,
      entries: [
        { name: 'folder/b', flags: 9, method: 8, checksum: 0xfffffffe, packedSize: 5, unpackedSize: 9, offset: 77 },
        plain,
      ],
    });
  });

  it('an empty directory lists nothing', () => assert.deepEqual(read([]), { start: 20, entries: [] }));

  for (const [what, entry, expected] of [
    ...[0, 8, 9, 12, 14, 93, 95, 98, 99].map((method): [string, Entry, object] => [
      `compression ${method}`,
      { method },
      { method },
    ]),
    [
      'an encrypted stored entry, which is longer than its content',
      { flags: 1, packed: 12, unpacked: 0 },
      { flags: 1, packedSize: 12 },
    ],
    ['an empty folder', { name: 'a/' }, { name: 'a/' }],
    ['a packed folder without content', { name: 'a/', method: 8, packed: 2 }, { name: 'a/', method: 8, packedSize: 2 }],
    ['a name as raw bytes', { name: hex('8081') }, { name: '\x80\x81' }],
    [
      'a 64-bit unpacked size',
      { method: 8, unpacked: 0xffffffff, packed: 9, extra: extraField(1, u64le(7)) },
      { method: 8, unpackedSize: 7, packedSize: 9 },
    ],
    [
      'a 64-bit packed size',
      { method: 8, packed: 0xffffffff, unpacked: 9, extra: extraField(1, u64le(7)) },
      { method: 8, unpackedSize: 9, packedSize: 7 },
    ],
    ['a 64-bit offset', { offset: 0xffffffff, extra: extraField(1, u64le(2 ** 40)) }, { offset: 2 ** 40 }],
    [
      'all values of 64 bits, in the order of the format',
      {
        method: 8,
        unpacked: 0xffffffff,
        packed: 0xffffffff,
        offset: 0xffffffff,
        extra: extraField(1, joined(u64le(1), u64le(2), u64le(3))),
      },
      { method: 8, unpackedSize: 1, packedSize: 2, offset: 3 },
    ],
    ['a 64-bit field that is not needed', { extra: extraField(1, u64le(7)) }, {}],
    ['padding behind the extra fields', { extra: joined(extraField(9), [0, 0, 0]) }, {}],
    ['the mode of a file', { attributes: 0x81a40000 }, {}],
  ] as [string, Entry, object][]) {
    it(`an entry is accepted: ${what}`, () =>
      assert.deepEqual(one(entry), { start: 20, entries: [{ ...plain, ...expected }] }));
  }
});

describe('a broken central directory', () => {
  const broken = 'broken central directory';
  const unsafe: Objection = { rule: 'zip-names' };
  const rare: Objection = { rule: 'zip-form' };
  for (const [what, found, reason] of [
    ['no end', readZipDirectory(inMemory(before)), 'no end of the central directory'],
    ['an entry without its mark', read([patched(centralEntry(), 3, [9])]), broken],
    ['an entry that is missing', read([centralEntry()], { count: 2 }), broken],
    ['an entry that is cut', read([centralEntry().subarray(0, 30)]), broken],
    ['a name longer than the file', read([patched(centralEntry(), 28, [0xff, 0xff])]), broken],
    ['an extra field longer than the file', read([patched(centralEntry(), 30, [0xff, 0xff])]), broken],
    [
      'an entry that is not counted',
      read([centralEntry(), centralEntry({ name: 'b' })], { count: 1 }),
      'central directory with a wrong length',
    ],
    [
      'a comment longer than the directory',
      read([patched(centralEntry(), 32, [1, 0])]),
      'central directory with a wrong length',
    ],
    ['two entries with one name', read([centralEntry(), centralEntry()]), unsafe],
    [
      'two names that differ only in their slashes',
      read([centralEntry({ name: 'a/b' }), centralEntry({ name: 'a\\b' })]),
      unsafe,
    ],
    [
      'a second name that is the name of another entry',
      read([centralEntry({ name: 'b' }), centralEntry({ extra: extraField(0x7075, '12345b') })]),
      unsafe,
    ],
    ['a dangerous name', one({ name: '../evil' }), unsafe],
    ['a dangerous second name', one({ extra: extraField(0x7075, '12345/evil') }), unsafe],
    ['a name that is not UTF-8', one({ name: hex('ff'), flags: 0x0800 }), unsafe],
    ['a broken extra field', one({ extra: extraField(9, '', 5) }), 'a broken extra field'],
    ['a link', one({ attributes: 0xa1ff0000 }), { rule: 'zip-links' }],
    ['an entry on another disk', one({ disk: 1 }), rare],
    ['a 64-bit size without its field', one({ method: 8, unpacked: 0xffffffff }), 'a 64-bit size is missing'],
    [
      'a 64-bit size in a field that is too short',
      one({ method: 8, unpacked: 0xffffffff, extra: extraField(1, Buffer.alloc(7)) }),
      'a 64-bit size is missing',
    ],
    [
      'two 64-bit sizes in a field for one',
      one({ method: 8, unpacked: 0xffffffff, packed: 0xffffffff, extra: extraField(1, Buffer.alloc(15)) }),
      'a 64-bit size is missing',
    ],
    [
      'a 64-bit offset that is missing',
      one({ method: 8, unpacked: 0xffffffff, offset: 0xffffffff, extra: extraField(1, Buffer.alloc(8)) }),
      'a 64-bit size is missing',
    ],
    ...[1, 6, 7, 10, 77, 97].map((method): [string, unknown, Objection] => [
      `compression ${method}`,
      one({ method }),
      rare,
    ]),
    ['a masked directory', one({ flags: 0x2000 }), rare],
    ['a stored entry with two sizes', one({ packed: 5, unpacked: 6 }), 'a stored entry with two sizes'],
    ['a folder with content', one({ name: 'a/', packed: 1, unpacked: 1 }), 'a folder with content'],
  ] as [string, unknown, Objection][]) {
    it(`a directory is refused: ${what}`, () => assert.deepEqual(found, reason));
  }

  it('a directory may be 16 MiB long, and no byte longer', () => {
    // A file that has nothing but zeros before its last 22 bytes.
    const of = (size: number) => {
      const end = endRecord({ count: 1, size });
      const read = (position: number, length: number) => {
        const bytes = Buffer.alloc(Math.max(0, Math.min(length, size + end.length - position)));
        if (position + length > size) end.copy(bytes, Math.max(0, size - position), Math.max(0, position - size));
        return bytes;
      };
      return readZipDirectory({ size: size + end.length, read });
    };
    assert.equal(of(16 * mebibyte), broken);
    assert.deepEqual(of(16 * mebibyte + 1), rare);
  });

  it('a directory may list 10,000 entries, and no entry more', () => {
    // They are counted before they are read.
    assert.equal(read([], { count: 10_000 }), broken);
    assert.deepEqual(read([], { count: 10_001 }), { rule: 'zip-entries' });
  });
});

describe('an archive bomb', () => {
  const bomb: Objection = { rule: 'zip-size' };
  const sizes = (...list: [packed: number, unpacked: number][]) => {
    const found = read(
      list.map(([packed, unpacked], index) => centralEntry({ name: `${index}`, method: 8, packed, unpacked })),
    );
    return isObjection(found) ? found : undefined;
  };
  const gibibyte = 2 ** 30;
  for (const [what, list, expected] of [
    ['two gibibytes unpacked', [[3_000_000, 2 * gibibyte]], undefined],
    ['two gibibytes and a byte', [[3_000_000, 2 * gibibyte + 1]], bomb],
    [
      'two gibibytes and a byte in two entries',
      [
        [3_000_000, gibibyte],
        [3_000_000, gibibyte + 1],
      ],
      bomb,
    ],
    ['ten mebibytes from nothing', [[0, 10 * mebibyte]], undefined],
    ['ten mebibytes and a byte from nothing', [[0, 10 * mebibyte + 1]], bomb],
    ['a thousand times as much', [[20_000, 20_000_000]], undefined],
    ['a byte more than a thousand times as much', [[20_000, 20_000_001]], bomb],
    [
      'a ratio that another entry evens out',
      [
        [1_000, 20_000_000],
        [20_000, 20_000],
      ],
      undefined,
    ],
  ] as [string, [number, number][], Objection | undefined][]) {
    it(`an archive that promises ${what} is ${expected === undefined ? 'accepted' : 'refused'}`, () =>
      assert.deepEqual(sizes(...list), expected));
  }
});
