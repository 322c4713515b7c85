// The rules of changing a number: who changes it at once, who must wait, who is notified with which link, and what is written down.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  changedNotices,
  judgePhoneChange,
  judgeUndo,
  type PhoneOwner,
  type PhoneVerdict,
  phoneCancelledEvent,
  phoneChangedEnd,
  phoneChangedEvent,
  phoneScheduledEvent,
  preparePhoneNotices,
  scheduleAfter,
  scheduledNotices,
  withoutUndo,
} from '../../../src/auth/identity/phone-change.ts';
import type { SentNotice } from '../../../src/auth/notices/notice.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { asEmail, asPhone, asUserId } from '../../helpers/people/ids.ts';
import { day, noon } from '../../helpers/store/fixtures.ts';

const old = asPhone('+4915112345678');
const phone = asPhone('+4915187654321');
const me: PhoneOwner = { id: asUserId('me'), phone: old, email: asEmail('Me@b.c') };
const asked = { phone, waitSeconds: 3 * 86_400, now: noon };
const block = { rule: { count: 3, windowSeconds: 86_400 }, retryAfterSeconds: 60 };
const later = { kind: 'scheduled', phone, effectiveAt: noon + 3 * day } as const;

const secrets = createSecrets('the secret '.repeat(4));
const about = { language: 'de', now: noon } as const;
const describeNotices = (sent: readonly SentNotice[]) =>
  sent.map(({ userId, message: { payload }, target }) => [
    userId,
    'topic' in payload ? `${payload.topic} to ${payload.to}` : '',
    target,
  ]);

describe('changing a number', () => {
  const cases: [what: string, Parameters<typeof judgePhoneChange>[0], PhoneVerdict][] = [
    ['after a proof by SMS', { user: me, owner: undefined, proof: 'sms' }, { kind: 'changed' }],
    ['after a proof by link', { user: me, owner: undefined, proof: 'link' }, later],
    ['after a proof by e-mail', { user: me, owner: undefined, proof: 'email' }, later],
    [
      'of an account without one, after a proof by link',
      { user: { ...me, phone: undefined }, owner: undefined, proof: 'link' },
      { kind: 'changed' },
    ],
    [
      'of an account without one, after a proof by e-mail',
      { user: { ...me, phone: undefined }, owner: undefined, proof: 'email' },
      { kind: 'changed' },
    ],
    ['to the own number', { user: { ...me, phone }, owner: asUserId('me'), proof: 'sms' }, { kind: 'own' }],
    [
      'to the own number, after a proof by link',
      { user: { ...me, phone }, owner: asUserId('me'), proof: 'link' },
      { kind: 'own' },
    ],
    ['to a number of another user', { user: me, owner: asUserId('other'), proof: 'sms' }, { kind: 'taken' }],
    [
      'to a number of another user, after a proof by link',
      { user: me, owner: asUserId('other'), proof: 'link' },
      { kind: 'taken' },
    ],
    [
      'after a proof by link, too often',
      { user: me, owner: undefined, proof: 'link', block },
      { kind: 'limited', block },
    ],
    ['after a proof by SMS, too often', { user: me, owner: undefined, proof: 'sms', block }, { kind: 'changed' }],
    ['to a taken number, too often', { user: me, owner: asUserId('other'), proof: 'link', block }, { kind: 'taken' }],
    ['of a deleted user', { user: undefined, owner: undefined, proof: 'sms' }, { kind: 'gone' }],
    ['in a session that has ended', { user: me, owner: undefined, proof: undefined }, { kind: 'gone' }],
    [
      'to a taken number, in a session that has ended',
      { user: me, owner: asUserId('other'), proof: undefined },
      { kind: 'gone' },
    ],
  ];
  for (const [what, state, expected] of cases) {
    it(`a change ${what} is judged as ${expected.kind}`, () =>
      assert.deepEqual(judgePhoneChange(state, asked), expected));
  }

  it('a scheduled change takes effect after the wait', () => {
    assert.deepEqual(scheduleAfter(3600, phone, noon), { phone, effectiveAt: noon + 3_600_000 });
    assert.equal(phoneChangedEnd, 'phone changed');
  });
});

describe('the notices of a change', () => {
  const changed = preparePhoneNotices(secrets, 'phone-changed', about);
  const scheduled = preparePhoneNotices(secrets, 'phone-change-scheduled', about);

  it('a changed number is announced to the old number and to the address, each with a link that restores it', () => {
    const target = { kind: 'undo-phone', phone: old };
    const sent = changedNotices(changed, me, phone);
    assert.deepEqual(describeNotices(sent), [
      ['me', `phone-changed to ${old}`, target],
      ['me', 'phone-changed to Me@b.c', target],
    ]);
    assert.deepEqual(
      sent.map(({ tokenHash }) => tokenHash),
      [changed.sms.tokenHash, changed.mail.tokenHash],
    );
    assert.notEqual(changed.sms.tokenHash, changed.mail.tokenHash);
    const { payload } = sent[1]?.message ?? assert.fail();
    assert.ok('account' in payload);
    assert.deepEqual([payload.account, payload.number, payload.at], ['+49•••78', '+49•••21', noon]);
  });

  it('a change back is announced with links that undo nothing, and the mail does not promise it', () => {
    const sent = changedNotices(changed, me, phone);
    const [sms, mail] = sent.map(withoutUndo);
    assert.deepEqual(sms, { ...sent[0], target: { kind: 'not-me' } });
    assert.ok(mail?.message.kind === 'notice');
    assert.deepEqual(
      [mail.target, mail.tokenHash, mail.message.payload.isFinal],
      [{ kind: 'not-me' }, changed.mail.tokenHash, true],
    );
  });

  it('a scheduled change is announced with a link that cancels it, and with the time when it takes effect', () => {
    const sent = scheduledNotices(scheduled, me, later);
    assert.deepEqual(describeNotices(sent), [
      ['me', `phone-change-scheduled to ${old}`, { kind: 'cancel-phone' }],
      ['me', 'phone-change-scheduled to Me@b.c', { kind: 'cancel-phone' }],
    ]);
    const { payload } = sent[1]?.message ?? assert.fail();
    assert.ok('at' in payload);
    assert.equal(payload.at, later.effectiveAt);
    assert.deepEqual(
      sent.map(({ linkUntil }) => linkUntil),
      [later.effectiveAt, later.effectiveAt],
    );
  });

  it('an account without a number gets mail alone, one without an address by SMS alone', () => {
    const withoutPhone = changedNotices(changed, { ...me, phone: undefined }, phone);
    assert.deepEqual(describeNotices(withoutPhone), [
      ['me', 'phone-changed to Me@b.c', { kind: 'undo-phone', phone: undefined }],
    ]);
    assert.deepEqual(describeNotices(changedNotices(changed, { ...me, email: undefined }, phone)), [
      ['me', `phone-changed to ${old}`, { kind: 'undo-phone', phone: old }],
    ]);
  });
});

describe('what is written down of a change', () => {
  it('a change is written down with both numbers masked, how it came about, and the number of sessions that it ended', () => {
    assert.deepEqual(phoneChangedEvent(me, { phone, how: 'code', sessions: 2, now: noon }), {
      kind: 'phone.changed',
      userId: 'me',
      detail: { how: 'code', sessions: 2, old: '+49•••78', phone: '+49•••21' },
      now: noon,
    });
    const lost = phoneChangedEvent(me, { phone: undefined, how: 'undo', sessions: 0, now: noon });
    assert.deepEqual(lost.detail, { how: 'undo', sessions: 0, old: '+49•••78' });
  });

  it('a scheduled change is written down with its time, and with who acts', () => {
    const by = { actor: 'cli', why: 'a lost phone' } as const;
    assert.deepEqual(phoneScheduledEvent(me, later, { by, now: noon }), {
      kind: 'phone.change-scheduled',
      userId: 'me',
      detail: { effectiveAt: new Date(noon + 3 * day).toISOString(), old: '+49•••78', phone: '+49•••21', ...by },
      now: noon,
    });
    assert.deepEqual(Object.keys(phoneScheduledEvent(me, later, { now: noon }).detail), [
      'effectiveAt',
      'old',
      'phone',
    ]);
  });

  it('a cancelled change is written down with who cancelled it', () => {
    assert.deepEqual(phoneCancelledEvent(asUserId('me'), phone, { how: 'link' }, noon), {
      kind: 'phone.change-cancelled',
      userId: 'me',
      detail: { how: 'link', phone: '+49•••21' },
      now: noon,
    });
  });
});

describe('undoing a change', () => {
  const now = { ...me, phone };
  const cases: [what: string, Parameters<typeof judgeUndo>, expected: string][] = [
    ['to a free number', [{ user: now, owner: undefined }, old], 'restored'],
    ['to a number that another user has', [{ user: now, owner: asUserId('other') }, old], 'taken'],
    ['to the number that the user has', [{ user: me, owner: asUserId('me') }, old], 'kept'],
    ['to no number', [{ user: now, owner: undefined }, undefined], 'restored'],
    [
      'to no number, of a user without an address',
      [{ user: { ...now, email: undefined }, owner: undefined }, undefined],
      'kept',
    ],
    ['of an account that lost its number', [{ user: { ...me, phone: undefined }, owner: undefined }, old], 'restored'],
  ];
  for (const [what, given, expected] of cases)
    it(`an undo ${what} is judged as ${expected}`, () => assert.equal(judgeUndo(...given), expected));
});
