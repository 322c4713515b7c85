// The rules of uploads in several requests: what a failure means, how large the next slice is, and how long to wait.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ErrorCode } from '../../client/src/gatehouse-error.ts';
import { judgeFailure, type Verdict } from '../../client/src/judge-failure.ts';
import { appendLimitOf, nextSlice, smallerSlice } from '../../client/src/slice-size.ts';
import { createReport } from '../../client/src/upload-report.ts';
import { pauseBefore, waitFor } from '../../client/src/wait-for.ts';

describe('the rules of an upload in several requests', () => {
  const failures: readonly (readonly [ErrorCode, number, Verdict])[] = [
    ['NETWORK', 0, 'wait'],
    ['NETWORK', 502, 'wait'],
    ['NETWORK', 504, 'wait'],
    ['REQUEST_TIMEOUT', 408, 'wait'],
    ['RATE_LIMITED', 429, 'wait'],
    ['STORAGE_UNAVAILABLE', 503, 'wait'],
    ['UPLOAD_IN_PROGRESS', 409, 'wait'],
    ['UPLOAD_OFFSET_WRONG', 409, 'offset'],
    ['NETWORK', 413, 'smaller'],
    ['BODY_TOO_LARGE', 413, 'smaller'],
    ['FILE_TOO_LARGE', 413, 'final'],
    ['REQUEST_INVALID', 400, 'final'],
    ['UPLOAD_NOT_FOUND', 404, 'again'],
    ['UPLOAD_EXPIRED', 410, 'again'],
    ['INTERNAL_ERROR', 500, 'some'],
    ['STORAGE_FULL', 507, 'some'],
    ['NETWORK', 404, 'some'],
    ['NETWORK', 401, 'some'],
    ['REFRESH_TOKEN_EXPIRED', 401, 'final'],
    ['IDEMPOTENCY_KEY_REUSED', 422, 'final'],
    ['FILE_UNREADABLE', 0, 'final'],
    ['NOT_FOUND', 404, 'some'],
    ['FILE_EMPTY', 400, 'final'],
  ];
  for (const [code, status, verdict] of failures)
    it(`the failure ${code} with status ${status} means “${verdict}”`, () => {
      assert.equal(judgeFailure({ code, status }), verdict);
    });

  it('a node of a version without such uploads, which takes their creation for an empty file, is asked a few times', () => {
    assert.equal(judgeFailure({ code: 'FILE_EMPTY', status: 400 }, true), 'some');
  });

  it('the limit of a request is read from the header, or is a usual one', () => {
    assert.equal(appendLimitOf('max-size=1, max-append-size=50000000, max-age=86400'), 50_000_000);
    assert.equal(appendLimitOf('max-append-size=7'), 7);
    for (const none of [null, '', 'max-append-size=0', 'max-append-size=x', 'x-max-append-size=5'])
      assert.equal(appendLimitOf(none), 32 * 2 ** 20);
  });

  it('the next slice is larger after a quick one, smaller after a slow one, and stays between 1 MiB and the limit', () => {
    assert.equal(nextSlice(8_000_000, 4_999, 50_000_000), 16_000_000);
    assert.equal(nextSlice(8_000_000, 5_000, 50_000_000), 8_000_000);
    assert.equal(nextSlice(8_000_000, 20_001, 50_000_000), 4_000_000);
    assert.equal(nextSlice(30_000_000, 1, 50_000_000), 50_000_000);
    assert.equal(nextSlice(2 ** 20, 60_000, 50_000_000), 2 ** 20);
    assert.equal(smallerSlice(8_000_001), 4_000_000);
    assert.equal(smallerSlice(2 ** 20 + 1), 2 ** 20);
    assert.equal(smallerSlice(1000), 1000);
  });

  it('the pause doubles up to 30 seconds with jitter, and is at least what the service asks for', () => {
    for (const [attempt, most] of [
      [0, 300],
      [1, 600],
      [6, 19_200],
      [7, 30_000],
      [1e9, 30_000],
    ] as const) {
      const pause = pauseBefore(attempt, undefined);
      assert.ok(pause >= most / 2 && pause <= most, `${attempt}: ${pause}`);
    }
    const asked = pauseBefore(9, 60);
    assert.ok(asked >= 60_150 && asked <= 60_300, `${asked}`);
  });

  it('a wait ends with the caller’s wake-up, and with the event online', async (t) => {
    await waitFor(1e9, (wake) => {
      queueMicrotask(wake);
      return () => undefined;
    });
    const page = new EventTarget();
    t.mock.method(globalThis, 'setTimeout', () => 0);
    Object.assign(globalThis, {
      addEventListener: page.addEventListener.bind(page),
      removeEventListener: page.removeEventListener.bind(page),
    });
    t.after(() => {
      Reflect.deleteProperty(globalThis, 'addEventListener');
      Reflect.deleteProperty(globalThis, 'removeEventListener');
    });
    const waiting = waitFor(1e9, () => () => undefined);
    page.dispatchEvent(new Event('online'));
    await waiting;
  });

  it('the progress never becomes less, begins where an earlier page was, and ends at the size', () => {
    const sizes: number[] = [];
    const states: string[] = [];
    const report = createReport(
      100,
      { onProgress: ({ sentBytes }) => sizes.push(sentBytes), onState: (state) => states.push(state) },
      30,
    );
    for (const bytes of [0, 20, 40, 40, 10, 150]) report.progress(bytes);
    assert.deepEqual(sizes, [30, 40, 100]);
    for (const state of ['sending', 'sending', 'waiting', 'sending'] as const) report.state(state);
    assert.deepEqual(states, ['sending', 'waiting', 'sending']);
  });
});
