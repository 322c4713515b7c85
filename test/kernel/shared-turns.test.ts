// Turns that several keys share, and turns with weights: a key that fills them all delays another by one turn.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBook, patiently, settle, turnsOf } from '../helpers/turns.ts';

describe('turns of all', () => {
  it('with a few at once, one key that fills them all delays another by one turn', async () => {
    const { has, take, end } = createBook(turnsOf({ most: 3 }));
    for (let at = 0; at < 30; at++) void take(`a${at}`, 'a');
    void take('b', 'b');
    await settle();
    assert.deepEqual(has, ['a0', 'a1', 'a2']);
    end('a0');
    await settle();
    end('a1');
    await settle();
    assert.ok(has.includes('b'), has.join());
    assert.equal(has.length, 5);
  });

  it('a key that may not have more leaves its place to the next', async () => {
    const { has, take, end } = createBook(turnsOf({ most: 3, mostOfOne: 2 }));
    for (const who of ['a1', 'a2', 'a3', 'b1', 'b2']) void take(who, who.charAt(0));
    await settle();
    assert.deepEqual(has, ['a1', 'a2', 'b1']);
    end('b1');
    await settle();
    assert.deepEqual(has, ['a1', 'a2', 'b1', 'b2']);
  });

  it('an item too heavy for all together is not overtaken for ever', async () => {
    const turns = turnsOf({ most: 10 });
    const [first, second] = [await turns.take('a', patiently, 5), await turns.take('b', patiently, 5)];
    const has: string[] = [];
    const heavy = turns.take('c', patiently, 9).finally(() => has.push('heavy'));
    first();
    const light = turns.take('d', patiently, 9.5).finally(() => has.push('light'));
    await settle();
    assert.deepEqual(has, []);
    second();
    (await heavy)();
    (await light)();
    assert.deepEqual([has, turns.keys], [['heavy', 'light'], 0]);
  });

  it('a caller without a place in the queue is refused at once, and the one with most waiting gives way to others', async () => {
    const turns = turnsOf({ most: 1, waiting: { most: 3, mostOfOne: 2 } });
    const ends = [await turns.take('a', patiently)];
    const take = (key: string) => turns.take(key, patiently).then((end) => void ends.push(end));
    const [first, second] = [take('a'), take('a')];
    await assert.rejects(take('a'), /too many wait/);
    const others = [take('b'), take('c')];
    await assert.rejects(second, /too many wait/);
    await assert.rejects(take('d'), /too many wait/);
    for (let at = 0; at < 4; at++) {
      ends[at]?.();
      await settle();
    }
    await Promise.all([first, ...others]);
    assert.equal(turns.keys, 0);
  });
});

describe('turns with weights', () => {
  it('light work runs at once up to the weight, and what is too heavy runs alone', async () => {
    const turns = turnsOf({ mostOfOne: 10 });
    const has: string[] = [];
    const take = async (who: string, weight: number) => {
      const end = await turns.take('key', patiently, weight);
      has.push(who);
      return end;
    };
    const first = take('four', 4);
    const second = take('six', 6);
    const heavy = take('twelve', 12);
    const light = take('one', 1);
    await settle();
    assert.deepEqual(has, ['four', 'six'], 'nobody overtakes the heavy one');
    (await first)();
    await settle();
    assert.deepEqual(has, ['four', 'six']);
    (await second)();
    await settle();
    assert.deepEqual(has, ['four', 'six', 'twelve']);
    (await heavy)();
    (await light)();
    assert.equal(turns.keys, 0);
  });

  it('if a heavy one leaves, the light ones behind it run', async () => {
    const turns = turnsOf({ mostOfOne: 10 });
    const end = await turns.take('key', patiently, 5);
    const late = Promise.withResolvers<void>();
    const heavy = turns.take('key', () => late.promise, 8);
    const light = turns.take('key', patiently, 5);
    late.reject(new Error('gone'));
    await assert.rejects(heavy, /gone/);
    (await light)();
    end();
    assert.equal(turns.keys, 0);
  });
});
