// Parses an outbox entry into a typed message, and validates its payload.

import type { UserId } from '../kernel/ids.ts';
import type { EmailAddress, EmailKey, PhoneNumber } from '../kernel/recipient.ts';
import { asRecord } from '../kernel/text/as-record.ts';
import { readWord } from '../kernel/text/closed-list.ts';
import { findLanguage, type Language } from '../kernel/text/language.ts';
import {
  type CodeSource,
  type Message,
  type MessageKind,
  type MessageOf,
  mailTopics,
  messageKinds,
  type NoticeSource,
  smsTopics,
} from './message-kinds.ts';
import type { ClaimedMessage } from './outbox.ts';

type Fields = Readonly<Record<string, unknown>>;
type Times = Pick<Message, 'id' | 'createdAt' | 'expiresAt'>;

const readers: { readonly [Kind in MessageKind]: (times: Times, fields: Fields) => MessageOf<Kind> } = {
  'phone-login': (times, fields) => ({
    ...times,
    kind: 'phone-login',
    channel: messageKinds['phone-login'].channel,
    payload: { ...readAddressed<PhoneNumber>(fields), ...readCodeSource(fields) },
  }),
  'email-binding': (times, fields) => ({
    ...times,
    kind: 'email-binding',
    channel: messageKinds['email-binding'].channel,
    payload: {
      ...readAddressed<EmailKey>(fields),
      ...readCodeSource(fields),
      address: readText(fields, 'address') as EmailAddress,
      userId: readUser(fields),
    },
  }),
  'proof-phone': (times, fields) => ({
    ...times,
    kind: 'proof-phone',
    channel: messageKinds['proof-phone'].channel,
    payload: { ...readAddressed<PhoneNumber>(fields), ...readCodeSource(fields), userId: readUser(fields) },
  }),
  'proof-email': (times, fields) => ({
    ...times,
    kind: 'proof-email',
    channel: messageKinds['proof-email'].channel,
    payload: {
      ...readAddressed<EmailKey>(fields),
      ...readCodeSource(fields),
      address: readText(fields, 'address') as EmailAddress,
      userId: readUser(fields),
    },
  }),
  'phone-change': (times, fields) => ({
    ...times,
    kind: 'phone-change',
    channel: messageKinds['phone-change'].channel,
    payload: { ...readAddressed<PhoneNumber>(fields), ...readCodeSource(fields), userId: readUser(fields) },
  }),
  'login-link': (times, fields) => ({
    ...times,
    kind: 'login-link',
    channel: messageKinds['login-link'].channel,
    payload: {
      ...readAddressed<EmailKey>(fields),
      secretId: readText(fields, 'secretId'),
      nonce: readText(fields, 'nonce'),
      browserHash: readText(fields, 'browserHash'),
      ...(fields.authorizationTicket !== undefined && {
        authorizationTicket: readText(fields, 'authorizationTicket'),
      }),
    },
  }),
  'email-replaced': (times, fields) => ({
    ...times,
    kind: 'email-replaced',
    channel: messageKinds['email-replaced'].channel,
    payload: readAddressed<EmailAddress>(fields),
  }),
  notice: (times, fields) => ({
    ...times,
    kind: 'notice',
    channel: messageKinds.notice.channel,
    payload: {
      ...readAddressed<EmailAddress>(fields),
      topic: readWord(mailTopics, readText(fields, 'topic'), 'the topic of a notice'),
      at: readNumber(fields, 'at'),
      account: readText(fields, 'account'),
      device: readText(fields, 'device'),
      ...(fields.number !== undefined && { number: readText(fields, 'number') }),
      ...(fields.isFinal === true && { isFinal: true as const }),
      link: readNoticeSource(fields),
    },
  }),
  'notice-sms': (times, fields) => ({
    ...times,
    kind: 'notice-sms',
    channel: messageKinds['notice-sms'].channel,
    payload: {
      ...readAddressed<PhoneNumber>(fields),
      topic: readWord(smsTopics, readText(fields, 'topic'), 'the topic of a notice'),
      link: readNoticeSource(fields),
    },
  }),
};

const kinds = Object.keys(readers) as readonly MessageKind[];

/**
 * Throws on an unknown kind and on an incomplete payload. The worker then retries later, perhaps on a node of a newer version, and
 * finally parks the message. It never drops the message.
 */
export function readMessage({ id, channel, kind, payload, createdAt, expiresAt }: ClaimedMessage): Message {
  const message = readers[readWord(kinds, kind, 'the kind of a message')](
    { id, createdAt, expiresAt },
    asRecord(payload),
  );
  if (message.channel !== channel) throw new Error(`a message of the kind ${kind} does not leave by ${channel}`);
  return message;
}

/** The recipient, even if the rest of the payload is invalid. Empty if it is unknown. */
export function readRecipient(payload: unknown): string {
  const { to } = asRecord(payload);
  return typeof to === 'string' ? to : '';
}

/** English if a later version wrote a language that this one does not know: a code in English is better than none. */
function readAddressed<To extends PhoneNumber | EmailAddress | EmailKey>(fields: Fields) {
  const language: Language = findLanguage(readText(fields, 'language')) ?? 'en';
  return { to: readText(fields, 'to') as To, language };
}

function readCodeSource(fields: Fields): CodeSource {
  const challenge = asRecord(fields.challenge);
  return {
    challenge: {
      id: readText(challenge, 'id'),
      nonce: readText(challenge, 'nonce'),
      secretId: readText(challenge, 'secretId'),
    },
    expiresAt: readNumber(fields, 'expiresAt'),
  };
}

function readNoticeSource(fields: Fields): NoticeSource {
  const link = asRecord(fields.link);
  return { secretId: readText(link, 'secretId'), nonce: readText(link, 'nonce') };
}

function readUser(fields: Fields): UserId {
  return readText(fields, 'userId') as UserId;
}

function readText(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new Error(`a message has no ${name}`);
  return value;
}

function readNumber(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number') throw new Error(`a message has no ${name}`);
  return value;
}
