// What holds for every prover: a file cut anywhere is not proved, and damage causes a bounded number of reads and no error.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rounds, seed } from '../../../test/helpers/faults/rounds.ts';
import type { FileBytes } from '../../src/media-type.ts';
import type { Proof } from '../../src/proof.ts';
import { inMemory } from './media-files.ts';

type Prove = (file: FileBytes) => Proof | undefined;

/** A structure takes a few reads per entry, and an entry has a few bytes. */
const mostReads = (size: number) => 200 + 2 * size;

export function proofOf(prove: Prove, bytes: Buffer): Proof | undefined {
  return prove(inMemory(bytes));
}

/** `isWhole` names the lengths at which the rest is again a whole file. */
export function assertNoCutIsProved(
  prove: Prove,
  bytes: Buffer,
  isWhole: (length: number, bytes: Buffer) => boolean = () => false,
): void {
  for (let length = 0; length < bytes.length; length++) {
    const isProved = proofOf(prove, bytes.subarray(0, length))?.kind === 'proved';
    assert.equal(isProved, isWhole(length, bytes), `cut to ${length} of ${bytes.length}`);
  }
}

/** Changes every byte in turn, then several at once. */
export function assertDamageIsBounded(prove: Prove, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; at++) {
    for (const change of [0x01, 0x80, 0xff]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = damaged.readUInt8(at) ^ change;
      assertBounded(prove, damaged);
    }
  }
  const change = fc.record({ at: fc.nat(bytes.length - 1), byte: fc.constantFrom(0, 1, 0x7f, 0x80, 0xfe, 0xff) });
  fc.assert(
    fc.property(fc.array(change, { minLength: 2, maxLength: 6 }), (changes) => {
      const damaged = Buffer.from(bytes);
      for (const { at, byte } of changes) damaged[at] = byte;
      assertBounded(prove, damaged);
    }),
    { numRuns: rounds(100), seed },
  );
}

function assertBounded(prove: Prove, bytes: Buffer): void {
  const file = inMemory(bytes);
  let reads = 0;
  const read = (position: number, length: number) => {
    reads += 1;
    return file.read(position, length);
  };
  prove({ size: file.size, read });
  if (reads > mostReads(bytes.length)) assert.fail(`${reads} reads of ${bytes.length} bytes`);
}
