// The rules of the upload queue: who may start, what a lost network changes, and that progress never goes backwards.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  advance,
  emptyQueue,
  findStartable,
  isRunning,
  mostParallel,
  newUpload,
  orderForShow,
  overlook,
  type QueueEvent,
  type Upload,
  type UploadQueue,
  type UploadState,
  wouldLose,
} from '../../web/account/upload-queue.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';

const queued = (key: string, changes: Partial<Upload> = {}): Upload => ({
  ...newUpload({ key, name: `${key}.txt`, size: 100, type: 'text/plain', purpose: 'document' }),
  ...changes,
});

const queueOf = (...uploads: readonly Upload[]): UploadQueue => ({ ...emptyQueue, uploads });
const run = (queue: UploadQueue, ...events: readonly QueueEvent[]) => events.reduce(advance, queue);
const stateOf = ({ uploads }: UploadQueue, key: string) => uploads.find((one) => one.key === key)?.state;
const keysOf = (uploads: readonly Upload[]) => uploads.map(({ key }) => key);

describe('the upload queue', () => {
  it('the upload queue starts the three oldest files, and the next when one is stored', () => {
    const five = queueOf(...['a', 'b', 'c', 'd', 'e'].map((key) => queued(key)));
    assert.deepEqual(keysOf(findStartable(five, 0)), ['a', 'b', 'c']);
    const busy = run(five, ...(['a', 'b', 'c'] as const).map((key) => ({ kind: 'started', key }) as const));
    assert.deepEqual(findStartable(busy, 0), []);
    assert.deepEqual(keysOf(findStartable(run(busy, { kind: 'stored', key: 'b' }), 0)), ['d']);
    assert.deepEqual(keysOf(findStartable(run(busy, { kind: 'paused', key: 'c' }), 0)), ['d']);
  });

  it('the upload queue starts nothing while the browser is offline, and everything that waits as soon as it is online', () => {
    const offline = run(queueOf(queued('a')), { kind: 'started', key: 'a' }, { kind: 'disconnected' });
    const waiting = run(offline, { kind: 'lost', key: 'a', now: 5 });
    assert.deepEqual(findStartable(waiting, 1_000_000), []);
    assert.deepEqual(keysOf(findStartable(run(waiting, { kind: 'connected' }), 6)), ['a']);
  });

  it('the upload queue waits longer after each attempt that does not reach the service, and never gives up', () => {
    let queue = queueOf(queued('a'));
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      queue = run(queue, { kind: 'started', key: 'a' }, { kind: 'lost', key: 'a', now: 0 });
      pauses.push(queue.startsAt);
    }
    assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    assert.equal(stateOf(queue, 'a'), 'waiting');
    const going = run(
      queue,
      { kind: 'started', key: 'a' },
      { kind: 'progressed', key: 'a', sentBytes: 1, bytesPerSecond: 1 },
    );
    assert.equal(run(going, { kind: 'lost', key: 'a', now: 0 }).startsAt, 1000);
  });

  it('the upload queue gives up on a file after the service could not take it five times, and starts anew when the user tries again', () => {
    const start = { kind: 'started', key: 'a' } as const;
    const stumble = { kind: 'stumbled', key: 'a', now: 0, message: 'full' } as const;
    const four = run(queueOf(queued('a')), start, stumble, start, stumble, start, stumble, start, stumble);
    assert.deepEqual([stateOf(four, 'a'), four.startsAt], ['waiting', 8000]);
    const five = run(four, start, stumble);
    assert.deepEqual([stateOf(five, 'a'), five.uploads[0]?.message], ['failed', 'full']);
    const again = run(five, { kind: 'retried', key: 'a' });
    assert.deepEqual(keysOf(findStartable(again, 0)), ['a']);
    assert.deepEqual([again.uploads[0]?.message, again.uploads[0]?.faults], [undefined, 0]);
  });

  it('the upload queue waits as long as the service asks, before any file starts', () => {
    const queue = run(
      queueOf(queued('a'), queued('b')),
      { kind: 'started', key: 'a' },
      { kind: 'postponed', key: 'a', until: 900 },
    );
    assert.deepEqual(findStartable(queue, 899), []);
    assert.deepEqual(keysOf(findStartable(queue, 900)), ['a', 'b']);
  });

  it('a report of progress is bounded by the size, keeps the highest value, and is ignored once the upload does not run', () => {
    const report = (sentBytes: number) => ({ kind: 'progressed', key: 'a', sentBytes, bytesPerSecond: 7 }) as const;
    const sending = run(queueOf(queued('a')), { kind: 'started', key: 'a' }, report(60));
    assert.deepEqual([sending.uploads[0]?.sentBytes, stateOf(sending, 'a')], [60, 'sending']);
    const again = run(sending, { kind: 'lost', key: 'a', now: 0 }, { kind: 'started', key: 'a' }, report(10));
    assert.equal(again.uploads[0]?.sentBytes, 60);
    const whole = run(again, report(130));
    assert.deepEqual([whole.uploads[0]?.sentBytes, stateOf(whole, 'a')], [100, 'checking']);
    const paused = run(again, { kind: 'paused', key: 'a' }, report(90));
    assert.deepEqual([paused.uploads[0]?.sentBytes, stateOf(paused, 'a')], [60, 'paused']);
  });

  it('the list goes away when every file is stored, and stays while one needs the user', () => {
    const done = run(queueOf(queued('a'), queued('b')), { kind: 'stored', key: 'a' }, { kind: 'stored', key: 'b' });
    assert.deepEqual([done.uploads, done.justStored], [[], 2]);
    const left = run(queueOf(queued('a'), queued('b', { state: 'failed' })), { kind: 'stored', key: 'a' });
    assert.deepEqual(keysOf(left.uploads), ['a', 'b']);
    assert.deepEqual(keysOf(run(left, { kind: 'finished-removed' }).uploads), ['b']);
    assert.equal(run(left, { kind: 'dismissed', key: 'b' }).justStored, 1);
  });

  it('the overview counts what is stored of what shall be stored, in files and in bytes', () => {
    const queue = queueOf(
      queued('a', { state: 'stored' }),
      queued('b', { state: 'sending', sentBytes: 50 }),
      queued('c', { state: 'failed' }),
      queued('d', { state: 'refused' }),
      queued('e', { state: 'cancelled' }),
      queued('f'),
    );
    assert.deepEqual(overlook(queue), { total: 4, stored: 1, failed: 1, finished: 3, share: 0.375 });
    assert.equal(overlook(emptyQueue).share, 0);
    assert.deepEqual(keysOf(orderForShow(queue)), ['c', 'd', 'e', 'b', 'f']);
  });

  it('leaving the page loses an upload only if it goes on and the browser does not keep its bytes', () => {
    const cases: readonly [UploadState, boolean, boolean][] = [
      ['waiting', false, true],
      ['waiting', true, false],
      ['sending', false, true],
      ['checking', true, false],
      ['paused', false, true],
      ['missing', false, false],
      ['failed', false, false],
      ['stored', false, false],
    ];
    for (const [state, isKept, isLost] of cases)
      assert.equal(wouldLose(queueOf(queued('a', { state, isKept }))), isLost, `${state} ${isKept}`);
    assert.equal(wouldLose(run(queueOf(queued('a')), { kind: 'kept', key: 'a' })), false);
  });

  it('a file with another purpose is another upload that starts from nothing', () => {
    const refused = queued('a', { state: 'refused', message: 'too large', sentBytes: 40 });
    const moved = run(queueOf(refused), { kind: 'moved', key: 'a', newKey: 'b', purpose: 'attachment' });
    assert.deepEqual(moved.uploads, [queued('b', { name: 'a.txt', purpose: 'attachment' })]);
  });

  it('whatever happens, at most three files run, no file is lost, and no shown progress goes backwards', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const event: fc.Arbitrary<QueueEvent> = fc.oneof(
      fc.record({ kind: fc.constantFrom('stored', 'paused', 'resumed', 'retried', 'kept'), key }),
      fc.record({ kind: fc.constant('lost'), key, now: fc.nat(100) }),
      fc.record({ kind: fc.constant('postponed'), key, until: fc.nat(100) }),
      fc.record({ kind: fc.constant('stumbled'), key, now: fc.nat(100), message: fc.constant('busy') }),
      fc.record({ kind: fc.constant('progressed'), key, sentBytes: fc.nat(120), bytesPerSecond: fc.nat(9) }),
      fc.record({ kind: fc.constantFrom('connected', 'disconnected') }),
    );
    const holds = (events: readonly QueueEvent[]) => {
      let queue = queueOf(...['a', 'b', 'c', 'd', 'e'].map((each) => queued(each)));
      for (const next of events) {
        const before = queue;
        queue = advance(queue, next);
        for (const started of findStartable(queue, 100_000))
          queue = advance(queue, { kind: 'started', key: started.key });
        assert.ok(queue.uploads.filter(isRunning).length <= mostParallel);
        assert.ok(queue.uploads.length === 5 || queue.justStored === 5);
        for (const { key: each, sentBytes } of queue.uploads)
          assert.ok(sentBytes >= (before.uploads.find((one) => one.key === each)?.sentBytes ?? 0));
      }
    };
    fc.assert(fc.property(fc.array(event, { maxLength: 60 }), holds), { numRuns: rounds(200), seed });
  });
});
