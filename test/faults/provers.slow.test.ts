// Provers of media types over corrupted files: they prove or refuse, never throw, and make a bounded number of reads.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FileBytes } from '#media/media-type';
import { proveMediaType } from '#media/prove-media-type';
import { planStrip } from '#media/strip-metadata';
import { inMemory } from '../../media/test/helpers/media-files.ts';
import { createChance } from '../fuzz/http/chance.ts';
import { readSamples } from '../fuzz/http/samples.ts';
import { spoiledSample } from '../fuzz/http/spoil-uploads.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';

/** A structure takes a few reads per entry, and an entry has a few bytes. */
const mostReads = (size: number) => 200 + 2 * size;

function counting(file: FileBytes): FileBytes & { reads: number } {
  const counted = {
    size: file.size,
    reads: 0,
    read: (position: number, length: number) => {
      counted.reads += 1;
      return file.read(position, length);
    },
  };
  return counted;
}

function orFail<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    return assert.fail(`${what}: ${error}`);
  }
}

describe('the provers', () => {
  it('the provers prove or refuse every corrupted file in a bounded number of reads', async (test) => {
    const chance = createChance(seed);
    const samples = await readSamples();
    const kinds = { proved: 0, corrupt: 0, excluded: 0, unknown: 0 };
    let most = 0;
    for (let round = 0; round < rounds(1500); round++) {
      const { name, bytes } = spoiledSample(samples, chance);
      const file = counting(inMemory(bytes));
      const what = `FUZZ_SEED=${seed}, round ${round}: ${name}`;
      const proof = orFail(what, () => proveMediaType(file));
      most = Math.max(most, file.reads / (bytes.length + 1));
      assert.ok(file.reads <= mostReads(bytes.length), `${what}: ${file.reads} reads of ${bytes.length} bytes`);
      kinds[proof?.kind ?? 'unknown'] += 1;
      if (proof?.kind !== 'proved') continue;
      const pieces = orFail(what, () => planStrip(proof.type, inMemory(bytes)));
      if (pieces === undefined || 'rule' in pieces) continue;
      for (const piece of pieces)
        if ('from' in piece) assert.ok(piece.from < piece.to && piece.to <= bytes.length, what);
    }
    test.diagnostic(`seed ${seed}: ${JSON.stringify(kinds)}, at most ${most.toFixed(2)} reads a byte`);
  });
});
