// A fair queue: users in turn, the items of each in order, and nothing kept of a user without items.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFairQueue } from '../../../src/kernel/work/fair-queue.ts';
import { seed } from '../../helpers/faults/rounds.ts';

const wide = { most: 100, mostOfOne: 100 };

describe('a fair queue', () => {
  it('serves users in turn, and the items of each in their order', () => {
    const queue = createFairQueue<string>(wide);
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push([item.charAt(0)], item);
    const served = Array.from({ length: 7 }, () => queue.shift());
    assert.deepEqual(served, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
  });

  it('a user who comes later waits for one item of each user before', () => {
    const queue = createFairQueue<string>(wide);
    for (const item of ['a1', 'a2', 'a3']) queue.push(['a'], item);
    assert.equal(queue.shift(), 'a1');
    queue.push(['b'], 'b1');
    assert.deepEqual([queue.shift(), queue.shift(), queue.shift()], ['a2', 'b1', 'a3']);
  });

  it('who comes last is served in turn with others who do, after all who do not', () => {
    const queue = createFairQueue<string>(wide);
    for (const item of ['a1', 'b1', 'a2', 'c1', 'd1', 'c2']) queue.push([item.charAt(0)], item);
    const comesLast = (item: string) => item.startsWith('a') || item.startsWith('b');
    const served = Array.from({ length: 7 }, () => queue.shift({ comesLast }));
    assert.deepEqual(served, ['c1', 'd1', 'c2', 'a1', 'b1', 'a2', undefined]);
    assert.equal(queue.waiting, 0);
  });

  it('one who comes later comes after those who have had as little, and before the next of those who have had more', () => {
    const queue = createFairQueue<string>(wide);
    for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) queue.push([item.charAt(0)], item);
    const taken = [queue.shift(), queue.shift()];
    queue.push(['d'], 'd1');
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) taken.push(item);
    assert.deepEqual(taken, ['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'a3', 'a4']);
    assert.deepEqual([queue.waiting, queue.waitingFor('a')], [0, 0]);
  });

  it('an item of two keys comes when the turn of both has come, and both pay for it', () => {
    const queue = createFairQueue<string>(wide);
    for (const owner of ['a', 'b', 'c']) queue.push([owner, 'eve'], `${owner} for eve`);
    queue.push(['ann', 'ann'], 'ann 1');
    queue.push(['a'], 'a');
    const served = Array.from({ length: 5 }, () => queue.shift());
    assert.deepEqual(served, ['a for eve', 'ann 1', 'b for eve', 'a', 'c for eve']);
  });

  it('a cheap item comes before dear ones of keys that have had nothing, and no stream of cheap ones holds a dear one up for ever', () => {
    const queue = createFairQueue<string>(wide);
    for (let at = 0; at < 20; at++) queue.push([`dear ${at}`], 'dear', 50);
    assert.equal(queue.shift(), 'dear');
    queue.push(['ann'], 'cheap');
    assert.equal(queue.shift(), 'cheap');
    let cheap = 0;
    for (queue.push(['new'], 'cheap'); queue.shift() === 'cheap'; cheap += 1) queue.push([`new ${cheap}`], 'cheap');
    assert.ok(cheap < 50 * 22, `${cheap} cheap ones overtook`);
  });

  it('an item that others join comes as early as if they had asked for it', () => {
    const queue = createFairQueue<string>(wide);
    for (const item of ['a1', 'a2', 'a3', 'a4']) queue.push(['a'], item);
    queue.push(['b'], 'b1');
    queue.join('a4', ['c']);
    queue.join('a2', ['a']);
    queue.join('gone', ['c']);
    const served = Array.from({ length: 5 }, () => queue.shift());
    assert.deepEqual(served, ['a1', 'b1', 'a4', 'a2', 'a3']);
  });

  it('what may not start yet is passed over and keeps its place', () => {
    const queue = createFairQueue<string>(wide);
    for (const item of ['a1', 'b1', 'a2']) queue.push([item.charAt(0)], item);
    assert.equal(queue.shift({ mayStart: (item) => item.startsWith('b') }), 'b1');
    assert.equal(queue.shift({ mayStart: () => false }), undefined);
    assert.deepEqual([queue.shift(), queue.shift()], ['a1', 'a2']);
  });

  it('a key has at most its number waiting; in a full queue the key with most gives way to one with fewer', () => {
    const queue = createFairQueue<string>({ most: 4, mostOfOne: 3 });
    const push = (item: string) => queue.push([item.charAt(0)], item);
    assert.deepEqual(['a1', 'a2', 'a3'].map(push), [undefined, undefined, undefined]);
    assert.equal(queue.refusal(['a']), 'own');
    assert.equal(push('a4'), 'a4');
    assert.equal(queue.refusal(['x', 'a']), 'own');
    assert.equal(push('b1'), undefined);
    assert.equal(queue.refusal(['c']), undefined);
    assert.equal(push('c1'), 'a3');
    assert.equal(push('d1'), 'a2');
    assert.equal(queue.refusal(['e']), 'all');
    assert.equal(push('e1'), 'e1');
    assert.equal(push('b2'), 'b2');
    const served = Array.from({ length: 5 }, () => queue.shift());
    assert.deepEqual(served, ['a1', 'b1', 'c1', 'd1', undefined]);
  });

  it('what was taken out before its turn was not paid for', () => {
    const queue = createFairQueue<string>(wide);
    queue.push(['b'], 'b1');
    for (let at = 0; at < 9; at++) {
      queue.push(['a'], `a${at}`);
      queue.remove(`a${at}`);
    }
    queue.push(['a'], 'a');
    queue.push(['b'], 'b2');
    assert.deepEqual([queue.shift(), queue.shift(), queue.shift()], ['b1', 'a', 'b2']);
  });

  it('an item can be taken out before its turn, once', () => {
    const queue = createFairQueue<string>(wide);
    for (const item of ['a1', 'a2', 'b1']) queue.push([item.charAt(0)], item);
    assert.deepEqual([queue.remove('a2'), queue.remove('a2'), queue.remove('c1')], [true, false, false]);
    assert.equal(queue.remove('b1'), true);
    assert.deepEqual([queue.waiting, queue.waitingFor('a'), queue.waitingFor('b')], [1, 1, 0]);
    assert.deepEqual([queue.shift(), queue.shift()], ['a1', undefined]);
  });

  it('counts what waits, of all and of each', () => {
    const queue = createFairQueue<number>(wide);
    assert.deepEqual([queue.waiting, queue.waitingFor('a')], [0, 0]);
    queue.push(['a'], 1);
    queue.push(['a'], 2);
    queue.push(['b'], 3);
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
      const queue = createFairQueue<{ user: string; number: number }>(wide);
      const waiting = new Map<string, number[]>();
      const passedOver = new Map<string, number>();
      let count = 0;
      for (const { user } of steps) {
        if (user !== undefined) {
          queue.push([user], { user, number: count });
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
