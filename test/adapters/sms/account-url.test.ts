// The URL of a provider with an account: what it must contain, and where it leads.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountUrl, originOf } from '../../../src/adapters/sms/account-url.ts';
import { parseProviderUrl } from '../../../src/kernel/net/provider-url.ts';

const url = (text: string) => parseProviderUrl(text, 'account') ?? assert.fail(text);

describe('the URL of an account', () => {
  for (const [text, isComplete, origin, plainHost] of [
    ['twilio://A:B@?from=1', true, 'https://api.example.com', undefined],
    ['twilio://A:B@proxy:81?from=1', true, 'https://proxy:81', undefined],
    ['twilio://A:B@proxy:81?from=1&tls=0', true, 'http://proxy:81', 'proxy:81'],
    ['twilio://A:B@?from=1&tls=0', true, 'http://api.example.com', 'twilio'],
    ['twilio://A:B@?from=1&tls=1', true, 'https://api.example.com', undefined],
    ['twilio://A:B@', false, 'https://api.example.com', undefined],
    ['twilio://A:B@?from=', false, 'https://api.example.com', undefined],
    ['twilio://A@?from=1', false, 'https://api.example.com', undefined],
    ['twilio://:B@?from=1', false, 'https://api.example.com', undefined],
  ] as const) {
    it(`${text} is ${isComplete ? '' : 'not '}complete, and leads to ${origin}`, () => {
      assert.equal(accountUrl.isComplete(url(text)), isComplete);
      assert.equal(originOf(url(text), 'api.example.com'), origin);
      assert.equal(accountUrl.plainHost(url(text)), plainHost);
    });
  }
});
