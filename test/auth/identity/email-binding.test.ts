// The rules of binding an address: who gets it, which one it replaces, and what is written down.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type BindingVerdict,
  boundEvents,
  boundNotices,
  judgeBinding,
  judgeRemoval,
  removedEvent,
  removedNotices,
} from '../../../src/auth/identity/email-binding.ts';
import { prepareMailNotice, prepareSmsNotice, type SentNotice } from '../../../src/auth/notices/notice.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import type { MailTopic } from '../../../src/messages/message-kinds.ts';
import { asEmail, asEmailKey, asPhone, asUserId } from '../../helpers/people/ids.ts';
import { attempt, binding, noon } from '../../helpers/store/fixtures.ts';

const old = { address: asEmail('Old@b.c'), key: asEmailKey('old@b.c') };
const given = binding(attempt('new@b.c', noon), asUserId('me'), 'New@b.c', noon);
const { emailKey } = given;

const secrets = createSecrets('the secret '.repeat(4));
const phone = asPhone('+4915112345678');
const about = { language: 'en', now: noon } as const;
const mail = (topic: MailTopic) => prepareMailNotice(secrets, topic, about);
const describeNotices = (sent: readonly SentNotice[]) =>
  sent.map(({ message: { payload } }) => `${'topic' in payload ? payload.topic : ''} to ${payload.to}`);

describe('binding an address', () => {
  const free = { kind: 'bound', replaced: undefined } as const;
  const cases: [what: string, Parameters<typeof judgeBinding>[0], BindingVerdict][] = [
    ['of a user without one', { user: { bound: undefined }, owner: undefined }, free],
    ['of a user with another', { user: { bound: old }, owner: undefined }, { kind: 'bound', replaced: old }],
    [
      'that the user has',
      { user: { bound: { address: asEmail('New@b.c'), key: emailKey } }, owner: asUserId('me') },
      { kind: 'own' },
    ],
    [
      'that the user has in other letters',
      { user: { bound: { address: asEmail('NEW@b.c'), key: emailKey } }, owner: asUserId('me') },
      free,
    ],
    ['that somebody else has', { user: { bound: old }, owner: asUserId('other') }, { kind: 'taken' }],
    ['of a deleted user', { user: undefined, owner: undefined }, { kind: 'gone' }],
    ['of a deleted user that somebody else has', { user: undefined, owner: asUserId('other') }, { kind: 'gone' }],
  ];
  for (const [what, state, expected] of cases) {
    it(`${what}: ${expected.kind}`, () => assert.deepEqual(judgeBinding(state, given), expected));
  }

  const stale = { ...given, mayReplace: false };
  const staleCases: [what: string, Parameters<typeof judgeBinding>[0], BindingVerdict][] = [
    ['that replaces one', { user: { bound: old }, owner: undefined }, { kind: 'stale' }],
    ['that replaces one and is taken', { user: { bound: old }, owner: asUserId('other') }, { kind: 'stale' }],
    ['that is the first', { user: { bound: undefined }, owner: undefined }, free],
    ['that is the first and is taken', { user: { bound: undefined }, owner: asUserId('other') }, { kind: 'taken' }],
    [
      'that the user has',
      { user: { bound: { address: asEmail('New@b.c'), key: emailKey } }, owner: asUserId('me') },
      { kind: 'own' },
    ],
    ['of a deleted user', { user: undefined, owner: undefined }, { kind: 'gone' }],
  ];
  for (const [what, state, expected] of staleCases) {
    it(`${what}, by a user who was not proved recently: ${expected.kind}`, () =>
      assert.deepEqual(judgeBinding(state, stale), expected));
  }

  it('writes down the new address, masked, and before it the one that it replaces', () => {
    const kinds = (replaced: typeof old | undefined) =>
      boundEvents(given, replaced).map(({ kind, userId, detail, now }) => [kind, userId, detail, now]);
    const bound = ['email.bound', 'me', { email: 'N•••@b.c' }, noon];
    assert.deepEqual(kinds(undefined), [bound]);
    assert.deepEqual(kinds(old), [['email.replaced', 'me', { old: 'O•••@b.c' }, noon], bound]);
  });

  it('tells the address that it replaces, and nobody else, where notices are off', () => {
    const message = { ...given.notice, payload: { ...given.notice.payload, to: 'Old@b.c' } };
    assert.deepEqual(boundNotices(given, phone, old), [{ userId: 'me', message }]);
    assert.deepEqual(boundNotices(given, phone, undefined), []);
  });

  it('tells the address that it replaces, the new one, and the phone if notices go there too', () => {
    const notices = { replaced: mail('email-replaced'), bound: mail('email-bound'), sms: undefined };
    const sms = prepareSmsNotice(secrets, 'email-bound', about);
    assert.deepEqual(describeNotices(boundNotices({ ...given, notices }, phone, undefined)), [
      'email-bound to New@b.c',
    ]);
    const both = ['email-replaced to Old@b.c', 'email-bound to New@b.c'];
    assert.deepEqual(describeNotices(boundNotices({ ...given, notices }, phone, old)), both);
    const withSms = { ...given, notices: { ...notices, sms } };
    assert.deepEqual(describeNotices(boundNotices(withSms, phone, undefined)), [
      'email-bound to New@b.c',
      `email-bound to ${phone}`,
    ]);
    assert.deepEqual(describeNotices(boundNotices(withSms, phone, old)), [...both, `email-replaced to ${phone}`]);
    const links = boundNotices(withSms, phone, old).map(({ tokenHash }) => tokenHash);
    assert.equal(new Set(links).size, 3, 'each message has a link of its own');
  });
});

describe('removing an address', () => {
  const by = { actor: 'cli', why: 'set back' } as const;
  const cases: [what: string, Parameters<typeof judgeRemoval>, expected: string][] = [
    ['of an account with a number', [{ phone, bound: old }, {}], 'removed'],
    ['of an account without an address', [{ phone, bound: undefined }, {}], 'none'],
    ['that is the last way in', [{ phone: undefined, bound: old }, {}], 'last'],
    [
      'that is the last way in, repeated from a journal',
      [{ phone: undefined, bound: old }, { isRepeat: true }],
      'removed',
    ],
    ['of an account with nothing', [{ phone: undefined, bound: undefined }, {}], 'none'],
  ];
  for (const [what, given, expected] of cases)
    it(`removing an address ${what}: ${expected}`, () => assert.equal(judgeRemoval(...given), expected));

  it('tells the removed address, and the phone if notices go there too', () => {
    const removal = { userId: asUserId('me'), now: noon };
    const sms = prepareSmsNotice(secrets, 'email-removed', about);
    assert.deepEqual(removedNotices(removal, phone, old), []);
    const byMail = { ...removal, notices: { mail: mail('email-removed'), sms: undefined } };
    assert.deepEqual(describeNotices(removedNotices(byMail, phone, old)), ['email-removed to Old@b.c']);
    const byBoth = { ...removal, notices: { mail: mail('email-removed'), sms } };
    const both = ['email-removed to Old@b.c', `email-removed to ${phone}`];
    assert.deepEqual(describeNotices(removedNotices(byBoth, phone, old)), both);
  });

  it('writes down which one, masked, and who did it', () => {
    assert.deepEqual(removedEvent({ userId: asUserId('me'), by, now: noon }, old), {
      kind: 'email.removed',
      userId: 'me',
      detail: { old: 'O•••@b.c', ...by },
      now: noon,
    });
  });
});
