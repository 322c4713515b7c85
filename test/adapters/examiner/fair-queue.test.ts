// A fair queue: users in turn, the items of each in order, and nothing kept of a user without items.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFairQueue } from '../../../src/adapters/examiner/fair-queue.ts';
import { seed } from '../../helpers/faults/rounds.ts';

describe('a fair queue', () => {
  it('serves users in turn, and the items of each in their order', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item.charAt(0), item);
    const served = Array.from({ length: 7 }, () => queue.shift());
    assert.deepEqual(served, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
  });

  it('a user who comes later waits for one item of each user before', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
    assert.equal(queue.shift(), 'a1');
    queue.push('b', 'b1');
    assert.deepEqual([queue.shift(), queue.shift(), queue.shift()], ['a2', 'b1', 'a3']);
  });

  it('who comes last is served in turn with others who do, after all who do not', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'b1', 'a2', 'c1', 'd1', 'c2']) queue.push(item.charAt(0), item);
    const comesLast = (user: string) => user === 'a' || user === 'b';
    const served = Array.from({ length: 7 }, () => queue.shift(comesLast));
    assert.deepEqual(served, ['c1', 'd1', 'c2', 'a1', 'b1', 'a2', undefined]);
    assert.equal(queue.waiting, 0);
  });

  it('an item can be taken out before its turn, once', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'b1']) queue.push(item.charAt(0), item);
    assert.deepEqual([queue.remove('a', 'a2'), queue.remove('a', 'a2'), queue.remove('c', 'a1')], [true, false, false]);
    assert.equal(queue.remove('b', 'b1'), true);
    assert.deepEqual([queue.waiting, queue.waitingFor('a'), queue.waitingFor('b')], [1, 1, 0]);
    assert.deepEqual([queue.shift(), queue.shift()], ['a1', undefined]);
  });

  it('counts what waits, of all and of each', () => {
    const queue = createFairQueue<number>();
    assert.deepEqual([queue.waiting, queue.waitingFor('a')], [0, 0]);
    queue.push('a', 1);
    queue.push('a', 2);
    queue.push('b', 3);
    assert.deepEqual(
      [queue.waiting, queue.waitingFor('a'), queue.waitingFor('b'), queue.waitingFor('c')],
      [3, 2, 1, 0],
    );
    queue.shift();
    assert.deepEqual([queue.waiting, queue.waitingFor('a')], [2, 1]);
    while (queue.shift() !== undefined);
    assert.deepEqual([queue.waiting, queue.waitingFor('a'), queue.waitingFor('b')], [0, 0, 0]);
  });

  it('whatever comes and goes, nothing is lost or doubled, and no user is served twice while another waits', () => {
    const step = fc.oneof(
      fc.constantFrom('a', 'b', 'c').map((user) => ({ user })),
      fc.constant({ user: undefined }),
    );
    const property = fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = createFairQueue<{ user: string; number: number }>();
      const waiting = new Map<string, number[]>();
      const passedOver = new Map<string, number>();
      let count = 0;
      for (const { user } of steps) {
        if (user !== undefined) {
          queue.push(user, { user, number: count });
          waiting.set(user, [...(waiting.get(user) ?? []), count]);
          count += 1;
          continue;
        }
        const item = queue.shift();
        const all = [...waiting].filter(([, items]) => items.length > 0).map(([name]) => name);
        assert.equal(item === undefined, all.length === 0);
        if (item === undefined) continue;
        assert.equal(item.number, waiting.get(item.user)?.shift());
        passedOver.set(item.user, 0);
        for (const other of all.filter((name) => name !== item.user)) {
          const times = (passedOver.get(other) ?? 0) + 1;
          assert.ok(times <= 2, `${other} was passed over ${times} times`);
          passedOver.set(other, times);
        }
      }
      assert.equal(queue.waiting, [...waiting.values()].flat().length);
    });
    fc.assert(property, { seed, numRuns: 80 });
  });
});
