// Claiming a number: what is committed, which tokens are issued, and which outcome becomes which failure.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuthDeps } from '../../../src/auth/deps.ts';
import { readDevice } from '../../../src/auth/devices/device-token.ts';
import { claimPhone } from '../../../src/auth/sign-in/claim-phone.ts';
import { writeProofTicket } from '../../../src/auth/sign-in/proof-ticket.ts';
import type { PhoneClaim, PhoneClaimOutcome } from '../../../src/auth/sign-in/sign-in.ts';
import { hashSeed, parseRefreshToken } from '../../../src/auth/tokens/refresh-token.ts';
import { newUserId } from '../../../src/kernel/ids.ts';
import { createAuthStage, failureOf, givenTo, secrets } from '../../helpers/people/auth-fakes.ts';
import { asPhone } from '../../helpers/people/ids.ts';
import { minute, noon } from '../../helpers/store/fixtures.ts';

const ticket = { userId: newUserId(), phone: asPhone('+4915112345678'), lastUse: noon - 1 };
const input = {
  ticket: writeProofTicket(secrets, ticket, noon),
  ip: '192.0.2.1',
  userAgent: 'Test/1',
  language: 'de' as const,
  deviceToken: undefined,
};
const userId = newUserId();
const signedIn = {
  kind: 'signed in',
  userId,
  phone: ticket.phone,
  claims: {},
  isNewUser: true,
  hasNotice: false,
  evicted: [],
} as const;
const stageOf = (outcome: PhoneClaimOutcome, changes: Partial<AuthDeps> = {}) =>
  createAuthStage({ signIns: { claimPhone: async () => outcome }, revocations: { add: () => undefined } }, changes);

describe('claiming a number', () => {
  for (const noticeChoice of ['mail', 'off'] as const) {
    it(`with NOTICES=${noticeChoice}, a claim commits the ticket, a session and the notice to the old account`, async () => {
      const { deps, calls } = stageOf(signedIn, { noticeChoice });
      const tokens = await claimPhone(deps, input);
      const { notice, session, ...given } = givenTo<PhoneClaim>(calls, 'signIns.claimPhone');
      assert.deepEqual([given.ticket, given.isSignupOpen], [ticket, true]);
      assert.deepEqual([session.method, session.ip, session.userAgent], ['sms', '192.0.2.1', 'Test/1']);
      assert.deepEqual([notice.message.payload.topic, notice.message.payload.language], ['phone-lost', 'de']);
      assert.deepEqual(
        calls.filter(([verb]) => verb === 'wakeDelivery'),
        [['wakeDelivery', 'mail']],
      );
      const { sessionId, seed } = parseRefreshToken(secrets, tokens.refreshToken);
      assert.deepEqual([sessionId, hashSeed(seed)], [session.id, session.seedHash]);
      const device = readDevice(secrets, tokens.device.text, noon);
      assert.deepEqual([device?.userId, device?.isOf(ticket.phone)], [userId, true]);
    });
  }

  const cases: [outcome: PhoneClaimOutcome, code: string][] = [
    [{ kind: 'closed' }, 'SIGNUP_CLOSED'],
    [{ kind: 'blocked' }, 'USER_BLOCKED'],
    [{ kind: 'lost' }, 'PROOF_TICKET_INVALID'],
  ];
  for (const [outcome, code] of cases) {
    it(`a claim that ends with ${outcome.kind} fails with ${code}, and no token is issued`, async () => {
      const { deps, calls } = stageOf(outcome);
      assert.deepEqual(await failureOf(claimPhone(deps, input)), [code, {}]);
      assert.equal(calls.length, 1);
    });
  }

  const invalid: [what: string, text: string, now: number][] = [
    ['a forged ticket', 'forged', noon],
    ['an expired ticket', input.ticket, noon + 10 * minute],
  ];
  for (const [what, text, now] of invalid) {
    it(`a claim with ${what} asks no store`, async () => {
      const { deps, calls } = stageOf(signedIn, { clock: { now: () => now } });
      assert.deepEqual(await failureOf(claimPhone(deps, { ...input, ticket: text })), ['PROOF_TICKET_INVALID', {}]);
      assert.deepEqual(calls, []);
    });
  }

  it('a claim that ends in a way that is not known is an error, not a success', async () => {
    const { deps } = stageOf({ kind: 'new' } as never);
    await assert.rejects(claimPhone(deps, input), /not handled: {"kind":"new"}/);
  });
});
