// Texts as ids, phone numbers and e-mail addresses, for fakes that make no path of them.

import type { SessionId } from '../../../src/auth/sessions/session-id.ts';
import type { FileId, UploadId, UserId } from '../../../src/kernel/ids.ts';
import type { EmailAddress, EmailKey, PhoneNumber } from '../../../src/kernel/recipient.ts';

export function asFileId(text: string): FileId {
  return text as FileId;
}

export function asUploadId(text: string): UploadId {
  return text as UploadId;
}

/** An id in the form that the service makes, the same for the same name of up to six letters. */
export function userIdOf(name: string): UserId {
  return asUserId(`01900000-0000-7000-8000-${Buffer.from(name).toString('hex').padStart(12, '0')}`);
}

export function asUserId(text: string): UserId {
  return text as UserId;
}

/** The id of an installation as the service makes them, the same for the same name. */
export function installationIdOf(name: string): string {
  return `ins_${name.padEnd(22, '0')}`;
}

export function asPhone(text: string): PhoneNumber {
  return text as PhoneNumber;
}

/** Without a check of its syntax. */
export function asEmail(text: string): EmailAddress {
  return text as EmailAddress;
}

/** Without a check of its syntax. */
export function asEmailKey(text: string): EmailKey {
  return text as EmailKey;
}

export function asSessionId(text: string): SessionId {
  return text as SessionId;
}
