// The user of the tests, as the store has one: a row, and what it becomes. A new field of a user needs nothing here.
import type { UserRecord } from '../../../src/auth/directory/user-directory.ts';
import type { User } from '../../../src/auth/identity/user.ts';
import { noImportedFields, type UserDraft } from '../../../src/backend/import-user.ts';
import type { Row } from '../../../src/store/engine/schema.ts';
import { newUser, toUser, toUserRecord } from '../../../src/store/operations/auth/identity/user-rows.ts';
import { noon } from '../store/fixtures.ts';
import { asPhone, asUserId } from './ids.ts';

/** Ann, with a number and no e-mail address. */
const ann = newUser(asUserId('ann'), asPhone('+4915112345678'), noon);

export function makeUserRow(changes: Partial<Row<'users'>> = {}): Row<'users'> {
  return { ...ann, ...changes };
}

export function makeUser(changes: Partial<User> = {}): User {
  return { ...toUser(ann), ...changes };
}

/** As operators and the back end see a user. */
export function makeUserRecord(changes: Partial<UserRecord> = {}): UserRecord {
  return { ...toUserRecord(ann), ...changes };
}

/** A user of an import, without a way in. */
export function makeDraft(changes: Partial<UserDraft> = {}): UserDraft {
  return { id: asUserId('ann'), ...noImportedFields, createdAt: noon, seenAt: noon, blockedAt: null, ...changes };
}
