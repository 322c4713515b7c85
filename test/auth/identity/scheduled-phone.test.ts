// The rules of a scheduled change of a phone number: what becomes of it when it is due, who is notified, and how a block delays it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type PhoneOwner, preparePhoneNotices } from '../../../src/auth/identity/phone-change.ts';
import {
  announceAgain,
  cancelledNotices,
  type DueOutcome,
  dueNotices,
  judgeDue,
  phoneFailedEvent,
  resumeAfterBlock,
  scheduledAfter,
} from '../../../src/auth/identity/scheduled-phone.ts';
import type { UserId } from '../../../src/kernel/ids.ts';
import { secrets } from '../../helpers/people/auth-fakes.ts';
import { asEmail, asPhone, asUserId } from '../../helpers/people/ids.ts';
import { day, hour, noon } from '../../helpers/store/fixtures.ts';

const next = asPhone('+4915112345678');
const old = asPhone('+4915187654321');
const ann: PhoneOwner = { id: asUserId('ann'), phone: old, email: asEmail('ann@example.com') };
const drafts = preparePhoneNotices(secrets, 'phone-changed', { language: 'en', now: noon });

describe('a change that is due', () => {
  const cases: [what: string, effectiveAt: number, owner: UserId | undefined, expected: DueOutcome['kind']][] = [
    ['whose number is free', noon, undefined, 'applied'],
    ['whose number the user has', noon, asUserId('ann'), 'applied'],
    ['whose number another user has', noon, asUserId('bob'), 'taken'],
    ['that was restored', announceAgain, undefined, 'announced'],
    ['that was restored, whose number another user has', announceAgain, asUserId('bob'), 'announced'],
  ];
  for (const [what, effectiveAt, owner, expected] of cases)
    it(`a change ${what} is ${expected}`, () => assert.equal(judgeDue(asUserId('ann'), effectiveAt, owner), expected));

  it('a change stays scheduled only if it was announced again, with the whole wait', () => {
    const round = { waitSeconds: 3600, now: noon };
    assert.deepEqual(scheduledAfter('announced', next, round), { phone: next, effectiveAt: noon + hour });
    assert.equal(scheduledAfter('applied', next, round), undefined);
    assert.equal(scheduledAfter('taken', next, round), undefined);
  });

  it('a change whose number is taken is written down without the number', () => {
    assert.deepEqual(phoneFailedEvent(asUserId('ann'), next, noon), {
      kind: 'phone.change-failed',
      userId: 'ann',
      detail: { phone: '+49•••78', reason: 'taken' },
      now: noon,
    });
  });
});

describe('the notices of a change', () => {
  const scheduled = { phone: next, effectiveAt: noon + 3 * day };
  const shown = (kind: DueOutcome['kind'], user: PhoneOwner) =>
    dueNotices(drafts, user, { kind, scheduled, language: 'fr' }).map(({ userId, message, target }) => {
      const { to, language } = message.payload;
      const topic = 'topic' in message.payload ? message.payload.topic : '';
      return [userId, message.channel, to, topic, language, target?.kind];
    });

  const cases: [kind: DueOutcome['kind'], topic: string, target: string | undefined, channels: string[]][] = [
    ['applied', 'phone-changed', 'undo-phone', ['sms', 'mail']],
    ['announced', 'phone-change-scheduled', 'cancel-phone', ['sms', 'mail']],
    ['taken', 'phone-change-failed', undefined, ['mail']],
  ];
  for (const [kind, topic, target, channels] of cases) {
    it(`a change that is ${kind} is announced by ${channels.join(' and ')}, in the language of its request`, () => {
      const to = { sms: old, mail: 'ann@example.com' };
      const expected = channels.map((channel) => [
        'ann',
        channel,
        channel === 'sms' ? to.sms : to.mail,
        topic,
        'fr',
        target,
      ]);
      assert.deepEqual(shown(kind, ann), expected);
    });

    it(`a change that is ${kind} is announced to nobody where the user has neither number nor address`, () =>
      assert.deepEqual(shown(kind, { id: asUserId('ann'), phone: undefined, email: undefined }), []));
  }

  it('the mail names the new number masked, and the time at which a change that waits takes effect', () => {
    const payloadOf = (kind: DueOutcome['kind']) =>
      dueNotices(drafts, ann, { kind, scheduled, language: 'en' }).find(({ message }) => message.channel === 'mail')
        ?.message.payload as { number: string; at: number; account: string } | undefined;
    for (const [kind, at] of [
      ['applied', noon],
      ['taken', noon],
      ['announced', scheduled.effectiveAt],
    ] as const) {
      const { number, at: notified, account } = payloadOf(kind) ?? assert.fail();
      assert.deepEqual([number, notified, account], ['+49•••78', at, '+49•••21']);
    }
  });

  it('a cancelled change is announced by both channels, with links that end all sessions', () => {
    const notices = preparePhoneNotices(secrets, 'phone-change-cancelled', { language: 'en', now: noon });
    const notified = cancelledNotices(notices, ann, next);
    assert.deepEqual(
      notified.map(({ message, target }) => [message.payload.to, target?.kind]),
      [
        [old, 'not-me'],
        ['ann@example.com', 'not-me'],
      ],
    );
    assert.notEqual(notified[0]?.tokenHash, notified[1]?.tokenHash);
  });
});

describe('the wait of a change of a blocked user', () => {
  it('a block delays the change by its length', () => {
    assert.equal(resumeAfterBlock(noon + hour, noon, noon + day), noon + day + hour);
    assert.equal(resumeAfterBlock(noon + hour, noon, noon), noon + hour);
  });

  it('a block that ends before it began, by another clock, does not hasten the change', () =>
    assert.equal(resumeAfterBlock(noon + hour, noon, noon - day), noon + hour));

  it('a change that must be announced again stays so', () =>
    assert.equal(resumeAfterBlock(announceAgain, noon, noon + day), announceAgain));
});
