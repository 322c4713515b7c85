// The advice after a test event that was not accepted.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { adviceOn } from '../../../src/commands/webhooks/webhooks-test.ts';

describe('the advice on an answer', () => {
  for (const [answer, advice] of [
    ['HTTP 301', /Redirects are not followed/],
    ['HTTP 401', /same WEBHOOK_SECRET/],
    ['HTTP 403', /same WEBHOOK_SECRET/],
    ['HTTP 404', /Any 2xx status counts/],
    ['HTTP 500', /Any 2xx status counts/],
    ['connection refused', /did not answer/],
    ['time-out', /did not answer/],
  ] as const) {
    it(`${answer} is ${advice.source}`, () => assert.match(adviceOn(answer), advice));
  }
});
