// Requesting a sign-in link: a message is queued without a look at who owns the address.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SendRequest } from '../../../src/auth/codes/send-request.ts';
import { sendLoginLink } from '../../../src/auth/links/send-login-link.ts';
import { sha256 } from '../../../src/kernel/crypto/digest.ts';
import { markRecipient } from '../../../src/kernel/crypto/recipient-mark.ts';
import type { MessageOf } from '../../../src/messages/message-kinds.ts';
import { createAuthStage, failureOf, givenTo, secrets } from '../../helpers/people/auth-fakes.ts';
import { noon, sendPolicy } from '../../helpers/store/fixtures.ts';

const input = {
  recipient: ' Ann@Example.com ',
  captchaToken: 'token',
  ip: '192.0.2.1',
  language: 'de',
  browser: 'browser id',
} as const;
const answers = { captcha: { check: async () => undefined }, sendRequests: { request: async () => undefined } };

describe('a request for a sign-in link', () => {
  it('a request for a sign-in link is committed with its limits, its message and its audit event, and nobody is looked up', async () => {
    const { deps, calls } = createAuthStage(answers);
    assert.equal(await sendLoginLink(deps, input), undefined);
    const { message, ...request } = givenTo<SendRequest>(calls, 'sendRequests.request');
    assert.deepEqual(request, {
      check: {
        purpose: 'login-link',
        recipient: 'ann@example.com',
        ip: '192.0.2.1',
        policy: { ...sendPolicy, resendAfterSeconds: [60] },
        now: noon,
      },
      brake: undefined,
      challenge: undefined,
      captcha: undefined,
      audit: {
        kind: 'link.requested',
        detail: {
          email: 'a•••@example.com',
          recipient: markRecipient(secrets, 'ann@example.com'),
          ip: '192.0.2.1',
        },
      },
      now: noon,
    });
    const { id, payload, ...draft } = message as MessageOf<'login-link'>;
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(draft, { channel: 'mail', kind: 'login-link', createdAt: noon, expiresAt: noon + 1_200_000 });
    const { nonce, ...others } = payload;
    assert.match(nonce, /^[\w-]{43}$/);
    assert.deepEqual(others, {
      to: 'ann@example.com',
      language: 'de',
      secretId: secrets.currentId,
      browserHash: sha256('browser id'),
    });
    assert.deepEqual(
      calls.map(([verb]) => verb),
      ['captcha.check', 'sendRequests.request', 'wakeDelivery'],
    );
  });

  it('a request for a sign-in link to a text that is no address is refused before anything is asked', async () => {
    const { deps, calls } = createAuthStage();
    assert.deepEqual(await failureOf(sendLoginLink(deps, { ...input, recipient: 'ann@' })), ['EMAIL_INVALID', {}]);
    assert.deepEqual(calls, []);
  });
});
