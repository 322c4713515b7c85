// A batch of calls: one transaction for all, and if it fails one for each, so that only the failing input gets the error.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runTogether } from '../../src/store/batch.ts';

type Attempt = Parameters<typeof runTogether>[2];

const unlucky = new Error('unlucky');
const hopeless = new Error('hopeless');
const isHopeless = (error: unknown) => error === hopeless;

/** Each call of the attempt gives the next of these: values, or an error. */
function plan(...results: readonly (unknown[] | Error)[]) {
  let calls = 0;
  const attempt: Attempt = async () => {
    const result = results[calls++] ?? assert.fail('one attempt too many');
    if (result instanceof Error) throw result;
    return result;
  };
  return { attempt, calls: () => calls };
}

describe('a batch of calls', () => {
  for (const [what, inputs, results, expected] of [
    ['that succeeds gives each input its value', ['a', 'b'], [[1, 2]], [{ value: 1 }, { value: 2 }]],
    ['of one that fails is not tried again', ['a'], [unlucky], [{ error: unlucky }]],
    [
      'that fails is tried one by one',
      ['a', 'b', 'c'],
      [unlucky, [1], unlucky, [3]],
      [{ value: 1 }, { error: unlucky }, { value: 3 }],
    ],
    ['whose error is hopeless is not tried again', ['a', 'b'], [hopeless], [{ error: hopeless }, { error: hopeless }]],
    [
      'that is hopeless in between goes on with the next',
      ['a', 'b'],
      [unlucky, hopeless, [2]],
      [{ error: hopeless }, { value: 2 }],
    ],
    ['without a value for an input gives it undefined', ['a', 'b'], [[1]], [{ value: 1 }, { value: undefined }]],
  ] as [string, unknown[], (unknown[] | Error)[], unknown[]][]) {
    it(what, async () => {
      const { attempt, calls } = plan(...results);
      assert.deepEqual(await runTogether('journal.tryWriting', inputs, attempt, isHopeless), expected);
      assert.equal(calls(), results.length);
    });
  }
});
