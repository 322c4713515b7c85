// The maker of variants with processes that misbehave: what it answers, how many wait, and that it goes on.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  createVariantMaker,
  type VariantPolicy,
  type VariantReport,
} from '../../../src/adapters/variants/create-variant-maker.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { memoryLog } from '../../helpers/blobs/memory-files.ts';
import { detailOf } from '../../helpers/detail-of.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const misbehaving = new URL('./misbehaving-resizer.ts', import.meta.url);
const withoutSharp = new URL('./resizer-without-sharp.ts', import.meta.url);
const noSuchFile = new URL('../../helpers/no-such-file.ts', import.meta.url);
const here = new AbortController().signal;
const isUnavailable = (error: unknown) =>
  error instanceof Failure && error.code === 'SERVICE_UNAVAILABLE' && error.detail.retryAfterSeconds === 5;

function stage(context: TestContext, policy: Partial<VariantPolicy> = {}, entry = misbehaving) {
  const reports: VariantReport['outcome'][] = [];
  const { log, lines } = memoryLog();
  const maker = createVariantMaker(log, ({ outcome }) => reports.push(outcome), policy, entry);
  context.after(() => maker.stop());
  const copies = { open: 0, released: 0 };
  /** The path says what the process does; otherwise it answers the path after so many milliseconds. */
  const make = (path: string, milliseconds = 0, owner = asUserId('ann'), signal = here, caller = owner, pixels = 1) =>
    maker
      .make(
        { owner, caller },
        { size: String(milliseconds), format: 'webp', maxPixels: 1, pixels },
        async () => {
          copies.open += 1;
          return {
            path,
            release: async () => {
              copies.released += 1;
            },
          };
        },
        signal,
      )
      .then((bytes) => bytes?.toString());
  return { maker, make, reports, lines, copies };
}

type Order = [owner: string, caller: string, pixels: number];

describe('the maker of variants', () => {
  it('a picture that crashes, exits or takes too much memory has no variant, and the next one has', async (context) => {
    const { make, reports, copies } = stage(context);
    for (const path of ['crash', 'exit', 'memory', 'damaged']) assert.equal(await make(path), undefined, path);
    assert.equal(await make('good'), 'good');
    assert.deepEqual(reports, ['crash', 'crash', 'memory', 'failed', 'made']);
    assert.deepEqual(copies, { open: 5, released: 5 });
  });

  it('a picture that hangs has no variant, and the next one has', async (context) => {
    // Only a process that hangs takes so long: the time begins when it is ready.
    const { make, reports, copies } = stage(context, { workMilliseconds: 1500 });
    assert.equal(await make('hang'), undefined);
    assert.equal(await make('good'), 'good');
    assert.deepEqual(reports, ['time', 'made']);
    assert.deepEqual(copies, { open: 2, released: 2 });
  });

  it('the process has none of the settings of the service', async (context) => {
    process.env.SECRET_OF_THE_SERVICE = 'hidden';
    context.after(() => delete process.env.SECRET_OF_THE_SERVICE);
    const { make } = stage(context);
    assert.doesNotMatch((await make('environment')) ?? '', /hidden|HOME|PATH/);
  });

  it('one process makes one variant after the other, and ends when it is idle', async (context) => {
    const { make } = stage(context, { idleMilliseconds: 50 });
    const [first, second] = await Promise.all([make('process'), make('process')]);
    assert.ok(first !== undefined && first === second);
    await waitUntil('the end of the process', async () => !isAlive(Number(first)) || undefined);
    assert.notEqual(await make('process'), first);
  });

  it('a process that keeps much memory of a picture makes no other one', async (context) => {
    const { make } = stage(context);
    const [worn, next, last] = await Promise.all([make('worn'), make('process'), make('process')]);
    assert.ok(worn !== next && next === last);
    await waitUntil('the end of the worn process', async () => !isAlive(Number(worn)) || undefined);
  });

  it('the pictures of different users are made in turn', async (context) => {
    const { make } = stage(context);
    const made: (string | undefined)[] = [];
    const orders = ['ann', 'ann', 'ann', 'ben'].map((user, at) =>
      make(`${user}${at}`, 5, asUserId(user)).then((it) => made.push(it)),
    );
    await Promise.all(orders);
    assert.deepEqual(made, ['ann0', 'ann1', 'ben3', 'ann2']);
  });

  it('who asks for slow pictures comes after all others, and may have few waiting', async (context) => {
    const { make } = stage(context, { slowMilliseconds: 1000, mostWaitingOfSlow: 2 });
    await make('start', 0, asUserId('ben'));
    const made: (string | undefined)[] = [];
    const order = (path: string, milliseconds: number, user: UserId) =>
      make(path, milliseconds, user).then((it) => made.push(it));
    const orders = [
      order('slow', 1050, asUserId('eve')),
      order('eve1', 0, asUserId('eve')),
      order('eve2', 0, asUserId('eve')),
    ];
    for (const path of ['ann1', 'ann2', 'ann3']) orders.push(order(path, 0, asUserId('ann')));
    await orders[0];
    await assert.rejects(make('eve3', 0, asUserId('eve')), isUnavailable);
    await Promise.all(orders);
    assert.deepEqual(made, ['slow', 'ann1', 'ann2', 'ann3', 'eve1', 'eve2']);
  });

  it('a full queue and a user with too many pictures are answered at once', async (context) => {
    const { maker, make } = stage(context, { mostWaiting: 3, mostWaitingOfOne: 2 });
    const begun = [make('a', 50), make('b'), make('c')];
    await assert.rejects(make('d'), isUnavailable);
    begun.push(make('e', 0, asUserId('ben')));
    assert.equal(maker.waiting, 3);
    const last = assert.rejects(begun.splice(2, 1)[0] ?? assert.fail(), isUnavailable);
    begun.push(make('f', 0, asUserId('cleo')));
    await last;
    await assert.rejects(make('g', 0, asUserId('dora')), isUnavailable, 'nobody has more than one waiting');
    assert.equal(maker.waiting, 3);
    assert.deepEqual(await Promise.all(begun), ['a', 'b', 'e', 'f']);
  });

  it('one user cannot keep another from a picture: with many pictures behind links, with pictures of many others, or with large ones', async (context) => {
    for (const [what, fill] of [
      ['own pictures that strangers open', (_at: number): Order => ['eve', 'eve', 1]],
      ['pictures of others', (at: number): Order => [`owner ${at}`, 'eve', 1]],
      ['one large picture of each of many users', (at: number): Order => [`eve ${at}`, `eve ${at}`, 48_000_000]],
    ] as const) {
      const { maker, make } = stage(context, { mostWaiting: 30, mostWaitingOfOne: 30 });
      const made: (string | undefined)[] = [];
      const note = (making: Promise<string | undefined>) =>
        making.then(
          (it) => made.push(it),
          () => undefined,
        );
      const orders = Array.from({ length: 30 }, (_, at) => {
        const [owner, caller, pixels] = fill(at);
        return note(make(`${at}`, 1, asUserId(owner), here, asUserId(caller), pixels));
      });
      assert.equal(maker.waiting, 29);
      orders.push(note(make('mine', 1, asUserId('ann'))));
      await Promise.all(orders);
      assert.ok(made.indexOf('mine') <= 2, `${what}: ${made.indexOf('mine')} came first`);
      assert.equal(made.length, 31);
    }
  });

  it('who asks for a picture that a busy caller asked for before gets it in their own turn', async (context) => {
    const { maker, make } = stage(context);
    const made: (string | undefined)[] = [];
    const asked = new AbortController();
    const orders = Array.from({ length: 9 }, (_, at) =>
      make(`${at}`, 1, asUserId(`owner ${at}`), here, asUserId('eve')),
    );
    orders.push(make('mine', 1, asUserId('ann'), asked.signal, asUserId('eve')));
    maker.join({ owner: asUserId('ann'), caller: 'ann' }, asked.signal);
    maker.join({ owner: asUserId('ann'), caller: 'ann' }, here);
    await Promise.all(orders.map((order) => order.then((it) => made.push(it))));
    assert.ok(made.indexOf('mine') <= 2, `${made.indexOf('mine')} came first`);
  });

  it('a caller who leaves before the turn comes makes room, and the picture is not opened', async (context) => {
    const { maker, make, copies } = stage(context);
    const leaving = new AbortController();
    const first = make('a', 50);
    const second = make('b', 0, asUserId('ann'), leaving.signal);
    assert.equal(maker.waiting, 1);
    leaving.abort();
    assert.equal(maker.waiting, 0);
    await assert.rejects(second, isUnavailable);
    await assert.rejects(make('c', 0, asUserId('ann'), leaving.signal), isUnavailable);
    assert.equal(await first, 'a');
    assert.equal(copies.open, 1);
  });

  it('a turn that does not come in time is given up', async (context) => {
    const { make } = stage(context, { waitMilliseconds: 30, workMilliseconds: 60_000 });
    const first = make('a', 3000);
    await assert.rejects(make('b'), isUnavailable);
    first.catch(() => undefined);
  });

  it('an error of the storage is passed on', async (context) => {
    const { maker } = stage(context);
    const error = new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 });
    const order = { size: '16', format: 'webp', maxPixels: 1, pixels: 1 } as const;
    await assert.rejects(
      maker.make({ owner: asUserId('ann'), caller: 'ann' }, order, () => Promise.reject(error), here),
      error,
    );
  });

  it('without sharp there is no variant, one line in the log, and no second try', async (context) => {
    const { maker, make, lines, copies } = stage(context, {}, withoutSharp);
    assert.deepEqual([await make('a'), await make('b'), await maker.probe()], [undefined, undefined, undefined]);
    assert.equal(lines.length, 1);
    assert.equal(copies.open, 1);
  });

  it('a process that does not start is unavailable, not a property of the picture, and one line in the log', async (context) => {
    const { maker, make, lines, copies } = stage(context, {}, noSuchFile);
    const isPaused = (error: unknown) => error instanceof Failure && Number(detailOf(error).retryAfterSeconds) > 5;
    await Promise.all(['a', 'b', 'c'].map((path) => assert.rejects(make(path), isPaused)));
    assert.deepEqual([lines.length, copies], [1, { open: 1, released: 1 }]);
    assert.deepEqual(await maker.probe(), { kind: 'broken', reason: 'exit code 1' });
  });

  it('a process that does not start is started again after a pause', async (context) => {
    const { make, copies } = stage(context, { pauseMilliseconds: 0 }, noSuchFile);
    for (const path of ['a', 'b']) await assert.rejects(make(path), Failure);
    assert.deepEqual(copies, { open: 2, released: 2 });
  });

  it('a maker that stops ends its process and refuses what waits', async (context) => {
    const { maker, make } = stage(context);
    const pid = Number(await make('process'));
    const waiting = [make('hang'), make('a')];
    const refused = Promise.all(waiting.map((one) => assert.rejects(one, isUnavailable)));
    await maker.stop();
    await refused;
    assert.equal(isAlive(pid), false);
    await assert.rejects(make('b'), isUnavailable);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
