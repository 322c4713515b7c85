// Binding an e-mail address: what is committed, who is notified, and which outcome becomes which failure.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { challengeSlot } from '../../../src/auth/codes/challenge.ts';
import { bindEmail } from '../../../src/auth/identity/bind-email.ts';
import type { BindingOutcome, EmailBinding } from '../../../src/auth/identity/email-binding.ts';
import type { NoticeChoice } from '../../../src/auth/notices/notice.ts';
import { createAuthStage, failureOf, givenTo } from '../../helpers/people/auth-fakes.ts';
import { asEmail, asEmailKey, asUserId } from '../../helpers/people/ids.ts';
import { makeUser } from '../../helpers/people/user.ts';
import { day, noon } from '../../helpers/store/fixtures.ts';

const input = {
  userId: asUserId('ann'),
  provedAt: noon,
  email: ' Ann@Example.com ',
  otp: '123 456',
  ip: '192.0.2.1',
  askToken: undefined,
  language: 'de',
} as const;
const stageOf = (outcome: BindingOutcome, owner?: string) =>
  createAuthStage({ bindings: { findOwner: async () => owner, bindEmail: async () => outcome } });

describe('binding an e-mail address', () => {
  it('binding an address looks for its owner, commits the attempt with a notice, and wakes the delivery of mails', async () => {
    const { deps, calls } = stageOf({ kind: 'bound' });
    assert.equal(await bindEmail(deps, input), undefined);
    assert.deepEqual(
      calls.map(([verb]) => verb),
      ['bindings.findOwner', 'bindings.bindEmail', 'wakeDelivery'],
    );
    assert.deepEqual([calls[0]?.[1], calls[2]?.[1]], ['ann@example.com', 'mail']);
    const { attempt, notice, notices, ...binding } = givenTo<EmailBinding>(calls, 'bindings.bindEmail');
    assert.deepEqual(binding, {
      userId: 'ann',
      address: 'Ann@Example.com',
      emailKey: 'ann@example.com',
      mayReplace: true,
      now: noon,
    });
    assert.equal(attempt.slot, challengeSlot('email-binding', asEmailKey('ann@example.com'), asUserId('ann')));
    assert.deepEqual([attempt.given, attempt.caller, attempt.now], ['123456', '192.0.2.1', noon]);
    assert.equal(attempt.policy, deps.otp.mail);
    assert.equal(notices?.sms, undefined);
    assert.deepEqual(
      [notices?.replaced, notices?.bound].map((each) => each?.message.payload.topic),
      ['email-replaced', 'email-bound'],
    );
    const { id, ...rest } = notice;
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      channel: 'mail',
      kind: 'email-replaced',
      payload: { to: '', language: 'de' },
      createdAt: noon,
      expiresAt: noon + day,
    });
  });

  const choices: [NoticeChoice, hasMail: boolean, hasSms: boolean][] = [
    ['off', false, false],
    ['mail', true, false],
    ['mail+sms', true, true],
  ];
  for (const [noticeChoice, hasMail, hasSms] of choices) {
    it(`binding an address with NOTICES=${noticeChoice} prepares the notices that go out`, async () => {
      const { deps, calls } = stageOf({ kind: 'bound' });
      await bindEmail({ ...deps, noticeChoice }, input);
      const { notices } = givenTo<EmailBinding>(calls, 'bindings.bindEmail');
      assert.equal(notices?.bound !== undefined, hasMail);
      assert.equal(notices?.sms !== undefined, hasSms);
      assert.deepEqual(calls.at(-1), ['wakeDelivery', hasSms ? undefined : 'mail']);
    });
  }

  it('binding an address that the user has succeeds with any code, and commits nothing', async () => {
    const { deps, calls } = stageOf({ kind: 'taken' }, 'ann');
    assert.equal(await bindEmail(deps, { ...input, otp: 'x' }), undefined);
    assert.deepEqual(calls, [['bindings.findOwner', 'ann@example.com']]);
  });

  const refused = { kind: 'refused', code: 'OTP_ATTEMPTS_EXCEEDED', detail: { retryAfterSeconds: 4 } } as const;
  const cases: [outcome: BindingOutcome, code: string, detail: object][] = [
    [{ kind: 'taken' }, 'EMAIL_TAKEN', {}],
    [{ kind: 'stale' }, 'RECENT_SIGN_IN_REQUIRED', {}],
    [{ kind: 'gone' }, 'SESSION_REVOKED', {}],
    [{ kind: 'lost' }, 'OTP_INVALID', { left: 6 }],
    [refused, 'OTP_ATTEMPTS_EXCEEDED', { retryAfterSeconds: 4 }],
  ];
  for (const [outcome, code, detail] of cases) {
    it(`binding an address that ends with ${outcome.kind} fails with ${code}, and no mail is sent`, async () => {
      const { deps, calls } = stageOf(outcome, 'somebody else');
      assert.deepEqual(await failureOf(bindEmail(deps, input)), [code, detail]);
      assert.equal(calls.at(-1)?.[0], 'bindings.bindEmail');
    });
  }

  it('binding an address that ends in a way that is not known is an error, not a success', async () => {
    const { deps } = stageOf({ kind: 'new' } as never);
    await assert.rejects(bindEmail(deps, input), /not handled: {"kind":"new"}/);
  });

  const staleStage = (email: string | undefined) =>
    createAuthStage({
      bindings: { bindEmail: async () => ({ kind: 'bound' }) },
      users: { findUser: async () => makeUser({ email: email === undefined ? undefined : asEmail(email) }) },
    });

  it('binding a first address without a recent sign-in tells the phone too, unless notices are off', async () => {
    for (const [noticeChoice, hasSms] of [
      ['mail', true],
      ['off', false],
    ] as const) {
      const { deps, calls } = staleStage(undefined);
      await bindEmail({ ...deps, noticeChoice }, { ...input, provedAt: undefined });
      assert.equal(givenTo<EmailBinding>(calls, 'bindings.bindEmail').notices?.sms !== undefined, hasSms, noticeChoice);
    }
  });

  it('binding a first address needs no recent sign-in, and must not replace one that is bound meanwhile', async () => {
    const { deps, calls } = staleStage(undefined);
    await bindEmail(deps, { ...input, provedAt: noon - 600_001 });
    assert.deepEqual(calls[0], ['users.findUser', 'ann']);
    assert.equal(givenTo<EmailBinding>(calls, 'bindings.bindEmail').mayReplace, false);
  });

  it('binding another address without a recent sign-in is refused before the code is touched', async () => {
    for (const provedAt of [noon - 600_001, undefined]) {
      const { deps, calls } = staleStage('bob@example.com');
      assert.deepEqual(await failureOf(bindEmail(deps, { ...input, provedAt })), ['RECENT_SIGN_IN_REQUIRED', {}]);
      assert.deepEqual(calls, [['users.findUser', 'ann']]);
    }
  });

  it('binding the address that the user has succeeds without a recent sign-in too', async () => {
    const { deps, calls } = staleStage('ANN@example.com');
    assert.equal(await bindEmail(deps, { ...input, provedAt: undefined }), undefined);
    assert.deepEqual(calls, [['users.findUser', 'ann']]);
  });

  it('binding a text that is no address, or without a code, is refused before the commit', async () => {
    const { deps, calls } = stageOf({ kind: 'bound' });
    assert.deepEqual(await failureOf(bindEmail(deps, { ...input, email: 'ann' })), ['EMAIL_INVALID', {}]);
    assert.equal(calls.length, 0);
    assert.deepEqual(await failureOf(bindEmail(deps, { ...input, otp: '12345' })), [
      'REQUEST_INVALID',
      { field: 'otp' },
    ]);
    assert.deepEqual(
      calls.map(([verb]) => verb),
      ['bindings.findOwner'],
    );
  });
});
