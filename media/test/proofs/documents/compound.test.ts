// Compound files: those that hold an encrypted document name the rule, and all others have no known type.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { excluded } from '../../../src/proof.ts';
import { proveCompound } from '../../../src/proofs/documents/compound.ts';
import { assertDamageIsBounded, proofOf } from '../../helpers/assert-proofs.ts';
import { hex, joined, patched, u16le, u32le } from '../../helpers/media-files.ts';

const endOfChain = 0xfffffffe;
const isEncrypted = excluded(undefined, 'encrypted-document');

function entry(name: string): Buffer {
  const text = Buffer.from(`${name}\0`, 'utf16le');
  return joined(text, Buffer.alloc(128 - text.length));
}

/** Sector 0 is the allocation table; the directory takes the others, from `first` on. */
function compound(names: readonly string[], chain: readonly number[], first = 1): Buffer {
  const header = patched(Buffer.alloc(512), 0, hex('d0cf11e0a1b11ae1'));
  const table = Buffer.alloc(512, 0xff);
  for (const [sector, next] of chain.entries()) table.writeUInt32LE(next, sector * 4);
  const directory = joined(...names.map(entry));
  const placed = patched(patched(patched(header, 30, u16le(9)), 48, u32le(first)), 76, u32le(0));
  return joined(placed, table, directory, Buffer.alloc(-directory.length & 511));
}

const streams = ['Root Entry', 'DataSpaces', 'Version', 'EncryptionInfo', 'EncryptedPackage'];

describe('a compound file', () => {
  it('an office document with a password is excluded by its rule, in the first sector of the directory', () =>
    assert.deepEqual(proofOf(proveCompound, compound(streams.toReversed(), [0, endOfChain])), isEncrypted));

  it('an office document with a password is excluded by its rule, in a later sector', () => {
    assert.deepEqual(proofOf(proveCompound, compound(streams, [0, 2, endOfChain])), isEncrypted);
    assert.equal(proofOf(proveCompound, compound(streams, [0, endOfChain, 1])), undefined);
  });

  for (const [what, bytes] of [
    ['a document of Word 97', compound(['Root Entry', 'WordDocument'], [0, endOfChain])],
    ['a longer name', compound(['EncryptedPackages'], [0, endOfChain])],
    ['a directory in a loop', compound(['Root Entry'], [0, 1])],
    ['a directory outside the file', compound(streams, [0, endOfChain], 99)],
    ['sectors of one byte', patched(compound(streams.toReversed(), [0, endOfChain]), 30, [0])],
    ['sectors of 8 KiB', patched(compound(streams.toReversed(), [0, endOfChain]), 30, [13])],
    ['a header that is cut', compound(streams, [0]).subarray(0, 511)],
    ['another mark', patched(compound(streams.toReversed(), [0]), 7, [0])],
    ['nothing', Buffer.alloc(0)],
  ] as const) {
    it(`a file has no known type: ${what}`, () => assert.equal(proofOf(proveCompound, bytes), undefined));
  }

  it('a compound file costs a bounded number of reads when bytes are damaged', () =>
    assertDamageIsBounded(proveCompound, compound(['Root Entry', 'a', 'b', 'c', 'd'], [0, 2, endOfChain])));
});
