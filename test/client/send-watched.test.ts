// A request of an upload ends when nothing has moved for too long, however large the file is, and when the device goes offline.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Send } from '../../client/src/send-bytes.ts';
import { finishSeconds, patienceFor, sendWatched } from '../../client/src/send-watched.ts';

const wire = { base: '', isCookie: false, language: undefined, fetch };
const answer = { status: 200, header: () => null, text: '{}' };

/** A request that hangs until it is aborted or answered. `ended` says how it ended. */
function start(t: TestContext, mostSeconds: number) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const caller = new AbortController();
  let move: (bytes: number) => void = () => undefined;
  let respond: () => void = () => undefined;
  const send: Send = (_wire, { signal, onProgress }) => {
    move = onProgress;
    return new Promise((resolve, reject) => {
      respond = () => resolve(answer);
      signal?.addEventListener('abort', () => reject(new Error('aborted')));
      if (signal?.aborted) reject(new Error('aborted'));
    });
  };
  const progress: number[] = [];
  const transfer = { method: 'POST', url: '/', headers: {}, onProgress: (bytes: number) => void progress.push(bytes) };
  const sent = sendWatched(send, wire, { ...transfer, signal: caller.signal }, mostSeconds);
  let ended: unknown;
  sent.then(
    () => {
      ended = 'answered';
    },
    ({ code }) => {
      ended = code;
    },
  );
  return {
    progress,
    caller,
    move: (bytes: number) => move(bytes),
    respond: () => respond(),
    tick: async (seconds: number) => {
      t.mock.timers.tick(seconds * 1000);
      await new Promise((resolve) => setImmediate(resolve));
      return ended;
    },
  };
}

describe('a watched request', () => {
  it('ends as a lost connection when nothing has moved for longer than it may', async (t) => {
    const { tick } = start(t, 60);
    assert.equal(await tick(60), undefined);
    assert.equal(await tick(5), 'NETWORK');
  });

  it('goes on as long as something moves', async (t) => {
    const { tick, move, respond, progress } = start(t, 60);
    for (let bytes = 1; bytes <= 10; bytes++) {
      assert.equal(await tick(60), undefined);
      move(bytes);
    }
    respond();
    assert.equal(await tick(0), 'answered');
    assert.deepEqual(progress, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.equal(await tick(600), 'answered');
  });

  it('is aborted, and not lost, if the caller stops it, before and during', async (t) => {
    const { tick, caller } = start(t, 60);
    caller.abort();
    assert.equal(await tick(0), 'ABORTED');
  });

  it('may stand still for longer if nothing is known about its progress, by the size of the file', () => {
    const blind: Send = async () => answer;
    const bytes = new Blob([new Uint8Array(2 ** 20)]);
    assert.equal(patienceFor(blind, bytes, 60), 60 + 64);
    assert.equal(finishSeconds(blind, bytes), 180 + 64);
  });
});
