// The queue of calls for a database that the test plays: who begins, who is refused and when, and who leaves.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Failure } from '../../../src/kernel/failure.ts';
import { forClient, withoutClient } from '../../../src/kernel/work/waiting-client.ts';
import {
  type BatchTime,
  type CallOutcome,
  type CallQueue,
  createCallDesk,
  createCallQueue,
} from '../../../src/store/engine/call-queue.ts';
import { callWaits } from '../../../src/store/engine/call-waits.ts';
import { detailOf } from '../../helpers/detail-of.ts';

type Run = {
  readonly inputs: readonly number[];
  readonly time: BatchTime;
  end(outcomes: readonly CallOutcome[]): void;
};

describe('calls for a database', () => {
  let now = 0;
  let runs: Run[];
  let troubles: string[];
  let queue: CallQueue<number>;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    [now, runs, troubles] = [0, [], []];
    const desk = createCallDesk(
      ({ message }) => troubles.push(message),
      callWaits,
      () => now,
    );
    queue = createCallQueue(desk, {
      batchesAtOnce: 2,
      perBatch: 3,
      run: (inputs, time, end) => runs.push({ inputs, time, end }),
    });
  });
  afterEach(() => mock.timers.reset());

  /** What became of each call. */
  const send = (input: number): { state: string } => {
    const call = { state: 'waits' };
    queue.send(input).then(
      (value) => {
        call.state = `got ${value}`;
      },
      (error) => {
        call.state = error instanceof Failure ? `${error.code} ${detailOf(error).retryAfterSeconds}` : String(error);
      },
    );
    return call;
  };
  const sendAll = (count: number) => Array.from({ length: count }, (_, index) => send(index));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const pass = async (milliseconds: number) => {
    for (let past = 0; past < milliseconds; past += 100) {
      now += 100;
      mock.timers.tick(100);
    }
    await settled();
  };
  const answer = async (run: Run | undefined) => {
    run?.end(run.inputs.map((input) => ({ value: input })));
    await settled();
  };
  const refused = 'SERVICE_UNAVAILABLE 1';

  it('share batches in their order, and no more run at once than may', async () => {
    const calls = sendAll(8);
    await settled();
    assert.deepEqual(
      runs.map(({ inputs }) => inputs),
      [[0, 1, 2]],
    );
    send(8);
    await settled();
    await answer(runs[0]);
    assert.deepEqual(
      runs.map(({ inputs }) => inputs),
      [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8],
      ],
    );
    assert.equal(calls[2]?.state, 'got 2');
    assert.equal(calls[3]?.state, 'waits');
  });

  it('behind a database that hangs, the last ones are refused at once, the others when their turn would come too late, those that began after five seconds', async () => {
    const first = sendAll(3);
    await settled();
    const second = sendAll(3);
    await settled();
    const behind = sendAll(30);
    assert.equal(runs.length, 2);
    await pass(1100);
    const waiting = behind.map(({ state }) => state === 'waits');
    assert.deepEqual(waiting.indexOf(false), 12, 'two rounds of 1.1 s fit in three seconds');
    await pass(2100);
    assert.ok(behind.every(({ state }) => state === refused));
    assert.equal(first[0]?.state, 'waits');
    const late = send(99);
    await settled();
    assert.equal(late.state, refused, 'at once');
    const cuts: Run[] = [];
    for (const run of runs) run.time.cut = () => void cuts.push(run);
    await pass(1800);
    assert.ok([...first, ...second].every(({ state }) => state === refused));
    assert.deepEqual(cuts, runs);
    assert.ok(runs.every(({ time }) => time.isOver));
    assert.ok(troubles.length > 0);
  });

  it('are served at once when the database is back', async () => {
    sendAll(3);
    await settled();
    await pass(5000);
    runs[0]?.end([{ error: new Error('broken') }]);
    const call = send(7);
    await settled();
    await answer(runs[1]);
    assert.equal(call.state, 'got 7');
  });

  it('never begin when their client has left before, and are done when it leaves later', async () => {
    const client = { isGone: false };
    sendAll(3);
    await settled();
    sendAll(3);
    await settled();
    const [begun, waiting] = [runs.length, forClient(client, send, 100)];
    const other = send(101);
    client.isGone = true;
    const cleaning = forClient(client, send, 102);
    await answer(runs[0]);
    assert.deepEqual(runs[begun]?.inputs, [101, 102], 'what begins after it left cleans up');
    assert.equal(waiting.state, refused);
    await answer(runs[begun]);
    assert.deepEqual([other.state, cleaning.state], ['got 101', 'got 102']);
  });

  it('of a client that has left free their place at the next tick, although nothing ends', async () => {
    const client = { isGone: false };
    sendAll(3);
    await settled();
    sendAll(3);
    await settled();
    const calls = forClient(client, () => sendAll(5));
    const shared = forClient(client, () => withoutClient(() => send(7)));
    client.isGone = true;
    await pass(100);
    assert.ok(calls.every(({ state }) => state === refused));
    assert.equal(shared.state, 'waits');
  });

  it('wait however long it takes if nobody is in a hurry', async () => {
    const unhurried = queue.sendUnhurried(1);
    await pass(600_000);
    await answer(runs[0]);
    assert.equal(await unhurried, 1);
  });

  it('are refused after a fault, and those that wait and run with them', async () => {
    const calls = sendAll(9);
    await settled();
    queue.fail(new Error('the store is closed'));
    await settled();
    const later = send(1);
    await settled();
    assert.ok([...calls, later].every(({ state }) => state === refused));
  });

  it('a process that slept refuses nobody for it', async () => {
    const [call] = sendAll(1);
    await settled();
    now += 3_600_000;
    await pass(100);
    await answer(runs[0]);
    assert.equal(call?.state, 'got 0');
  });
});
