// The text of a message: the code or link is derived at delivery, and nothing is written where nobody may get it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeKeys, deriveCode } from '../../src/auth/codes/challenge.ts';
import { deriveLinkToken, hashLinkToken } from '../../src/auth/links/login-link.ts';
import { deriveNoticeToken } from '../../src/auth/notices/notice.ts';
import { writeMessage } from '../../src/auth/write-message.ts';
import type { MessageOf } from '../../src/messages/message-kinds.ts';
import {
  writeBindingMail,
  writeLoginLinkMail,
  writeNoticeMail,
  writeProofMail,
  writeReplacedMail,
} from '../../src/messages/texts/mail-text.ts';
import { usualLook } from '../../src/messages/texts/message-look.ts';
import { writeNoticeSms, writeSms } from '../../src/messages/texts/sms-text.ts';
import { type Answers, createAuthStage, secrets } from '../helpers/people/auth-fakes.ts';
import { asEmail, asEmailKey, asPhone, asUserId } from '../helpers/people/ids.ts';
import { minute, noon } from '../helpers/store/fixtures.ts';

const times = { createdAt: noon - 1000, expiresAt: noon + 9 * minute };
const challenge = { id: 'challenge', nonce: 'nonce', secretId: secrets.currentId };
const sms: MessageOf<'phone-login'> = {
  id: 'message',
  channel: 'sms',
  kind: 'phone-login',
  payload: { to: asPhone('+4915112345678'), language: 'de', challenge, expiresAt: noon + 5 * minute },
  ...times,
};
const link: MessageOf<'login-link'> = {
  id: 'message',
  channel: 'mail',
  kind: 'login-link',
  payload: {
    to: asEmailKey('ann@b.c'),
    language: 'de',
    secretId: secrets.currentId,
    nonce: 'nonce',
    browserHash: 'browser',
    authorizationTicket: 'ticket',
  },
  ...times,
};
const binding: MessageOf<'email-binding'> = {
  id: 'message',
  channel: 'mail',
  kind: 'email-binding',
  payload: {
    to: asEmailKey('ann@b.c'),
    address: asEmail('Ann@b.c'),
    userId: asUserId('ann'),
    language: 'de',
    challenge,
    expiresAt: noon + 5 * minute,
  },
  ...times,
};
const smsProof: MessageOf<'proof-phone'> = {
  ...sms,
  kind: 'proof-phone',
  payload: { ...sms.payload, userId: asUserId('ann') },
};
const smsChange: MessageOf<'phone-change'> = { ...smsProof, kind: 'phone-change' };
const mailProof: MessageOf<'proof-email'> = { ...binding, kind: 'proof-email' };
const replaced: MessageOf<'email-replaced'> = {
  id: 'message',
  channel: 'mail',
  kind: 'email-replaced',
  payload: { to: asEmail('Old@b.c'), language: 'de' },
  ...times,
};
const noticeLink = { secretId: secrets.currentId, nonce: 'nonce' };
const notice: MessageOf<'notice'> = {
  id: 'message',
  channel: 'mail',
  kind: 'notice',
  payload: {
    to: asEmail('Ann@b.c'),
    language: 'de',
    topic: 'new-device',
    at: noon,
    account: '+49•••78',
    device: 'curl',
    link: noticeLink,
  },
  ...times,
};
const smsNotice: MessageOf<'notice-sms'> = {
  id: 'message',
  channel: 'sms',
  kind: 'notice-sms',
  payload: { to: asPhone('+4915112345678'), language: 'de', topic: 'email-removed', link: noticeLink },
  ...times,
};
const noticeUrl = `https://login.example/not-me#${deriveNoticeToken(secrets, 'message', noticeLink)}`;
const stageOf = (answers: Answers = {}, linkLifeSeconds = 1200) => {
  const { deps, calls } = createAuthStage(answers, { linkLifeSeconds });
  return {
    calls,
    deps: {
      ...deps,
      brand: 'Gatehouse',
      look: usualLook,
      host: 'login.example',
      loginLinkUrl: 'https://login.example/link',
      notMeUrl: 'https://login.example/not-me',
    },
  };
};
const envelope = { id: 'message', createdAt: noon - 1000 };

describe('the text of a message', () => {
  const code =
    deriveCode(codeKeys(secrets), challenge, { purpose: 'phone-login', recipient: asPhone('+4915112345678') }) ?? '';
  const minutes: [expiresAt: number, expected: number][] = [
    [noon + 5 * minute, 5],
    [noon + 4.4 * minute, 4],
    [noon + 4.5 * minute, 5],
    [noon + 1000, 1],
    [noon - minute, 1],
  ];
  for (const [expiresAt, expected] of minutes) {
    it(`the text of a code that ends ${(expiresAt - noon) / 1000} s from now says ${expected} minutes`, async () => {
      const { deps, calls } = stageOf();
      const message = await writeMessage(deps, { ...sms, payload: { ...sms.payload, expiresAt } });
      const text = writeSms('de', { brand: 'Gatehouse', host: 'login.example', code, minutes: expected });
      assert.deepEqual(message, { ...envelope, to: '+4915112345678', text });
      assert.deepEqual(calls, []);
    });
  }

  it('no text is written for a code whose secret is gone', async () => {
    const gone = { ...challenge, secretId: 'ffff' };
    const { deps } = stageOf({ bindings: { findOwner: async () => undefined } });
    assert.equal(await writeMessage(deps, { ...sms, payload: { ...sms.payload, challenge: gone } }), undefined);
    assert.equal(await writeMessage(deps, { ...binding, payload: { ...binding.payload, challenge: gone } }), undefined);
  });

  it('the mail with a sign-in link is written after the link was issued, to the address of its owner', async () => {
    const { deps, calls } = stageOf({ links: { issueLink: async () => ({ address: asEmail('Ann@b.c') }) } });
    const token = deriveLinkToken(secrets, secrets.currentId, 'message', 'nonce') ?? '';
    const mail = writeLoginLinkMail('de', { brand: 'Gatehouse', minutes: 20 }, `https://login.example/link#${token}`);
    assert.deepEqual(await writeMessage(deps, link), { ...envelope, to: asEmail('Ann@b.c'), ...mail });
    assert.deepEqual(calls, [
      [
        'links.issueLink',
        {
          emailKey: 'ann@b.c',
          tokenHash: hashLinkToken(token),
          browserHash: 'browser',
          authorizationTicket: 'ticket',
          lifeSeconds: 1200,
          requestedAt: noon - 1000,
          now: noon,
        },
      ],
    ]);
  });

  for (const [lifeSeconds, expected] of [
    [119, 1],
    [120, 2],
    [30, 1],
  ] as const) {
    it(`the mail with a link that lives ${lifeSeconds} s says ${expected} minutes`, async () => {
      const { deps } = stageOf({ links: { issueLink: async () => ({ address: asEmail('Ann@b.c') }) } }, lifeSeconds);
      const message = await writeMessage(deps, link);
      const { text } = writeLoginLinkMail('de', { brand: 'Gatehouse', minutes: expected }, 'URL');
      assert.equal(message?.text.replace(/https:\S+/, 'URL'), text);
    });
  }

  it('no mail is written where nobody owns the address', async () => {
    const { deps } = stageOf({ links: { issueLink: async () => undefined } });
    assert.equal(await writeMessage(deps, link), undefined);
  });

  it('no mail is written and no link is issued where the secret is gone', async () => {
    const { deps, calls } = stageOf();
    assert.equal(await writeMessage(deps, { ...link, payload: { ...link.payload, secretId: 'ffff' } }), undefined);
    assert.deepEqual(calls, []);
  });

  it('the mail with a binding code is written to the address as it was typed, where nobody owns it', async () => {
    const { deps, calls } = stageOf({ bindings: { findOwner: async () => undefined } });
    const subject = { purpose: 'email-binding', recipient: asEmailKey('ann@b.c'), userId: asUserId('ann') } as const;
    const bindingCode = deriveCode(codeKeys(secrets), challenge, subject) ?? '';
    const mail = writeBindingMail('de', { brand: 'Gatehouse', code: bindingCode, minutes: 5 });
    assert.deepEqual(await writeMessage(deps, binding), { ...envelope, to: asEmail('Ann@b.c'), ...mail });
    assert.deepEqual(calls, [['bindings.findOwner', 'ann@b.c']]);
  });

  for (const owner of ['somebody else', 'ann']) {
    it(`no mail with a binding code is written where ${owner} owns the address`, async () => {
      const { deps } = stageOf({ bindings: { findOwner: async () => owner } });
      assert.equal(await writeMessage(deps, binding), undefined);
    });
  }

  for (const message of [smsProof, smsChange]) {
    it(`the SMS of the kind ${message.kind} holds the code of its purpose and its user, and nobody is looked up`, async () => {
      const subject = { purpose: message.kind, recipient: asPhone('+4915112345678'), userId: asUserId('ann') };
      const code = deriveCode(codeKeys(secrets), challenge, subject) ?? '';
      const text = writeSms('de', { brand: 'Gatehouse', host: 'login.example', code, minutes: 5 });
      const { deps, calls } = stageOf();
      assert.deepEqual(await writeMessage(deps, message), { ...envelope, to: '+4915112345678', text });
      const lost = { ...message, payload: { ...message.payload, challenge: { ...challenge, secretId: 'ffff' } } };
      assert.equal(await writeMessage(deps, lost), undefined);
      assert.deepEqual(calls, []);
    });
  }

  it('the mail with the code of a proof is written to the address as it was typed, where the user still owns it', async () => {
    const { deps, calls } = stageOf({ bindings: { findOwner: async () => 'ann' } });
    const subject = { purpose: 'proof-email', recipient: asEmailKey('ann@b.c'), userId: asUserId('ann') } as const;
    const proofCode = deriveCode(codeKeys(secrets), challenge, subject) ?? '';
    const mail = writeProofMail('de', { brand: 'Gatehouse', code: proofCode, minutes: 5 });
    assert.deepEqual(await writeMessage(deps, mailProof), { ...envelope, to: asEmail('Ann@b.c'), ...mail });
    assert.deepEqual(calls, [['bindings.findOwner', 'ann@b.c']]);
    const lost = { ...mailProof, payload: { ...mailProof.payload, challenge: { ...challenge, secretId: 'ffff' } } };
    assert.equal(await writeMessage(deps, lost), undefined);
  });

  for (const owner of ['somebody else', undefined]) {
    it(`no mail with the code of a proof is written where ${owner ?? 'nobody'} owns the address`, async () => {
      const { deps } = stageOf({ bindings: { findOwner: async () => owner } });
      assert.equal(await writeMessage(deps, mailProof), undefined);
    });
  }
  it('a notice is written with a link that is derived at delivery', async () => {
    const { deps, calls } = stageOf();
    const values = { brand: 'Gatehouse', account: '+49•••78', device: 'curl', at: noon };
    const mail = writeNoticeMail('de', 'new-device', values, noticeUrl);
    assert.deepEqual(await writeMessage(deps, notice), { ...envelope, to: asEmail('Ann@b.c'), ...mail });
    assert.deepEqual(calls, []);
  });

  it('a notice by text message is counted before it is written, with the country of the number', async () => {
    const { deps, calls } = stageOf({ notices: { admitNoticeSms: async () => true } });
    const text = writeNoticeSms('de', 'email-removed', { brand: 'Gatehouse', url: noticeUrl });
    assert.deepEqual(await writeMessage(deps, smsNotice), { ...envelope, to: '+4915112345678', text });
    const check = {
      phone: '+4915112345678',
      country: 'DE',
      policy: deps.brake,
      topic: 'email-removed',
      messageId: 'message',
      createdAt: smsNotice.createdAt,
      now: noon,
    };
    assert.deepEqual(calls, [['notices.admitNoticeSms', check]]);
  });

  it('no notice by text message is written while the brake is on', async () => {
    const { deps } = stageOf({ notices: { admitNoticeSms: async () => false } });
    assert.equal(await writeMessage(deps, smsNotice), undefined);
  });

  it('no notice is written to a test recipient, or after its secret is gone', async () => {
    const { deps } = stageOf();
    const until = noon + minute;
    const testRecipients = ['ann@b.c', '+4915112345678'].map((recipient) => ({ recipient, code: '000000', until }));
    for (const message of [notice, smsNotice])
      assert.equal(await writeMessage({ ...deps, testRecipients }, message), undefined);
    const link = { secretId: 'gone', nonce: 'nonce' };
    assert.equal(await writeMessage(deps, { ...notice, payload: { ...notice.payload, link } }), undefined);
    assert.equal(await writeMessage(deps, { ...smsNotice, payload: { ...smsNotice.payload, link } }), undefined);
  });

  it('no notice by text message is written to a number that is no longer served, such as that of an ended test recipient', async () => {
    const { deps, calls } = stageOf({ notices: { admitNoticeSms: async () => true } });
    const message = { ...smsNotice, payload: { ...smsNotice.payload, to: asPhone('+15550100001') } };
    assert.equal(await writeMessage(deps, message), undefined);
    assert.deepEqual(calls, []);
  });

  it('a message of a kind that is not known is an error, not a message', async () => {
    const message = { ...sms, kind: 'new' } as never;
    await assert.rejects(writeMessage(stageOf().deps, message), /not handled/);
  });

  it('the notice about a replaced address is written to that address', async () => {
    const { deps, calls } = stageOf();
    const mail = writeReplacedMail('de', { brand: 'Gatehouse' });
    assert.deepEqual(await writeMessage(deps, replaced), { ...envelope, to: asEmail('Old@b.c'), ...mail });
    assert.deepEqual(calls, []);
  });
});
