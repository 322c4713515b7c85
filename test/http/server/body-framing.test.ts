// The framing of a chunked body: bounded against its content, and only where a body can be split at all.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { mayBeCostly, watchFraming } from '../../../src/http/server/body-framing.ts';

function requestOf(headers: Record<string, string>) {
  const state = { headers, socket: { bytesRead: 1000 }, readableLength: 0, complete: false, readableDidRead: false };
  return { state, request: state as unknown as IncomingMessage };
}
const chunked = { 'transfer-encoding': 'chunked' };
const free = 32 * 1024;

describe('the framing of a body', () => {
  for (const [framing, content, expected] of [
    [0, 0, false],
    [free, 0, false],
    [free + 1, 0, true],
    [free + 500, 1000, false],
    [free + 501, 1000, true],
    [5 * 10_000, 10_000, true],
    [5 * 1000, 10_000, false],
  ] as const) {
    it(`${framing} bytes of framing for ${content} bytes of content are ${expected ? 'too many' : 'accepted'}`, () => {
      const { state, request } = requestOf(chunked);
      const isTooMuch = watchFraming(request);
      state.socket.bytesRead += framing + content;
      assert.equal(isTooMuch(content), expected);
      state.readableDidRead = true;
      assert.equal(mayBeCostly(request), expected);
    });
  }

  it('bytes that wait in the stream are content, before the watch and during it', () => {
    const { state, request } = requestOf(chunked);
    state.readableLength = 100;
    const isTooMuch = watchFraming(request);
    state.socket.bytesRead += free + 200;
    state.readableLength = 300;
    assert.equal(isTooMuch(0), false);
    state.readableLength = 299;
    assert.equal(isTooMuch(0), true);
  });

  it('bytes after a complete body belong to the next request', () => {
    const { state, request } = requestOf(chunked);
    const isTooMuch = watchFraming(request);
    state.socket.bytesRead += 10 * free;
    state.complete = true;
    assert.equal(isTooMuch(0), false);
  });

  it('a body with a declared length cannot be split, and is never too fine or costly', () => {
    const { state, request } = requestOf({ 'content-length': '5' });
    const isTooMuch = watchFraming(request);
    state.socket.bytesRead += 10 * free;
    assert.deepEqual([isTooMuch(0), mayBeCostly(request)], [false, false]);
  });

  it('a chunked body of which nothing was read may be costly', () => {
    const { state, request } = requestOf(chunked);
    assert.equal(mayBeCostly(request), true);
    state.readableDidRead = true;
    assert.equal(mayBeCostly(request), false);
  });
});
