// A short search of every target, from the kept corpus: nothing new is found, and the same seed does the same.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rounds, seed } from '../helpers/faults/rounds.ts';
import { fuzz } from './engine/fuzz.ts';
import { readCorpus } from './kept-inputs.ts';
import { instrumentTarget, readTargets } from './load-target.ts';

/** Others in every run. */
const inputsOfATarget = 400;

const targets = await readTargets();

describe('a short search', () => {
  for (const { name } of targets) {
    it(`no input breaks the promise of ${name}`, async (test) => {
      const { target, literals } = await instrumentTarget(name);
      const mostExecutions = rounds(inputsOfATarget);
      const { findings, executions, branches, accepted } = await fuzz(target, {
        seed,
        inputs: readCorpus(name),
        literals,
        mostExecutions,
      });
      test.diagnostic(`${name}, seed ${seed}: ${executions} inputs, ${accepted} accepted, ${branches} branches`);
      assert.deepEqual(
        findings.map(({ signature, input }) => [signature, input.toString('base64')]),
        [],
      );
    });
  }

  it('the same seed searches the same inputs', async () => {
    const run = async () => {
      const { target, literals } = await instrumentTarget('byte-ranges');
      const report = await fuzz(target, { seed: 7, inputs: [], literals, mostExecutions: 3_000 });
      return [
        report.accepted,
        report.branches,
        report.features,
        report.corpus.map((input) => input.toString('base64')),
      ];
    };
    assert.deepEqual(await run(), await run());
  });
});
