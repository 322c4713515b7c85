// The chunks of a body: bounded against its content, and only where a body can be split at all.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { mayBeCostly, noteBodyStart, watchFraming } from '../../../../src/http/server/connections/body-framing.ts';

function requestOf(headers: Record<string, string>) {
  const state = { headers, socket: { bytesRead: 1000 }, readableLength: 0, complete: false, readableDidRead: false };
  return { state, request: state as unknown as IncomingMessage };
}
const chunked = { 'transfer-encoding': 'chunked' };
const free = 6000;

describe('the framing of a body', () => {
  for (const [chunks, content, expected] of [
    [0, 0, false],
    [free, free, false],
    [free + 601, free, true],
    [free + 100, 1000, false],
    [free + 101, 1000, true],
    [10_000, 10_000, true],
    [100_000, 1_000_000, false],
  ] as const) {
    it(`${chunks} chunks with ${content} bytes of content are ${expected ? 'too many' : 'accepted'}`, () => {
      const { state, request } = requestOf(chunked);
      assert.equal(watchFraming(request)(chunks, content), expected);
      state.readableDidRead = true;
      assert.equal(mayBeCostly(request), expected);
    });
  }

  for (const [framing, content, expected] of [
    [192 * 1024, 0, false],
    [192 * 1024 + 1, 0, true],
    [300_000, 200_000, false],
    [400_000, 200_000, true],
  ] as const)
    it(`${framing} bytes around ${content} of content are ${expected ? 'too many' : 'accepted'}`, () => {
      const { state, request } = requestOf(chunked);
      const isTooMuch = watchFraming(request);
      state.socket.bytesRead += framing + content;
      assert.equal(isTooMuch(10, content), expected);
      state.readableDidRead = true;
      assert.equal(mayBeCostly(request), expected);
    });

  it('bytes that came between the arrival of the request and the start of reading count', () => {
    const { state, request } = requestOf(chunked);
    noteBodyStart(request);
    state.socket.bytesRead += 200_000;
    state.readableLength = 50;
    const isTooMuch = watchFraming(request);
    state.readableLength = 0;
    assert.equal(isTooMuch(5, 50), true);
  });

  it('what waits in the stream is content, whether it came before the watch began or after', () => {
    const { state, request } = requestOf(chunked);
    state.socket.bytesRead = 500_000;
    state.readableLength = 400_000;
    const isTooMuch = watchFraming(request);
    state.socket.bytesRead += 200_000;
    state.readableLength += 200_000;
    assert.equal(isTooMuch(0, 0), false);
    state.readableLength = 0;
    assert.equal(isTooMuch(10, 600_000), false);
  });

  it('a body that is complete causes no more cost', () => {
    const { state, request } = requestOf(chunked);
    state.complete = true;
    assert.equal(watchFraming(request)(10 * free, 0), false);
  });

  it('a body with a declared length cannot be split, and is never too fine or costly', () => {
    const { request } = requestOf({ 'content-length': '5' });
    assert.deepEqual([watchFraming(request)(10 * free, 0), mayBeCostly(request)], [false, false]);
  });

  it('a chunked body that was not read may be costly', () => {
    const { state, request } = requestOf(chunked);
    assert.equal(mayBeCostly(request), true);
    state.readableDidRead = true;
    assert.equal(mayBeCostly(request), false);
  });
});
