// How an answer of Twilio is judged: accepted, in doubt, refused, or never to be accepted.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge } from '../../../src/adapters/sms/twilio.ts';

describe('an answer of Twilio', () => {
  for (const [status, text, kind, error] of [
    [201, '{"sid":"SM1","status":"queued"}', 'accepted', undefined],
    [201, '{"sid":"SM1"}', 'accepted', undefined],
    [201, '{"sid":"SM1","status":"failed"}', 'doubtful', 'HTTP 201 without a message'],
    [201, '{"sid":"SM1","status":"undelivered"}', 'doubtful', 'HTTP 201 without a message'],
    [201, '{"sid":7}', 'doubtful', 'HTTP 201 without a message'],
    [201, '{}', 'doubtful', 'HTTP 201 without a message'],
    [201, '', 'doubtful', 'HTTP 201 without a message'],
    [200, '{"sid":"SM1"}', 'doubtful', 'HTTP 200 without a message'],
    [400, '{"code":21211}', 'hopeless', 'error 21211'],
    [400, '{"code":21614}', 'hopeless', 'error 21614'],
    [400, '{"code":21408}', 'hopeless', 'error 21408'],
    [400, '{"code":21610}', 'hopeless', 'error 21610'],
    [400, '{"code":21612}', 'hopeless', 'error 21612'],
    [400, '{"code":20003}', 'refused', 'error 20003'],
    [401, '{"code":20003}', 'refused', 'error 20003'],
    [400, '{"code":63038}', 'refused', 'error 63038'],
    [400, '{"code":"21211"}', 'refused', 'HTTP 400'],
    [400, 'nonsense', 'refused', 'HTTP 400'],
    [302, '', 'refused', 'HTTP 302'],
    [429, '{"code":21211}', 'refused', 'HTTP 429'],
    [500, '{"code":21211}', 'refused', 'HTTP 500'],
    [503, '', 'refused', 'HTTP 503'],
  ] as const) {
    it(`${status} with ${text || 'nothing'} is ${kind}`, () => {
      const outcome = judge({ kind: 'answered', status, text, retryAfter: undefined });
      const wait = status === 429 ? { waitMilliseconds: 1000 } : {};
      assert.deepEqual(outcome, error === undefined ? { kind } : { kind, error, ...wait });
    });
  }

  it('a refusal that is not about the account is of the recipient', () => {
    const refusal = { kind: 'answered', status: 400, text: '{"code":21635}', retryAfter: undefined } as const;
    assert.deepEqual(judge(refusal), { kind: 'refused', error: 'error 21635', isOfRecipient: true });
  });
});
