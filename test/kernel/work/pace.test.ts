// The rule of pace: how long background work rests, how large its next piece is, and that it never uses more than its share.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createPacer,
  nextSize,
  type Pace,
  pauseAfter,
  repeatWhileFull,
  type Turn,
} from '../../../src/kernel/work/pace.ts';

const pace: Pace = { share: 0.25, pieceMilliseconds: 20, least: 100, most: 1000 };

/** The time passes by `work` and by rests only. */
function scene() {
  let now = 0;
  let rested = 0;
  const stopping = new AbortController();
  const turn: Turn = {
    stop: stopping.signal,
    time: () => now,
    rest: async (milliseconds) => {
      now += milliseconds;
      rested += milliseconds;
    },
  };
  const work = (milliseconds: number) => {
    now += milliseconds;
  };
  return { turn, work, stop: () => stopping.abort(), rested: () => rested, now: () => now };
}

describe('the pause after work', () => {
  const cases: [worked: number, share: number, pause: number][] = [
    [20, 0.25, 60],
    [2000, 0.25, 6000],
    [20, 0.5, 20],
    [20, 1, 0],
    [0, 0.25, 0],
  ];
  for (const [worked, share, pause] of cases)
    it(`of ${worked} ms with a share of ${share} is ${pause} ms`, () => assert.equal(pauseAfter(worked, share), pause));
});

describe('the size of the next piece', () => {
  const cases: [name: string, size: number, worked: number, next: number][] = [
    ['stays if the piece took as long as it should', 400, 20, 400],
    ['grows in proportion', 400, 16, 500],
    ['shrinks in proportion', 400, 25, 320],
    ['doubles at most', 400, 0, 800],
    ['halves at least', 400, 5000, 200],
    ['has a lower bound', 120, 5000, 100],
    ['has an upper bound', 800, 1, 1000],
  ];
  for (const [name, size, worked, next] of cases) it(name, () => assert.equal(nextSize(size, worked, pace), next));
});

describe('paced work', () => {
  it('uses its share of the time, however long its pieces are', async () => {
    const { turn, work, now, rested } = scene();
    const paced = createPacer(pace, turn);
    const lengths = [20, 7, 9, 400, 25, 1, 1, 60];
    for (const length of lengths) await paced(async () => work(length));
    await paced(async () => undefined);
    const worked = lengths.reduce((sum, length) => sum + length, 0);
    assert.equal(rested(), worked * 3);
    assert.equal(now(), worked * 4);
  });

  it('rests after a piece that failed as well', async () => {
    const { turn, work, rested } = scene();
    const paced = createPacer(pace, turn);
    const fail = async () => {
      work(2500);
      throw new Error('too slow');
    };
    await assert.rejects(paced(fail), /too slow/);
    assert.deepEqual(await paced(async () => 'done'), { value: 'done', milliseconds: 0 });
    assert.equal(rested(), 7500);
  });

  it('does not rest where there is little to do', async () => {
    const { turn, work, rested } = scene();
    const paced = createPacer(pace, turn);
    for (let look = 0; look < 19; look++) await paced(async () => work(1));
    assert.equal(rested(), 0);
  });

  it('is repeated while its pieces are full, in larger pieces while they are quick', async () => {
    const { turn, work } = scene();
    const sizes: number[] = [];
    let left = 2000;
    await repeatWhileFull(pace, turn, async (size) => {
      sizes.push(size);
      const done = Math.min(left, size);
      left -= done;
      work(done / 20);
      return { isFull: done === size };
    });
    assert.equal(left, 0);
    assert.deepEqual(sizes, [100, 200, 400, 400, 400, 400, 400]);
  });

  it('ends after the piece during which it is stopped', async () => {
    const { turn, stop } = scene();
    let pieces = 0;
    await repeatWhileFull(pace, turn, async () => {
      if (++pieces === 3) stop();
      return { isFull: true };
    });
    assert.equal(pieces, 3);
  });
});
