// Our own CSV and JSONL, in which the export of users writes every field: each is read, or left out with the reason.
import type { BackendUser } from '../../auth/directory/user-directory.ts';
import type { NoFieldLeft } from '../../kernel/text/no-field-left.ts';
import type { UserDataField } from '../user-data.ts';
import { isFalse, isTrue, isTrueOrMissing, objectOf, textOf, timeOf } from './fields.ts';
import type { ForeignUser } from './foreign-user.ts';

/** The columns of our CSV. It has objects as JSON. */
const columns = {
  id: 'plain',
  externalId: 'plain',
  phone: 'plain',
  phoneVerified: 'plain',
  email: 'plain',
  emailVerified: 'plain',
  createdAt: 'plain',
  lastSeenAt: 'plain',
  blocked: 'plain',
  blockedAt: 'plain',
  claims: 'object',
  publicMetadata: 'object',
  privateMetadata: 'object',
} as const satisfies Record<keyof BackendUser | `${'phone' | 'email'}Verified` | 'blocked', 'plain' | 'object'>;

type Column = keyof typeof columns;
export const ownNames = Object.keys(columns) as readonly Column[];

/** What a record has under the names of the columns. An export of ours has every field of a user. */
type OwnRecord = Readonly<Partial<Record<Column, unknown>>>;
type OwnUser = ForeignUser & Readonly<Record<UserDataField, unknown>>;

export function readColumns(record: OwnRecord): OwnUser {
  const cells = ownNames.map((name) => [name, columns[name] === 'object' ? objectOf(record[name]) : record[name]]);
  return readOwnFields(Object.fromEntries(cells));
}

export function readOwnFields(record: OwnRecord): OwnUser {
  const { id, externalId, phone, phoneVerified, email, emailVerified, createdAt, lastSeenAt, ...others } = record;
  const { blocked, blockedAt, claims, publicMetadata, privateMetadata, ...rest } = others;
  rest satisfies NoFieldLeft<'the import of our export'>;
  return {
    id: textOf(id),
    externalId: textOf(externalId),
    phone: textOf(phone),
    isPhoneVerified: isTrueOrMissing(phoneVerified),
    email: textOf(email),
    isEmailVerified: isTrue(emailVerified),
    createdAt: timeOf(createdAt),
    lastSeenAt: timeOf(lastSeenAt),
    isBlocked: isTrue(blocked) || hasBlock(blockedAt),
    blockedAt: timeOf(blockedAt),
    claims: claims ?? undefined,
    'metadata.public': publicMetadata ?? undefined,
    'metadata.private': privateMetadata ?? undefined,
  };
}

/** A time that cannot be read blocks too: a user who is blocked there must not come in because of it. */
function hasBlock(time: unknown): boolean {
  return timeOf(time) !== undefined || isTrue(time) || (textOf(time) !== undefined && !isFalse(time));
}
