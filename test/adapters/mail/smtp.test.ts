// The URL of a mail server: what makes it complete, and when it connects in plain text.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { smtp } from '../../../src/adapters/mail/smtp.ts';
import { parseProviderUrl } from '../../../src/kernel/net/provider-url.ts';

const url = (text: string) => parseProviderUrl(text, 'host') ?? assert.fail(text);

describe('the URL of a mail server', () => {
  for (const [text, isComplete, plainHost] of [
    ['smtp://mail', true, undefined],
    ['smtp://mail?tls=off', true, 'mail'],
    ['smtp://mail?tls=require', true, undefined],
    ['smtps://mail', true, undefined],
    ['smtps://mail?tls=off', false, undefined],
    ['smtps://mail?tls=require', true, undefined],
    ['smtp://mail?tls=no', false, undefined],
    ['smtp://', false, undefined],
    ['smtp://ma il', false, undefined],
    ['smtp://mail?dkim_domain=a&dkim_selector=b&dkim_key_file=c', true, undefined],
    ['smtp://mail?dkim_domain=&dkim_selector=&dkim_key_file=', true, undefined],
  ] as const) {
    it(`${text} is ${isComplete ? '' : 'not '}complete`, () => {
      assert.equal(smtp.isComplete(url(text)), isComplete);
      assert.equal(smtp.plainHost(url(text)), plainHost);
    });
  }
});
