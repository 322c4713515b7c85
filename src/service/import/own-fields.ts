// The fields that our own CSV and JSONL have under the same names.
import { isTrue, isTrueOrMissing, textOf, timeOf } from './fields.ts';

export function readOwnFields(record: Readonly<Record<string, unknown>>) {
  return {
    id: textOf(record.id),
    externalId: textOf(record.externalId),
    phone: textOf(record.phone),
    isPhoneVerified: isTrueOrMissing(record.phoneVerified),
    email: textOf(record.email),
    isEmailVerified: isTrue(record.emailVerified),
    createdAt: timeOf(record.createdAt),
    lastSeenAt: timeOf(record.lastSeenAt),
    isBlocked: isTrue(record.blocked),
  };
}
