// The times of the HTTP server that clients and load balancers rely on.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serverTimes } from '../../../src/http/server/server-times.ts';

describe('the times of the HTTP server', () => {
  it('a head and a body have ten seconds each, and a late head is noticed within a second', () => {
    assert.deepEqual([serverTimes.headersMilliseconds, serverTimes.bodyMilliseconds], [10_000, 10_000]);
    assert.ok(serverTimes.checkMilliseconds <= 1000);
  });

  it('a reader that takes no bytes has a minute', () => assert.equal(serverTimes.stalledMilliseconds, 60_000));

  it('an idle connection outlives the minute after which load balancers close it', () =>
    assert.ok(serverTimes.keepAliveMilliseconds > 60_000));
});
