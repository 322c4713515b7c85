// Signing in with a phone: what is committed, which tokens are issued, and which outcome becomes which failure.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeAskToken } from '../../../src/auth/codes/ask-token.ts';
import { challengeSlot } from '../../../src/auth/codes/challenge.ts';
import type { AuthDeps } from '../../../src/auth/deps.ts';
import { readProofTicket } from '../../../src/auth/sign-in/proof-ticket.ts';
import type { PhoneSignIn, PhoneSignInOutcome, SignedIn } from '../../../src/auth/sign-in/sign-in.ts';
import { signInWithPhone } from '../../../src/auth/sign-in/sign-in-with-phone.ts';
import { hashSeed, parseRefreshToken } from '../../../src/auth/tokens/refresh-token.ts';
import { createAuthStage, failureOf, givenTo, secrets } from '../../helpers/people/auth-fakes.ts';
import { asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { brakePolicy, noon, sessionPolicy } from '../../helpers/store/fixtures.ts';

const phone = asPhone('+4915112345678');
const input = {
  phone: '+49 151 12345678',
  otp: '123456',
  ip: '192.0.2.1',
  askToken: undefined,
  userAgent: 'Firefox',
  deviceToken: undefined,
  language: 'en' as const,
};
const signedIn = {
  kind: 'signed in',
  userId: asUserId('ann'),
  isNewUser: false,
  hasNotice: false,
  phone: asPhone('+491510000001'),
  claims: { plan: 'pro' },
  evicted: ['old'].map(asSessionId),
} as const;
const unused = { ...brakePolicy, unused: { share: 0.8, least: 50 } };
const testNumber = asPhone('+15550100001');
const testRecipients = [{ recipient: testNumber, code: '111111', until: noon + 1 }];
const stageOf = (outcome: PhoneSignInOutcome, changes: Partial<AuthDeps> = {}) =>
  createAuthStage(
    { signIns: { signInWithPhone: async () => outcome }, revocations: { add: () => undefined } },
    changes,
  );

describe('signing in with a phone', () => {
  it('signing in with a phone commits the attempt and the draft of a session together', async () => {
    const { deps, calls } = stageOf(signedIn, { isSignupOpen: false });
    const { text } = writeAskToken(secrets, { purpose: 'phone-login', recipient: phone }, 300, noon);
    await signInWithPhone(deps, { ...input, askToken: text });
    const given = givenTo<PhoneSignIn>(calls, 'signIns.signInWithPhone');
    const { attempt, session, newUserId, device, ...others } = given;
    const { phoneRecycledSeconds: recycledSeconds } = deps;
    assert.deepEqual(others, { phone, country: 'DE', countsUse: false, isSignupOpen: false, recycledSeconds });
    assert.match(newUserId, /^[0-9a-f-]{36}$/);
    assert.equal(attempt.slot, challengeSlot('phone-login', phone));
    assert.deepEqual([attempt.given, attempt.caller, attempt.policy], ['123456', '192.0.2.1', deps.otp.sms]);
    assert.notEqual(attempt.asker, undefined);
    assert.equal(device?.knownUserId, undefined);
    assert.deepEqual([device?.isReported, device?.notice.device, device?.notice.now], [true, 'Firefox', noon]);
    assert.deepEqual(
      [session.method, session.userAgent, session.ip, session.policy, session.now],
      ['sms', 'Firefox', '192.0.2.1', sessionPolicy, noon],
    );
  });

  it('signing in with a phone returns the first tokens of the session after the commit, and ends evicted ones', async () => {
    const { deps, calls } = stageOf(signedIn);
    const pair = await signInWithPhone(deps, input);
    assert.deepEqual(
      calls.map(([verb]) => verb),
      ['signIns.signInWithPhone', 'revocations.add'],
    );
    assert.deepEqual(calls[1]?.[1], ['old']);
    const { session } = givenTo<PhoneSignIn>(calls, 'signIns.signInWithPhone');
    const { sessionId, seed, counter } = parseRefreshToken(secrets, pair.refreshToken);
    assert.deepEqual([sessionId, hashSeed(seed), counter], [session.id, session.seedHash, 0]);
  });

  it('a sign-in that cancels a scheduled change of the number wakes both channels, and one on a new device wakes the mail', async () => {
    const woken = async (outcome: SignedIn) => {
      const { deps, calls } = stageOf(outcome);
      await signInWithPhone(deps, input);
      return calls.filter(([verb]) => verb === 'wakeDelivery').map(([, channel]) => channel);
    };
    assert.deepEqual(await woken({ ...signedIn, hasNotice: true, hasCancelled: true }), [undefined]);
    assert.deepEqual(await woken({ ...signedIn, hasNotice: true }), ['mail']);
  });

  const uses: [what: string, phone: string, changes: Partial<AuthDeps>, countsUse: boolean][] = [
    ['is counted where the brake looks at unused codes', phone, { brake: unused }, true],
    ['is not counted where it does not', phone, {}, false],
    ['of a test number is never counted', testNumber, { brake: unused, testRecipients }, false],
  ];
  for (const [what, given, changes, countsUse] of uses) {
    it(`the use of a code ${what}`, async () => {
      const { deps, calls } = stageOf(signedIn, changes);
      await signInWithPhone(deps, { ...input, phone: given });
      assert.equal(givenTo<PhoneSignIn>(calls, 'signIns.signInWithPhone').countsUse, countsUse);
    });
  }

  it('signing in with a test number compares its fixed code', async () => {
    const { deps, calls } = stageOf(signedIn, { testRecipients });
    await signInWithPhone(deps, { ...input, phone: testNumber });
    const { attempt, country } = givenTo<PhoneSignIn>(calls, 'signIns.signInWithPhone');
    assert.deepEqual([attempt.fixed, country], ['111111', 'ZZ']);
  });

  const refused = { kind: 'refused', code: 'OTP_INVALID', detail: { left: 2 } } as const;
  const cases: [outcome: PhoneSignInOutcome, code: string, detail: object][] = [
    [{ kind: 'closed' }, 'SIGNUP_CLOSED', {}],
    [{ kind: 'blocked' }, 'USER_BLOCKED', {}],
    [{ kind: 'lost' }, 'OTP_INVALID', { left: 4 }],
    [refused, 'OTP_INVALID', { left: 2 }],
  ];
  for (const [outcome, code, detail] of cases) {
    it(`signing in with a phone that ends with ${outcome.kind} fails with ${code}, and no token is issued`, async () => {
      const { deps, calls } = stageOf(outcome);
      assert.deepEqual(await failureOf(signInWithPhone(deps, input)), [code, detail]);
      assert.equal(calls.length, 1);
    });
  }

  it('a number whose account was unused for long fails with a ticket that holds the account and its last use', async () => {
    const { deps, calls } = stageOf({ kind: 'needs proof', userId: asUserId('old'), lastUse: noon - 7 });
    const [code, detail] = await failureOf(signInWithPhone(deps, input));
    assert.equal(code, 'PHONE_NEEDS_PROOF');
    const { proofTicket = '' } = detail as { proofTicket?: string };
    assert.deepEqual(readProofTicket(secrets, proofTicket, noon), { userId: 'old', phone, lastUse: noon - 7 });
    assert.equal(calls.length, 1);
    const { recycledSeconds } = givenTo<PhoneSignIn>(calls, 'signIns.signInWithPhone');
    assert.equal(recycledSeconds, deps.phoneRecycledSeconds);
  });

  it('signing in with a phone that ends in a way that is not known is an error, not a success', async () => {
    const { deps } = stageOf({ kind: 'new' } as never);
    await assert.rejects(signInWithPhone(deps, input), /not handled: {"kind":"new"}/);
  });

  const invalid: [what: string, changes: Partial<typeof input>, settings: Partial<AuthDeps>, code: string][] = [
    ['no number', { phone: 'hello' }, {}, 'PHONE_INVALID'],
    ['a number of a type that is not served', {}, { phoneTypes: ['fixed'] }, 'PHONE_NOT_SUPPORTED'],
    [
      'a test number after its end',
      { phone: testNumber },
      { testRecipients, clock: { now: () => noon + 1 } },
      'PHONE_INVALID',
    ],
    ['no code', { otp: '12345' }, {}, 'REQUEST_INVALID'],
  ];
  for (const [what, changes, settings, code] of invalid) {
    it(`signing in with ${what} is refused before the commit: ${code}`, async () => {
      const { deps, calls } = stageOf(signedIn, settings);
      assert.equal((await failureOf(signInWithPhone(deps, { ...input, ...changes })))[0], code);
      assert.deepEqual(calls, []);
    });
  }
});
