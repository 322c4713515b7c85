// “100 Continue”: sent when the body is read, once, and never after an answer.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { allowContinue, holdContinue } from '../../../../src/http/server/connections/expect-continue.ts';

function stage(event: 'checkContinue' | 'checkExpectation' | 'request') {
  const server = new EventEmitter();
  const seen: unknown[] = [];
  const request = {} as IncomingMessage;
  const response = { headersSent: false, writeContinue: () => seen.push('continue') };
  holdContinue(server as unknown as Server);
  server.on('request', (...given) => seen.push(given));
  server.emit(event, request, response);
  return { request, response: response as unknown as ServerResponse & { headersSent: boolean }, seen };
}

describe('a request that expects “100 Continue”', () => {
  it('the request is handled at once, and continued when its body is read, once', () => {
    const { request, response, seen } = stage('checkContinue');
    assert.deepEqual(seen, [[request, response]]);
    allowContinue(request);
    allowContinue(request);
    assert.deepEqual(seen.slice(1), ['continue']);
  });

  it('a request that was answered already is not continued', () => {
    const { request, response, seen } = stage('checkContinue');
    response.headersSent = true;
    allowContinue(request);
    assert.equal(seen.length, 1);
  });

  it('another expectation is ignored: the request is handled and not continued', () => {
    for (const event of ['checkExpectation', 'request'] as const) {
      const { request, response, seen } = stage(event);
      allowContinue(request);
      assert.deepEqual(seen, [[request, response]]);
    }
  });
});
