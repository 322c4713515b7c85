// Reading for a proof: the same bytes as the file has, few calls of the file, and an end to work that never ends.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../test/helpers/faults/rounds.ts';
import type { FileBytes } from '../src/media-type.ts';
import { readWithinBudget } from '../src/read-within-budget.ts';

const kibibyte = 1024;
const overBudget = { name: 'OverBudget', message: 'more work than a file of this size may cause' };

const pattern = Buffer.from(Uint8Array.from({ length: 251 }, (_, at) => at));

/** Byte n is n modulo 251. Notes where it was read, and how much was asked for. */
function watched(size: number): { file: FileBytes; calls: [position: number, length: number][] } {
  const bytes = Buffer.alloc(size, pattern);
  const calls: [number, number][] = [];
  const read = (position: number, length: number) => {
    calls.push([position, length]);
    return Buffer.from(bytes.subarray(position, position + length));
  };
  return { file: { size, read }, calls };
}

/** The calls of a file of 400 KiB for these reads. Both are written as `position:length` in KiB. */
function callsFor(reads: string): string {
  const { file, calls } = watched(400 * kibibyte);
  const budgeted = readWithinBudget(file);
  for (const read of reads.split(' ')) {
    const [position = 0, length = 0] = read.split(':').map((part) => Math.floor(Number(part) * kibibyte));
    budgeted.read(position, length);
  }
  return calls.map(([position, length]) => `${position / kibibyte}:${length / kibibyte}`).join(' ');
}

describe('a file read within a budget', () => {
  it('a file read within a budget has the size of the file', () =>
    assert.equal(readWithinBudget(watched(77).file).size, 77));

  it('a file read within a budget returns the bytes of the file for any reads', () => {
    const read = fc.tuple(fc.nat(50_000), fc.nat(12_000));
    fc.assert(
      fc.property(fc.array(read, { maxLength: 30 }), (reads) => {
        const { file } = watched(40_000);
        const budgeted = readWithinBudget(file);
        for (const [position, length] of reads)
          assert.deepEqual(budgeted.read(position, length), file.read(position, length));
      }),
      { numRuns: rounds(50), seed },
    );
  });

  it('a file read within a budget returns bytes that stay the same after later reads', () => {
    const budgeted = readWithinBudget(watched(400_000).file);
    const first = budgeted.read(100, 4);
    for (let at = 0; at < 400_000; at += 5_000) budgeted.read(at, 3_000);
    assert.deepEqual([...first], [100, 101, 102, 103]);
  });

  for (const [what, reads, calls] of [
    ['a small read loads 4 KiB', '0:0.01', '0:4'],
    ['a large read loads what it asks for', '0:90', '0:90'],
    ['a first read far into the file loads 4 KiB', '300:0.01', '300:4'],
    ['reads in what is loaded do not call the file again', '0:1 3:1 0:4 2.5:0.5', '0:4'],
    [
      'a sequence loads four times as much each time, up to 64 KiB',
      '0:1 4:1 20:1 84:1 148:1',
      '0:4 4:16 20:64 84:64 148:64',
    ],
    ['a read that leaves out up to 4 KiB is in sequence', '0:1 8:1', '0:4 8:16'],
    ['a read that leaves out more is a jump and loads 4 KiB', '0:1 4:1 24.5:1', '0:4 4:16 24.5:4'],
    ['a read before what is loaded is a jump', '40:1 44:1 39:1', '40:4 44:16 39:4'],
    ['a read that begins in what is loaded and ends behind it is in sequence', '0:1 3:2', '0:4 3:16'],
    ['a longer read at the same place is in sequence', '0:1 0:8', '0:4 0:16'],
    ['two places that are read in turns stay loaded', '0:1 300:1 1:1 301:1 2:1 302:1', '0:4 300:4'],
    ['two sequences that are read in turns both grow', '0:1 300:1 4:1 304:1 20:1', '0:4 300:4 4:16 304:16 20:64'],
    ['a third place replaces the one that was read longer ago', '0:1 300:1 200:1 301:1 1:1', '0:4 300:4 200:4 1:4'],
    ['the end of the file is not read again', '398:1 399:1 399:9', '398:4'],
  ] as const) {
    it(`a file read within a budget is called rarely: ${what}`, () => assert.equal(callsFor(reads), calls));
  }

  it('the budget allows 4 MiB of work for an empty file, and every read counts 16 bytes', () => {
    const budgeted = readWithinBudget(watched(0).file);
    for (let reads = 0; reads < (4 * 2 ** 20) / 16; reads++) budgeted.read(0, 1);
    assert.throws(() => budgeted.read(0, 1), overBudget);
  });

  it('the budget allows 16 bytes of work more for each byte of the file, and every byte that is loaded counts', () => {
    const size = 1_000;
    const loaded = 500;
    const budgeted = readWithinBudget(watched(size).file);
    const allowed = Math.floor((4 * 2 ** 20 + 16 * size - loaded) / 16);
    for (let reads = 0; reads < allowed; reads++) budgeted.read(size - loaded, 1);
    assert.throws(() => budgeted.read(size - loaded, 1), overBudget);
  });

  it('the budget ends jumps that load the same bytes again and again', () => {
    const size = 100 * kibibyte;
    const budgeted = readWithinBudget(watched(size).file);
    const jump = (round: number) => budgeted.read(((round % 3) * 40 + (round % 2)) * kibibyte, 1);
    const budget = 4 * 2 ** 20 + 16 * size;
    const allowed = Math.floor(budget / (4 * kibibyte + 16));
    for (let round = 0; round < allowed; round++) jump(round);
    assert.throws(() => jump(allowed), overBudget);
  });
});
