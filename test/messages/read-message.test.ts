// Reading an entry of the outbox: complete messages of known kinds are read, anything else reports what is wrong.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { channels } from '../../src/messages/channel.ts';
import { type Message, type MessageKind, messageKinds } from '../../src/messages/message-kinds.ts';
import type { ClaimedMessage } from '../../src/messages/outbox.ts';
import { readMessage, readRecipient } from '../../src/messages/read-message.ts';
import { asEmail, asEmailKey, asPhone, asUserId } from '../helpers/people/ids.ts';

const toPhone = { to: asPhone('+4915112345678'), language: 'en' } as const;
const toKey = { to: asEmailKey('a@example.com'), language: 'en' } as const;
const toAddress = { to: asEmail('A@example.com'), language: 'en' } as const;
const source = { challenge: { id: 'id', nonce: 'nonce', secretId: 'abcd' }, expiresAt: 5 } as const;
const link = { secretId: 'abcd', nonce: 'nonce' };
const times = { id: 'message', createdAt: 1, expiresAt: 5 } as const;

const whole: { readonly [Kind in Message['kind']]: Extract<Message, { kind: Kind }> } = {
  'phone-login': { ...times, kind: 'phone-login', channel: 'sms', payload: { ...toPhone, ...source } },
  'email-binding': {
    ...times,
    kind: 'email-binding',
    channel: 'mail',
    payload: { ...toKey, ...source, address: asEmail('A@example.com'), userId: asUserId('user') },
  },
  'proof-phone': {
    ...times,
    kind: 'proof-phone',
    channel: 'sms',
    payload: { ...toPhone, ...source, userId: asUserId('user') },
  },
  'proof-email': {
    ...times,
    kind: 'proof-email',
    channel: 'mail',
    payload: { ...toKey, ...source, address: asEmail('A@example.com'), userId: asUserId('user') },
  },
  'phone-change': {
    ...times,
    kind: 'phone-change',
    channel: 'sms',
    payload: { ...toPhone, ...source, userId: asUserId('user') },
  },
  'login-link': {
    ...times,
    kind: 'login-link',
    channel: 'mail',
    payload: { ...toKey, secretId: 'abcd', nonce: 'nonce', browserHash: 'hash' },
  },
  'email-replaced': { ...times, kind: 'email-replaced', channel: 'mail', payload: toAddress },
  notice: {
    ...times,
    kind: 'notice',
    channel: 'mail',
    payload: { ...toAddress, topic: 'new-device', at: 1, account: '+49•••78', device: 'curl', link },
  },
  'notice-sms': {
    ...times,
    kind: 'notice-sms',
    channel: 'sms',
    payload: { ...toPhone, topic: 'email-removed', link },
  },
};

function claimed(kind: string, payload: unknown): ClaimedMessage {
  const channel = kind in messageKinds ? messageKinds[kind as MessageKind].channel : 'sms';
  return { ...times, channel, kind, payload, tries: 1, doubts: 0, heldUntil: 9 };
}

describe('an entry of the outbox', () => {
  for (const message of Object.values(whole)) {
    it(`an outbox entry is read back as the ${message.kind} message that was written`, () => {
      assert.deepEqual(readMessage(claimed(message.kind, JSON.parse(JSON.stringify(message.payload)))), message);
    });

    for (const name of Object.keys(message.payload)) {
      it(`an outbox entry of the kind ${message.kind} is refused without ${name}`, () => {
        assert.throws(() => readMessage(claimed(message.kind, { ...message.payload, [name]: undefined })));
      });
    }
  }

  it('an outbox entry whose channel is not that of its kind is refused', () => {
    for (const { kind, channel: own, payload } of Object.values(whole))
      for (const channel of channels.filter((each) => each !== own))
        assert.throws(() => readMessage({ ...claimed(kind, payload), channel }), /does not leave by/);
  });

  it('what only some notices have is read back too', () => {
    const { payload } = whole.notice;
    for (const extra of [{ number: '+44•••99' }, { isFinal: true }])
      assert.deepEqual(readMessage(claimed('notice', { ...payload, ...extra })).payload, { ...payload, ...extra });
  });

  it('the ticket of an app, which only some sign-in links carry, is read back too', () => {
    const payload = { ...whole['login-link'].payload, authorizationTicket: 'ticket' };
    assert.deepEqual(readMessage(claimed('login-link', payload)).payload, payload);
  });

  it('an outbox entry of a kind that only a later version knows is refused by name', () => {
    assert.throws(() => readMessage(claimed('voice-call', toPhone)), /holds "voice-call"/);
  });

  it('an outbox entry in a language that only a later version has is read in English', () => {
    const { payload } = whole['phone-login'];
    assert.deepEqual(readMessage(claimed('phone-login', { ...payload, language: 'xx' })).payload, payload);
  });

  it('the recipient of an outbox entry is read even if the rest is unreadable', () => {
    assert.equal(readRecipient({ to: 'a@example.com', other: 1 }), 'a@example.com');
    for (const payload of [undefined, null, 'text', [], { to: 1 }]) assert.equal(readRecipient(payload), '');
  });
});
