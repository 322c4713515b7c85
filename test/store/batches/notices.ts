// Notices as the inputs of a batch contain them.

import type { PhoneNotices } from '../../../src/auth/identity/phone-change.ts';
import type { Notice, NoticeDraft } from '../../../src/auth/notices/notice.ts';
import type { MailTopic, PhoneTopic, SmsTopic } from '../../../src/messages/message-kinds.ts';
import { hour, idAt } from './pool.ts';

const noticeSource = { secretId: 'abcd', nonce: 'nonce' };

export function mailNoticeOf(topic: MailTopic, now: number, name: string): Notice<'notice'> {
  const payload = {
    to: '' as const,
    language: 'en' as const,
    topic,
    at: now,
    account: '',
    device: '',
    link: noticeSource,
  };
  const entry = { id: idAt(0, name), kind: 'notice' as const, channel: 'mail' as const };
  return { message: { ...entry, payload, createdAt: now, expiresAt: now + hour }, tokenHash: `token of ${name}` };
}

export function smsNoticeOf(topic: SmsTopic, now: number, name: string): Notice<'notice-sms'> {
  const payload = { to: '' as const, language: 'en' as const, topic, link: noticeSource };
  const entry = { id: idAt(0, name), kind: 'notice-sms' as const, channel: 'sms' as const };
  return { message: { ...entry, payload, createdAt: now, expiresAt: now + hour }, tokenHash: `token of ${name}` };
}

export function phoneNoticesOf(topic: PhoneTopic, now: number, name: string): PhoneNotices {
  return { sms: smsNoticeOf(topic, now, `sms${name}`), mail: mailNoticeOf(topic, now, `mail${name}`) };
}

/** They are written only by the operation that sends them. */
export function noticeDraftOf(now: number, name: string): NoticeDraft {
  return { id: idAt(0, name), nonce: 'nonce', device: undefined, language: 'en', now, secretId: 'abcd', key: 'key' };
}
