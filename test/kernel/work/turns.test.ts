// Turns under a key: how many run at once, the order of those that wait, waits that end early, and nothing kept for later.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { seed } from '../../helpers/faults/rounds.ts';
import { createBook, patiently, settle, turnsOf } from '../../helpers/turns.ts';

describe('turns', () => {
  for (const most of [1, 2, 5]) {
    it(`with ${most} at once, ${most} start without waiting, and each end lets exactly the next one in`, async () => {
      const { has, take, end } = createBook(turnsOf({ mostOfOne: most }));
      const names = Array.from({ length: most + 3 }, (_, index) => `${index}`);
      for (const name of names) void take(name);
      await settle();
      assert.deepEqual(has, names.slice(0, most));
      for (let next = most; next < names.length; next++) {
        end(`${next - most}`);
        await settle();
        assert.deepEqual(has, names.slice(0, next + 1));
      }
    });
  }

  it('a turn that is free is taken without a call of wait', async () => {
    const turns = turnsOf({ mostOfOne: 1 });
    const refuse = () => assert.fail('nobody waits');
    (await turns.take('a', refuse))();
    (await turns.take('a', refuse))();
  });

  it('keys do not wait for each other', async () => {
    const { has, take } = createBook(turnsOf({ mostOfOne: 1 }));
    void take('a1', 'a');
    void take('a2', 'a');
    void take('b1', 'b');
    await settle();
    assert.deepEqual(has, ['a1', 'b1']);
  });

  it('one who comes while others wait does not overtake them when a turn ends', async () => {
    const { has, take, end } = createBook(turnsOf({ mostOfOne: 1 }));
    void take('first');
    void take('second');
    await settle();
    end('first');
    void take('third');
    await settle();
    assert.deepEqual(has, ['first', 'second']);
    end('second');
    await settle();
    assert.deepEqual(has, ['first', 'second', 'third']);
  });

  it('a wait that ends early throws its reason and gives its place to the next', async () => {
    const { has, take, end } = createBook(turnsOf({ mostOfOne: 1 }));
    const late = Promise.withResolvers<void>();
    void take('first');
    const second = take('second', 'key', () => late.promise);
    void take('third');
    late.reject(new Error('too late'));
    await assert.rejects(second, /too late/);
    end('first');
    await settle();
    assert.deepEqual(has, ['first', 'third']);
  });

  it('a wait that ends at the moment when its turn comes passes the turn on', async () => {
    const { has, take, end } = createBook(turnsOf({ mostOfOne: 1 }));
    const late = Promise.withResolvers<void>();
    void take('first');
    const second = take('second', 'key', async (turn) => {
      await turn;
      await late.promise;
    });
    void take('third');
    await settle();
    end('first');
    late.reject(new Error('just too late'));
    await assert.rejects(second, /just too late/);
    await settle();
    assert.deepEqual(has, ['first', 'third']);
    end('third');
    await take('fourth', 'key', () => assert.fail('the turn is free'));
  });

  it('a wait that ends at the moment when its turn comes frees the turn if nobody else waits', async () => {
    const { take, end } = createBook(turnsOf({ mostOfOne: 1 }));
    await take('first');
    const second = take('second', 'key', async (turn) => {
      await turn;
      throw new Error('just too late');
    });
    end('first');
    await assert.rejects(second, /just too late/);
    await take('third', 'key', () => assert.fail('the turn is free'));
  });

  it('a wait that fails at once takes no place', async () => {
    const { has, take, end } = createBook(turnsOf({ mostOfOne: 1 }));
    await take('first');
    await assert.rejects(
      take('second', 'key', () => Promise.reject(new Error('no patience'))),
      /no patience/,
    );
    void take('third');
    end('first');
    await settle();
    assert.deepEqual(has, ['first', 'third']);
  });

  it('whatever is taken, abandoned and ended, no more than allowed run, the order holds, and no turn is lost', async () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      act: fc.constantFrom('take', 'take', 'end', 'abandon'),
      pick: fc.nat(9),
    });
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 40 }), check);
    await fc.assert(property, { seed, numRuns: 60 });
  });

  /** Holds the turns against a plain model: per key a list of runners and a queue. */
  async function check(most: number, steps: readonly { key: string; act: string; pick: number }[]): Promise<void> {
    const turns = turnsOf({ mostOfOne: most });
    const model = new Map(['a', 'b', 'c'].map((key) => [key, { running: [] as number[], queue: [] as number[] }]));
    const ends = new Map<number, () => void>();
    const leave = new Map<number, () => void>();
    const refused: number[] = [];
    let count = 0;
    for (const { key, act, pick } of steps) {
      const line = model.get(key) ?? assert.fail();
      if (act === 'take') {
        const id = count++;
        const { promise, reject } = Promise.withResolvers<never>();
        promise.catch(() => undefined);
        leave.set(id, () => reject(new Error('left')));
        turns
          .take(key, (turn) => Promise.race([turn, promise]))
          .then(
            (end) => ends.set(id, end),
            () => refused.push(id),
          );
        if (line.running.length < most) line.running.push(id);
        else line.queue.push(id);
      } else if (act === 'end' && line.running.length > 0) {
        const [id = -1] = line.running.splice(pick % line.running.length, 1);
        ends.get(id)?.();
        ends.delete(id);
        const next = line.queue.shift();
        if (next !== undefined) line.running.push(next);
      } else if (act === 'abandon' && line.queue.length > 0) {
        const [id = -1] = line.queue.splice(pick % line.queue.length, 1);
        leave.get(id)?.();
        await settle();
        assert.ok(refused.includes(id), 'one who leaves is told');
      }
      await settle();
      const running = [...model.values()].flatMap((each) => each.running).sort((a, b) => a - b);
      assert.deepEqual(
        [...ends.keys()].sort((a, b) => a - b),
        running,
      );
    }
  }
});

describe('the memory of turns', () => {
  it('nothing is kept of a key whose last turn has ended, and its next turn starts anew', async () => {
    const turns = turnsOf({ mostOfOne: 1 });
    for (let round = 0; round < 3; round++) {
      const end = await turns.take('key', patiently);
      const waiting = turns.take('key', patiently);
      end();
      (await waiting)();
      assert.equal(turns.keys, 0);
    }
  });

  it('a key is kept while somebody runs or waits, and forgotten after waits that ended early', async () => {
    const turns = turnsOf({ mostOfOne: 1 });
    const end = await turns.take('key', patiently);
    await assert.rejects(turns.take('key', () => Promise.reject(new Error('no patience'))));
    assert.equal(turns.keys, 1);
    const other = await turns.take('other', patiently);
    assert.equal(turns.keys, 2);
    end();
    other();
    assert.equal(turns.keys, 0);
  });
});
