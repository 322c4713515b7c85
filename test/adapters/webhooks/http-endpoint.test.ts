// How the answer of an app to an event is judged, and what the endpoint shows of its URL.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHttpEndpoint, judge } from '../../../src/adapters/webhooks/http-endpoint.ts';

describe('the answer of an app', () => {
  for (const [status, retryAfter, expected] of [
    [200, undefined, { kind: 'delivered', status: 200 }],
    [299, '60', { kind: 'delivered', status: 299 }],
    [302, undefined, { kind: 'failed', error: 'HTTP 302' }],
    [401, undefined, { kind: 'failed', error: 'HTTP 401' }],
    [410, '60', { kind: 'hopeless', error: 'HTTP 410' }],
    [429, '60', { kind: 'failed', error: 'HTTP 429', retryAfterSeconds: 60 }],
    [503, '0', { kind: 'failed', error: 'HTTP 503' }],
    [503, '-5', { kind: 'failed', error: 'HTTP 503' }],
    [503, 'Wed, 21 Oct 2015 07:28:00 GMT', { kind: 'failed', error: 'HTTP 503' }],
    [503, '', { kind: 'failed', error: 'HTTP 503' }],
  ] as const) {
    it(`${status} with retry-after ${JSON.stringify(retryAfter)} is ${expected.kind}`, () =>
      assert.deepEqual(judge({ status, retryAfter }), expected));
  }
});

describe('a webhook endpoint', () => {
  it('shows its id and host, and not the rest of its URL', () => {
    const { id, host, ...rest } = createHttpEndpoint({ id: 'id', url: 'https://app.example.com:81/hooks/TOKEN' }, []);
    assert.deepEqual([id, host], ['id', 'app.example.com:81']);
    assert.deepEqual(Object.keys(rest), ['post']);
  });
});
