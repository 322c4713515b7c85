// The fields that our own CSV and JSONL have under the same names.
import { isFalse, isTrue, isTrueOrMissing, textOf, timeOf } from './fields.ts';

/** The columns of our CSV. */
export const ownNames = [
  'id',
  'externalId',
  'phone',
  'phoneVerified',
  'email',
  'emailVerified',
  'createdAt',
  'lastSeenAt',
  'blocked',
  'blockedAt',
  'claims',
  'publicMetadata',
  'privateMetadata',
];

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
    isBlocked: isTrue(record.blocked) || hasBlock(record.blockedAt),
    blockedAt: timeOf(record.blockedAt),
  };
}

/** A time that cannot be read blocks too: a user who is blocked there must not come in because of it. */
function hasBlock(time: unknown): boolean {
  return timeOf(time) !== undefined || isTrue(time) || (textOf(time) !== undefined && !isFalse(time));
}
