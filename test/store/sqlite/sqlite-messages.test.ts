// Calls go to the SQLite thread as JSON: no input of an operation holds anything that JSON would change. The batch property checks answers.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { OperationName } from '../../../src/store/operations/all.ts';
import { allInputs } from '../batches/inputs/all-inputs.ts';

const cases = 20;

for (const [name, { input }] of Object.entries(allInputs) as [OperationName, { input: fc.Arbitrary<Make> }][]) {
  it(`the inputs of ${name} stay the same as JSON`, () => {
    for (const make of fc.sample(input, { seed: 1, numRuns: cases })) {
      const made = make(0);
      assert.deepEqual(JSON.parse(JSON.stringify({ made })), { made: withoutUndefined(made) });
    }
  });
}

it('a time, a set or bytes would be noticed', () => {
  for (const odd of [new Date(), new Set([1]), Buffer.from('a'), Number.NaN, [undefined]])
    assert.notDeepEqual(JSON.parse(JSON.stringify({ odd })), { odd: withoutUndefined(odd) });
});

type Make = (index: number) => unknown;

/** A property that is undefined reads like one that is missing. An item of a list does not. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutUndefined(inner)]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
