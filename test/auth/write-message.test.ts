// The text of a message: the code or link is derived at delivery, and nothing is written where nobody may get it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeKeys, deriveCode } from '../../src/auth/challenge.ts';
import { deriveLinkToken, hashLinkToken } from '../../src/auth/login-link.ts';
import { writeMessage } from '../../src/auth/write-message.ts';
import { writeBindingMail, writeLoginLinkMail, writeReplacedMail } from '../../src/messages/mail-text.ts';
import type { MessageOf } from '../../src/messages/message-kinds.ts';
import { writeSms } from '../../src/messages/sms-text.ts';
import { type Answers, createAuthStage, secrets } from '../helpers/auth-fakes.ts';
import { minute, noon } from '../helpers/store/fixtures.ts';

const times = { createdAt: noon - 1000, expiresAt: noon + 9 * minute };
const challenge = { id: 'challenge', nonce: 'nonce', secretId: secrets.currentId };
const sms: MessageOf<'phone-login'> = {
  id: 'message',
  channel: 'sms',
  kind: 'phone-login',
  payload: { to: '+4915112345678', language: 'de', challenge, expiresAt: noon + 5 * minute },
  ...times,
};
const link: MessageOf<'login-link'> = {
  id: 'message',
  channel: 'mail',
  kind: 'login-link',
  payload: { to: 'ann@b.c', language: 'de', secretId: secrets.currentId, nonce: 'nonce', browserHash: 'browser' },
  ...times,
};
const binding: MessageOf<'email-binding'> = {
  id: 'message',
  channel: 'mail',
  kind: 'email-binding',
  payload: {
    to: 'ann@b.c',
    address: 'Ann@b.c',
    userId: 'ann',
    language: 'de',
    challenge,
    expiresAt: noon + 5 * minute,
  },
  ...times,
};
const replaced: MessageOf<'email-replaced'> = {
  id: 'message',
  channel: 'mail',
  kind: 'email-replaced',
  payload: { to: 'Old@b.c', language: 'de' },
  ...times,
};
const stageOf = (answers: Answers = {}, linkLifeSeconds = 1200) => {
  const { deps, calls } = createAuthStage(answers, { linkLifeSeconds });
  return {
    calls,
    deps: { ...deps, brand: 'Gatehouse', host: 'login.example', loginLinkUrl: 'https://login.example/link' },
  };
};
const envelope = { id: 'message', createdAt: noon - 1000 };

describe('the text of a message', () => {
  const code = deriveCode(codeKeys(secrets), challenge, { purpose: 'phone-login', recipient: '+4915112345678' }) ?? '';
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
    const { deps, calls } = stageOf({ links: { issueLink: async () => ({ address: 'Ann@b.c' }) } });
    const token = deriveLinkToken(secrets, secrets.currentId, 'message', 'nonce') ?? '';
    const mail = writeLoginLinkMail('de', { brand: 'Gatehouse', minutes: 20 }, `https://login.example/link#${token}`);
    assert.deepEqual(await writeMessage(deps, link), { ...envelope, to: 'Ann@b.c', ...mail });
    assert.deepEqual(calls, [
      [
        'links.issueLink',
        {
          emailKey: 'ann@b.c',
          tokenHash: hashLinkToken(token),
          browserHash: 'browser',
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
      const { deps } = stageOf({ links: { issueLink: async () => ({ address: 'Ann@b.c' }) } }, lifeSeconds);
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
    const subject = { purpose: 'email-binding', recipient: 'ann@b.c', userId: 'ann' } as const;
    const bindingCode = deriveCode(codeKeys(secrets), challenge, subject) ?? '';
    const mail = writeBindingMail('de', { brand: 'Gatehouse', code: bindingCode, minutes: 5 });
    assert.deepEqual(await writeMessage(deps, binding), { ...envelope, to: 'Ann@b.c', ...mail });
    assert.deepEqual(calls, [['bindings.findOwner', 'ann@b.c']]);
  });

  for (const owner of ['somebody else', 'ann']) {
    it(`no mail with a binding code is written where ${owner} owns the address`, async () => {
      const { deps } = stageOf({ bindings: { findOwner: async () => owner } });
      assert.equal(await writeMessage(deps, binding), undefined);
    });
  }

  it('a message of a kind that is not known is an error, not a message', async () => {
    const message = { ...sms, kind: 'new' } as never;
    await assert.rejects(writeMessage(stageOf().deps, message), /not handled/);
  });

  it('the notice about a replaced address is written to that address', async () => {
    const { deps, calls } = stageOf();
    const mail = writeReplacedMail('de', { brand: 'Gatehouse' });
    assert.deepEqual(await writeMessage(deps, replaced), { ...envelope, to: 'Old@b.c', ...mail });
    assert.deepEqual(calls, []);
  });
});
