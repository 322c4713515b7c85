// The rule of one attempt with a code: who is refused before it is judged, what it counts, and what is written down.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { budgetIds } from '../../../src/auth/codes/attempt-budget.ts';
import {
  type AttemptOutcome,
  type Challenge,
  type CodeSubject,
  challengeKeptUntil,
  openChallenge,
} from '../../../src/auth/codes/challenge.ts';
import { attemptCounterIds, failedAttemptEvent, tryCode } from '../../../src/auth/codes/try-code.ts';
import type { AuditDetail } from '../../../src/kernel/audit.ts';
import { sha256 } from '../../../src/kernel/crypto/digest.ts';
import { markWith } from '../../../src/kernel/crypto/recipient-mark.ts';
import { maskPhone } from '../../../src/kernel/text/mask.ts';
import { asEmailKey, asPhone, asUserId } from '../../helpers/people/ids.ts';
import { attempt, hour, markKey, newChallengeSeed, noon, otpPolicy, right } from '../../helpers/store/fixtures.ts';

const phone = asPhone('+491510000001');
const policy = {
  ...otpPolicy,
  failuresPerRecipient: [{ count: 2, windowSeconds: 3600 }],
  failuresPerCaller: [{ count: 1, windowSeconds: 60 }],
};
const open = openChallenge(undefined, newChallengeSeed(), policy, noon);
const wrong = attempt(phone, noon, policy);
const ids = budgetIds(phone);
const callerId = attemptCounterIds(wrong).at(-1) ?? assert.fail('no counter of the caller');
const full = { [ids.failuresId]: [noon - 2, noon - 1] };
const caller = { [callerId]: [noon - 1] };

describe('an attempt with a code', () => {
  const cases: [
    what: string,
    Challenge | undefined,
    given: typeof wrong,
    counters: Record<string, unknown>,
    outcome: string,
    counted: string[],
    attempts: number | undefined,
  ][] = [
    ['that is right', open, right(wrong), {}, 'proved', [], 1],
    ['that is wrong', open, wrong, {}, 'OTP_INVALID', [callerId, ids.failuresId], 1],
    ['without a challenge', undefined, wrong, {}, 'OTP_INVALID', [callerId, ids.failuresId], 1],
    ['of a caller with too many', open, right(wrong), caller, 'RATE_LIMITED', [], undefined],
    ['for a recipient with too many', open, right(wrong), full, 'OTP_ATTEMPTS_EXCEEDED', [], undefined],
    [
      'on a challenge without attempts left',
      { ...open, attempts: 5 },
      right(wrong),
      {},
      'OTP_ATTEMPTS_EXCEEDED',
      [],
      undefined,
    ],
    ['by the asker, with too many of the caller', open, { ...right(wrong), asker: 'a' }, caller, 'proved', [], 0],
    ['by the asker, right, from the reserve', open, { ...right(wrong), asker: 'a' }, full, 'proved', [], 0],
    [
      'by the asker, wrong, from the reserve',
      open,
      { ...wrong, asker: 'a' },
      full,
      'OTP_INVALID',
      [callerId, ids.reserveId],
      0,
    ],
    [
      'by the asker, with nothing left in the reserve',
      open,
      { ...right(wrong), asker: 'a' },
      {
        ...full,
        [ids.reserveId]: [
          [noon, 'a'],
          [noon, 'a'],
        ],
      },
      'OTP_ATTEMPTS_EXCEEDED',
      [],
      undefined,
    ],
    ['on a known device, with too many of the caller', open, { ...right(wrong), device: 'd' }, caller, 'proved', [], 0],
    ['on a known device, right, from its reserve', open, { ...right(wrong), device: 'd' }, full, 'proved', [], 0],
    [
      'on a known device, wrong, from its reserve',
      open,
      { ...wrong, device: 'd', asker: 'a' },
      full,
      'OTP_INVALID',
      [callerId, ids.deviceReserveId],
      0,
    ],
    [
      'on a known device, with nothing left in its reserve',
      open,
      { ...right(wrong), device: 'd' },
      { ...full, [ids.deviceReserveId]: Array(5).fill(noon) },
      'OTP_ATTEMPTS_EXCEEDED',
      [],
      undefined,
    ],
    ['used before', { ...open, state: 'consumed' }, right(wrong), {}, 'lost', [callerId, ids.failuresId], 1],
  ];
  for (const [what, known, given, counters, expected, counted, attempts] of cases) {
    it(`${what}: ${expected}`, () => {
      const { outcome, challenge, counts } = tryCode(known, given, (id) => counters[id]);
      assert.equal(outcome.kind === 'refused' ? outcome.code : outcome.kind, expected);
      assert.deepEqual(
        counts.map(({ id }) => id),
        counted,
      );
      assert.equal(challenge?.attempts, attempts);
    });
  }

  it('touches a reserve only where those try who may use it', () => {
    const { failuresId, reserveId, deviceReserveId } = ids;
    const none = undefined;
    assert.deepEqual(attemptCounterIds(wrong), [failuresId, none, none, callerId]);
    assert.deepEqual(attemptCounterIds({ ...wrong, asker: 'a' }), [failuresId, reserveId, none, callerId]);
    assert.deepEqual(attemptCounterIds({ ...wrong, device: 'd' }), [failuresId, none, deviceReserveId, callerId]);
    const unlimited = attempt(phone, noon);
    assert.deepEqual(attemptCounterIds(unlimited), [failuresId, none, none]);
    assert.deepEqual(tryCode(open, unlimited, () => undefined).counts, []);
  });

  it('counts wrong codes of a caller under an id that other versions know', () => {
    assert.equal(callerId, `failures-ip:${sha256('192.0.2.1')}`);
  });

  it('of a stranger reads nothing of the reserve', () => {
    const { outcome } = tryCode(open, wrong, (id) => (id === ids.reserveId ? assert.fail('read') : undefined));
    assert.equal(outcome.kind, 'refused');
  });

  it('is judged by a challenge that is kept for an hour after its end', () => {
    assert.equal(challengeKeptUntil(open), open.expiresAt + hour);
  });
});

describe('the event of an attempt', () => {
  const wrongWith = (left: number) => ({ kind: 'refused', code: 'OTP_INVALID', detail: { left } }) as const;
  const refused = (code: 'OTP_ATTEMPTS_EXCEEDED' | 'RATE_LIMITED') =>
    ({ kind: 'refused', code, detail: { retryAfterSeconds: 5 } }) as const;
  const cases: [what: string, AttemptOutcome, kind: string | undefined, reason?: string][] = [
    ['that was proved', { kind: 'proved' }, undefined],
    ['that came too late', { kind: 'lost' }, 'otp.failed', 'used'],
    ['that was wrong', wrongWith(2), 'otp.failed', 'wrong'],
    ['that was the last wrong one', wrongWith(0), 'otp.exhausted', 'wrong'],
    ['that was expired', { kind: 'refused', code: 'OTP_EXPIRED', detail: {} }, 'otp.failed', 'expired'],
    ['without attempts left', refused('OTP_ATTEMPTS_EXCEEDED'), undefined],
    ['of a refused caller', refused('RATE_LIMITED'), undefined],
  ];
  for (const [what, outcome, kind, reason] of cases) {
    it(`${what} is ${kind ?? 'not written'}`, () => {
      const event = failedAttemptEvent(wrong, outcome, { userId: asUserId('user'), detail: { ip: '192.0.2.1' } });
      const trace = { phone: maskPhone(phone), recipient: markWith(markKey, phone) };
      const detail = { ...trace, reason, ip: '192.0.2.1' };
      assert.deepEqual(event, kind && { kind, userId: 'user', detail, now: noon });
    });
  }

  const key = asEmailKey('ann@example.com');
  const subjects: [CodeSubject, trace: AuditDetail][] = [
    [
      { purpose: 'phone-login', recipient: phone },
      { phone: maskPhone(phone), recipient: markWith(markKey, phone) },
    ],
    [
      { purpose: 'proof-phone', recipient: phone },
      { phone: maskPhone(phone), recipient: markWith(markKey, phone) },
    ],
    [
      { purpose: 'phone-change', recipient: phone },
      { phone: maskPhone(phone), recipient: markWith(markKey, phone) },
    ],
    [{ purpose: 'email-binding', recipient: key }, { email: 'a•••@example.com' }],
    [{ purpose: 'proof-email', recipient: key }, { email: 'a•••@example.com' }],
  ];
  for (const [subject, trace] of subjects) {
    it(`of ${subject.purpose} names the recipient masked, and a phone by its mark too`, () => {
      const event = failedAttemptEvent({ ...wrong, subject }, { kind: 'lost' }, { detail: {} });
      assert.deepEqual(event?.detail, { ...trace, reason: 'used' });
    });
  }
});
