// A ZIP archive: a directory and entries without a gap, from the first byte to the last; and the documents based on it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FileRule } from '../../../src/file-rule.ts';
import { corrupt, excluded, proved } from '../../../src/proof.ts';
import { proveZip } from '../../../src/proofs/archives/zip.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/assert-proofs.ts';
import { buildZip, contentTypes, wordMain } from '../../helpers/media-builders.ts';
import { fixture, fixtures, joined } from '../../helpers/media-files.ts';
import { endRecord } from '../../helpers/zip-builder.ts';

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const two = [
  { name: 'a', content: 'first' },
  { name: 'b', content: 'second', method: 8 },
];
const zip = buildZip(two);

describe('a whole archive', () => {
  const isZip = /zip|officedocument|opendocument/;
  for (const { name, type, bytes } of fixtures().filter(({ type }) => isZip.test(type))) {
    it(`an archive of a real program is proved as its type: ${name}`, () =>
      assert.deepEqual(proofOf(proveZip, bytes), proved(type)));
  }

  for (const [what, bytes, type] of [
    ['two entries', zip, 'application/zip'],
    ['no entries', endRecord(), 'application/zip'],
    ['a comment', buildZip(two, { comment: 'words' }), 'application/zip'],
    ['a mobile app package', buildZip([{ name: 'AndroidManifest.xml' }]), 'application/zip'],
    [
      'a document',
      buildZip([
        { name: '[Content_Types].xml', content: contentTypes(['word/document.xml', wordMain]), method: 8 },
        { name: 'word/document.xml' },
      ]),
      word,
    ],
    [
      'entries in another order than the directory',
      buildZip(Array.from({ length: 50 }, (_, index) => ({ name: `${(index * 7) % 50}`, content: 'x' }))),
      'application/zip',
    ],
  ] as const) {
    it(`an archive is proved: ${what}`, () => assert.deepEqual(proofOf(proveZip, bytes), proved(type)));
  }
});

describe('a broken archive', () => {
  for (const [what, bytes, reason] of [
    ['a byte after the archive', joined(zip, 'x'), 'bytes after the archive'],
    ['cut before its directory', zip.subarray(0, 60), 'no end of the central directory'],
    ['an empty archive with a tail', joined(endRecord(), 'x'), 'bytes after the archive'],
    [
      'a local header before the archive',
      joined('PK\x03\x04', zip),
      'the central directory does not reach the end records',
    ],
    [
      'bytes between the entries and the directory',
      buildZip(two, { beforeDirectory: Buffer.alloc(9) }),
      'a gap or an overlap between entries',
    ],
    [
      'two entries over the same bytes',
      buildZip([...two, { name: 'c', content: 'first', offset: 0 }]),
      'a gap or an overlap between entries',
    ],
    ['an entry that the directory hides', buildZip(two, { count: 1 }), 'central directory with a wrong length'],
    [
      'an entry that begins in another',
      buildZip([
        { name: 'a', content: buildZip([{ name: 'q' }]) },
        { name: 'b', offset: 31 },
      ]),
      'a gap or an overlap between entries',
    ],
  ] as const) {
    it(`an archive is refused: ${what}`, () =>
      assert.deepEqual(proofOf(proveZip, bytes), corrupt('application/zip', reason)));
  }

  for (const [what, bytes, rule] of [
    ['a path that leaves the folder', buildZip([{ name: '../evil' }]), 'zip-names'],
    ['a link', buildZip([{ name: 'a', attributes: 0xa1ff0000 }]), 'zip-links'],
    ['10,001 entries', endRecord({ count: 10_001 }), 'zip-entries'],
    ['a bomb', buildZip([{ name: 'a', method: 8, content: 'x', unpackedSize: 0x7fffffff }]), 'zip-size'],
    ['a compression that nobody uses', buildZip([{ name: 'a', method: 6 }]), 'zip-form'],
    ['the last part of a split archive', endRecord({ disks: 1 }), 'zip-form'],
    ['the first part of a split archive', joined('PK\x07\x08', zip), 'zip-form'],
    ['an archive that needed no splitting', joined('PK00', zip), 'zip-form'],
  ] as [string, Buffer, FileRule][]) {
    it(`an archive is excluded by the rule ${rule}: ${what}`, () =>
      assert.deepEqual(proofOf(proveZip, bytes), excluded('application/zip', rule)));
  }

  it('an archive is refused when it is cut anywhere', () => {
    assertNoCutIsProved(proveZip, zip);
    assertNoCutIsProved(proveZip, fixture('infozip-zip64.zip'));
    assertNoCutIsProved(proveZip, fixture('jszip-streamed.zip'));
  });

  it('an archive is proved or refused, in a bounded number of reads, when bytes are damaged', () => {
    assertDamageIsBounded(proveZip, fixture('infozip-zip64.zip'));
    assertDamageIsBounded(proveZip, fixture('jszip-streamed.zip'));
  });
});

describe('another file', () => {
  for (const [what, bytes] of [
    ['an empty file', Buffer.alloc(0)],
    ['half a mark', joined('PK\x03')],
    ['bytes before the archive', joined('MZ junk', zip)],
    ['the mark of a directory', joined('PK\x01\x02', Buffer.alloc(50))],
    ['words', joined('PK is an abbreviation')],
  ] as const) {
    it(`a file is not taken for an archive: ${what}`, () => assert.equal(proofOf(proveZip, bytes), undefined));
  }
});
