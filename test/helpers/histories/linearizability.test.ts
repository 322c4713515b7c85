// The search for an order: known histories of a register, and every small history compared with all its orders.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findOrder, type HistoryCall, type Model } from './linearizability.ts';

type Input = { readonly write: number } | 'read';
type Call = HistoryCall<Input, number>;

const register: Model<number, Input, number> = {
  initial: 0,
  step: (state, input, output) => {
    if (input !== 'read') return input.write;
    return output === state ? state : undefined;
  },
};

const write = (value: number, calledAt: number, returnedAt: number): Call => ({
  input: { write: value },
  output: 0,
  calledAt,
  returnedAt,
});
const read = (output: number, calledAt: number, returnedAt: number): Call => ({
  input: 'read',
  output,
  calledAt,
  returnedAt,
});

const never = Number.POSITIVE_INFINITY;

const histories: readonly (readonly [name: string, isLinearizable: boolean, history: readonly Call[]])[] = [
  ['no call', true, []],
  ['a read of what was written', true, [write(1, 0, 1), read(1, 2, 3)]],
  ['a read of the value before a finished write', false, [write(1, 0, 1), read(0, 2, 3)]],
  ['reads of the old and the new value during a write', true, [write(1, 0, 9), read(0, 1, 2), read(1, 3, 4)]],
  ['a read of the old value after one of the new', false, [write(1, 0, 9), read(1, 1, 2), read(0, 3, 4)]],
  ['overlapping reads of the old and the new value', true, [write(1, 0, 9), read(1, 1, 5), read(0, 2, 4)]],
  ['two overlapping writes, read in one order', true, [write(1, 0, 5), write(2, 0, 5), read(1, 6, 7), read(1, 8, 9)]],
  [
    'two overlapping writes, read in both orders',
    false,
    [write(1, 0, 5), write(2, 0, 5), read(1, 6, 7), read(2, 8, 9)],
  ],
  ['a write without an answer that took effect', true, [write(1, 0, never), read(0, 1, 2), read(1, 3, 4)]],
  ['a write without an answer that was undone', false, [write(1, 0, never), read(1, 1, 2), read(0, 3, 4)]],
  ['a value that nobody wrote', false, [write(1, 0, 1), read(2, 2, 3)]],
  ['a read that ends when the write begins', true, [read(1, 0, 1), write(1, 1, 2)]],
  [
    'a stale node beside a fresh one',
    false,
    [write(1, 0, 1), write(2, 2, 3), read(2, 4, 5), read(1, 6, 7), read(2, 8, 9)],
  ],
];

describe('the search for an order', () => {
  for (const [name, isLinearizable, history] of histories) {
    it(`${isLinearizable ? 'accepts' : 'refuses'} ${name}`, () => {
      assert.equal(findOrder(register, history).isLinearizable, isLinearizable);
    });
  }

  it('names the longest beginning of an order that it found', () => {
    const history = [write(1, 0, 1), read(1, 2, 3), read(0, 4, 5), write(2, 6, 7)];
    assert.deepEqual(findOrder(register, history), { isLinearizable: false, order: history.slice(0, 2) });
  });

  const call = fc
    .tuple(fc.option(fc.nat(2)), fc.nat(2), fc.nat(8), fc.nat(4))
    .map(([written, output, calledAt, length]) =>
      written === null ? read(output, calledAt, calledAt + length) : write(written, calledAt, calledAt + length),
    );

  it('finds an order exactly if one of all orders is right', () => {
    const verdicts = new Set<boolean>();
    fc.assert(
      fc.property(fc.array(call, { maxLength: 5 }), (history) => {
        const { isLinearizable, order } = findOrder(register, history);
        verdicts.add(isLinearizable);
        assert.equal(isLinearizable, permutations(history).some(isRight));
        if (isLinearizable) assert.ok(order.length === history.length && isRight(order));
      }),
      { seed: 1, numRuns: 500 },
    );
    assert.equal(verdicts.size, 2);
  });
});

/** No call before one that had returned when it was made, and every answer as the register gives it. */
function isRight(order: readonly Call[]): boolean {
  const isInTime = order.every((one, at) => order.slice(at).every((later) => later.returnedAt >= one.calledAt));
  let state: number | undefined = register.initial;
  for (const { input, output } of order) if (state !== undefined) state = register.step(state, input, output);
  return isInTime && state !== undefined;
}

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length === 0) return [[]];
  return list.flatMap((one, at) => permutations(list.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}
