// The SMS provider by webhook: how its answers are judged, and that plain HTTP to another machine must be asked for.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge, webhook } from '../../../src/adapters/sms/webhook.ts';
import { parseProviderUrl } from '../../../src/kernel/net/provider-url.ts';

const url = (text: string) => parseProviderUrl(text, 'host') ?? assert.fail(text);

describe('an answer of an SMS endpoint', () => {
  for (const [status, kind] of [
    [200, 'accepted'],
    [202, 'accepted'],
    [204, 'accepted'],
    [299, 'accepted'],
    [199, 'refused'],
    [301, 'refused'],
    [400, 'hopeless'],
    [401, 'refused'],
    [402, 'refused'],
    [403, 'refused'],
    [404, 'hopeless'],
    [408, 'refused'],
    [409, 'of recipient'],
    [451, 'of recipient'],
    [410, 'hopeless'],
    [422, 'hopeless'],
    [429, 'refused'],
    [500, 'refused'],
  ] as const) {
    it(`${status} is ${kind}`, () =>
      assert.deepEqual(
        judge({ kind: 'answered', status, text: 'ignored', retryAfter: undefined }),
        kind === 'accepted'
          ? { kind }
          : kind === 'of recipient'
            ? { kind: 'refused', error: `HTTP ${status}`, isOfRecipient: true }
            : { kind, error: `HTTP ${status}`, ...(status === 429 && { waitMilliseconds: 1000 }) },
      ));
  }
});

describe('the URL of an SMS endpoint', () => {
  for (const [text, isComplete, isRefused, plainHost] of [
    ['webhook+https://sms.example.com/x', true, false, undefined],
    ['webhook+http://sms.example.com/x', true, true, 'sms.example.com'],
    ['webhook+http://sms.example.com/x?tls=off', true, false, 'sms.example.com'],
    ['webhook+http://10.0.0.1:81', true, true, '10.0.0.1:81'],
    ['webhook+http://localhost:81', true, false, 'localhost:81'],
    ['webhook+https://', false, false, undefined],
    ['webhook+https://a b', false, false, undefined],
  ] as const) {
    it(`${text} is ${isComplete ? '' : 'not '}complete and ${isRefused ? '' : 'not '}refused`, () => {
      assert.equal(webhook.isComplete(url(text)), isComplete);
      assert.equal(webhook.refuse(url(text)) !== undefined, isRefused);
      assert.equal(webhook.plainHost(url(text)), plainHost);
    });
  }
});
