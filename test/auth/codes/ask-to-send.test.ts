// The shared step of every request for a message: the captcha first, then one commit, then the delivery is woken.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askToSend } from '../../../src/auth/codes/ask-to-send.ts';
import type { SendAnswer, UncheckedRequest } from '../../../src/auth/codes/send-request.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { createAuthStage, failureOf } from '../../helpers/people/auth-fakes.ts';
import { asEmailKey } from '../../helpers/people/ids.ts';
import { codeRequest, linkRequest, noon } from '../../helpers/store/fixtures.ts';

const caller = { captchaToken: 'token', ip: '192.0.2.1' };
const spend = { id: 'altcha:1', sweepAt: noon };
const uncheck = ({ captcha: _, ...request }: ReturnType<typeof codeRequest>) => request as UncheckedRequest;
const request = uncheck(codeRequest('+491510000001', noon));

describe('a request for a message', () => {
  it('a request is checked for its captcha, then committed with the solution, then its message is delivered', async () => {
    const { deps, calls } = createAuthStage({
      captcha: { check: async () => spend },
      sendRequests: { request: async () => undefined },
    });
    await askToSend(deps, caller, request);
    assert.deepEqual(calls, [
      ['captcha.check', 'token', '192.0.2.1'],
      ['sendRequests.request', { ...request, captcha: spend }],
      ['wakeDelivery', 'sms'],
    ]);
  });

  it('a request whose captcha records nothing is committed without a solution, and wakes the channel of its message', async () => {
    const { deps, calls } = createAuthStage({
      captcha: { check: async () => undefined },
      sendRequests: { request: async () => undefined },
    });
    const link = linkRequest(asEmailKey('a@b.c'), noon);
    await askToSend(deps, caller, link);
    assert.deepEqual(calls.at(1), ['sendRequests.request', { ...link, captcha: undefined }]);
    assert.deepEqual(calls.at(-1), ['wakeDelivery', 'mail']);
  });

  /** A node with room for a message, and what it does with the room. */
  const withRoom = (answer: () => Promise<SendAnswer>) => {
    const used: unknown[] = [];
    const hold = {
      leaseSeconds: 20,
      deliver: (message: unknown) => void used.push(message),
      release: () => void used.push('released'),
    };
    const stage = createAuthStage(
      { captcha: { check: async () => undefined }, sendRequests: { request: answer } },
      { holdMessage: (channel) => (channel === 'sms' ? hold : undefined) },
    );
    return { ...stage, used };
  };

  it('a message that the node has room for is claimed in the commit and delivered after it, without a claim', async () => {
    const source = { challenge: { id: 'open', nonce: 'nonce', secretId: 'secret' }, expiresAt: noon + 9 };
    const { deps, calls, used } = withRoom(async () => ({ isHeld: true, source }));
    await askToSend(deps, caller, request);
    assert.deepEqual(calls.slice(1), [['sendRequests.request', { ...request, captcha: undefined, leaseSeconds: 20 }]]);
    const { message = assert.fail() } = request;
    const payload = { ...message.payload, ...source };
    const lease = { tries: 0, doubts: 0, heldUntil: noon + 20_000 };
    assert.deepEqual(used, [{ ...message, payload, expiresAt: noon + 9, ...lease }]);
  });

  it('the room is free again if the request is refused or fails', async () => {
    const refused = withRoom(async () => ({ code: 'RATE_LIMITED', detail: { retryAfterSeconds: 5 } }));
    assert.deepEqual(await failureOf(askToSend(refused.deps, caller, request)), [
      'RATE_LIMITED',
      { retryAfterSeconds: 5 },
    ]);
    assert.deepEqual(refused.used, ['released']);
    const failing = withRoom(() => Promise.reject(new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 })));
    assert.deepEqual(await failureOf(askToSend(failing.deps, caller, request)), [
      'SERVICE_UNAVAILABLE',
      { retryAfterSeconds: 5 },
    ]);
    assert.deepEqual(failing.used, ['released']);
  });

  it('a request without a message wakes nobody', async () => {
    const { deps, calls } = createAuthStage({
      captcha: { check: async () => undefined },
      sendRequests: { request: async () => undefined },
    });
    await askToSend(deps, caller, { ...request, message: undefined } as UncheckedRequest);
    assert.deepEqual(
      calls.map(([verb]) => verb),
      ['captcha.check', 'sendRequests.request'],
    );
  });

  it('a request without a captcha token reaches neither the provider nor the store', async () => {
    const { deps, calls } = createAuthStage();
    assert.deepEqual(await failureOf(askToSend(deps, { ...caller, captchaToken: '' }, request)), [
      'CAPTCHA_REQUIRED',
      {},
    ]);
    assert.deepEqual(calls, []);
  });

  it('a request with a refused captcha token does not reach the store', async () => {
    const { deps, calls } = createAuthStage({
      captcha: { check: () => Promise.reject(new Failure('CAPTCHA_INVALID')) },
    });
    assert.deepEqual(await failureOf(askToSend(deps, caller, request)), ['CAPTCHA_INVALID', {}]);
    assert.deepEqual(
      calls.map(([verb]) => verb),
      ['captcha.check'],
    );
  });

  const limited = { code: 'OTP_SEND_LIMIT', detail: { retryAfterSeconds: 9 } } as const;
  const braked = { code: 'SMS_SUSPENDED', detail: { retryAfterSeconds: 9 }, rule: 'country' } as const;
  const suspension = { rule: 'country', country: 'DE', until: noon + 9000, now: noon };
  const cases: [what: string, refusal: typeof limited | typeof braked, given: UncheckedRequest, noted: unknown][] = [
    ['by a limit is only refused', limited, request, undefined],
    ['by the brake notes the suspension', braked, request, suspension],
    ['by the brake without a brake notes nothing', braked, { ...request, brake: undefined }, undefined],
  ];
  for (const [what, refusal, given, noted] of cases) {
    it(`a request that is refused ${what}, and wakes nobody`, async () => {
      const { deps, calls } = createAuthStage({
        captcha: { check: async () => undefined },
        sendRequests: { request: async () => refusal, noteSuspension: async () => undefined },
      });
      assert.deepEqual(await failureOf(askToSend(deps, caller, given)), [refusal.code, refusal.detail]);
      assert.deepEqual(calls.slice(2), noted === undefined ? [] : [['sendRequests.noteSuspension', noted]]);
    });
  }
});
