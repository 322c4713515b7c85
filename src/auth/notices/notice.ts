// Notices: messages about a change of a way in, or about a new device, with a link “this was not me” that ends all sessions.

import { hmacSha256, readKey, sha256, writeKey } from '../../kernel/crypto/digest.ts';
import { newId, randomText } from '../../kernel/crypto/random.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import { idAfter } from '../../kernel/crypto/uuid.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { EmailAddress, PhoneNumber } from '../../kernel/recipient.ts';
import type { Language } from '../../kernel/text/language.ts';
import { maskEmail, maskPhone } from '../../kernel/text/mask.ts';
import type { MailTopic, Message, MessageOf, NoticeSource, SmsTopic } from '../../messages/message-kinds.ts';

/** Who gets notices: the bound address, the phone too, or nobody. */
export type NoticeChoice = 'mail' | 'mail+sms' | 'off';

/** The worker does not send a notice after this time. */
export const noticeSeconds = 86_400;

/** How long the link of a notice works, at least. */
export const noticeLinkSeconds = 72 * 3600;

/** The page that the link opens. The token is appended as the fragment. */
export const notMePath = '/not-me';

/** A notice before the commit that sends it. The store keeps only the hash of its link. */
export type Notice<Kind extends 'notice' | 'notice-sms'> = {
  readonly message: MessageOf<Kind>;
  readonly tokenHash: string;
};

/** What the link of a notice does besides ending all sessions. The store keeps these values. */
export const noticeLinkKinds = ['not-me', 'undo-phone', 'cancel-phone'] as const;

/** undo-phone: restores the number, or the state without one. Every link cancels a scheduled change of the number. */
export type NoticeTarget =
  | { readonly kind: 'not-me' | 'cancel-phone' }
  | { readonly kind: 'undo-phone'; readonly phone: PhoneNumber | undefined };

/** A message that is sent, and the hash of its link; a message without a link has none. */
export type SentNotice = {
  readonly userId: UserId;
  readonly message: Message;
  readonly tokenHash?: string;
  /** Left out: the link only ends all sessions. */
  readonly target?: NoticeTarget;
  /** The link works at least until then. */
  readonly linkUntil?: number;
};

type About = { readonly language: Language; readonly now: number };

/**
 * What the notices of one request are written from. A sign-in always brings a draft and hardly ever sends a notice, so it is small, and
 * nothing is hashed for it. `key`: that of the links.
 */
export type NoticeDraft = About & {
  readonly id: string;
  readonly nonce: string;
  readonly device: string | undefined;
  readonly secretId: string;
  readonly key: string;
};

type DraftedAbout = About & { readonly device?: string | undefined };

export function draftNotice(secrets: Secrets, { language, now, device }: DraftedAbout): NoticeDraft {
  const key = writeKey(secrets.currentKey('notice link'));
  return { id: newId(), nonce: randomText(32), device, language, now, secretId: secrets.currentId, key };
}

/** For another notice of the same request: it has its own id, and so its own link. */
export function anotherDraft(draft: NoticeDraft): NoticeDraft {
  return { ...draft, id: idAfter(draft.id) };
}

/** The store fills in the recipient and the masked account. */
export function writeMailNotice(draft: NoticeDraft, topic: MailTopic): Notice<'notice'> {
  const { language, now } = draft;
  const { source, tokenHash, ...entry } = writeLink(draft);
  const payload = { to: '' as const, language, topic, at: now, account: '', device: draft.device ?? '', link: source };
  return { message: { ...entry, kind: 'notice', channel: 'mail', payload }, tokenHash };
}

/** The store fills in the number. */
export function writeSmsNotice(draft: NoticeDraft, topic: SmsTopic): Notice<'notice-sms'> {
  const { source, tokenHash, ...entry } = writeLink(draft);
  const payload = { to: '' as const, language: draft.language, topic, link: source };
  return { message: { ...entry, kind: 'notice-sms', channel: 'sms', payload }, tokenHash };
}

export function prepareMailNotice(secrets: Secrets, topic: MailTopic, about: DraftedAbout): Notice<'notice'> {
  return writeMailNotice(draftNotice(secrets, about), topic);
}

export function prepareSmsNotice(secrets: Secrets, topic: SmsTopic, about: About): Notice<'notice-sms'> {
  return writeSmsNotice(draftNotice(secrets, about), topic);
}

function writeLink({ id, nonce, secretId, key, now }: NoticeDraft) {
  const token = tokenOf(readKey(key), id, nonce);
  return {
    id,
    source: { secretId, nonce },
    tokenHash: hashNoticeToken(token),
    createdAt: now,
    expiresAt: now + noticeSeconds * 1000,
  };
}

export function mailNoticeTo(
  { message, tokenHash }: Notice<'notice'>,
  { userId, phone, address }: { userId: UserId; phone: PhoneNumber | undefined; address: EmailAddress },
): SentNotice {
  const account = phone === undefined ? maskEmail(address) : maskPhone(phone);
  const payload = { ...message.payload, to: address, account };
  return { userId, message: { ...message, payload }, tokenHash };
}

export function smsNoticeTo(
  { message, tokenHash }: Notice<'notice-sms'>,
  { userId, phone, topic }: { userId: UserId; phone: PhoneNumber; topic: SmsTopic },
): SentNotice {
  return { userId, message: { ...message, payload: { ...message.payload, to: phone, topic } }, tokenHash };
}

export function deriveNoticeToken(secrets: Secrets, messageId: string, { secretId, nonce }: NoticeSource) {
  const key = secrets.findKey('notice link', secretId);
  return key === undefined ? undefined : tokenOf(key, messageId, nonce);
}

/** 24 bytes that only the message holds. Shorter than the token of a sign-in link, so that neither is taken for the other. */
function tokenOf(key: Buffer, messageId: string, nonce: string): string {
  return hmacSha256(key, `${messageId}\n${nonce}`, 'base64url').slice(0, 32);
}

export function hashNoticeToken(token: string): string {
  return sha256(token);
}

export function isNoticeToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{32}$/.test(text);
}
