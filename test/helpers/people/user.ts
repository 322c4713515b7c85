// The user of the tests, as the store gives one. A new field of a user is added here.
import type { UserRecord } from '../../../src/auth/directory/user-directory.ts';
import type { User } from '../../../src/auth/identity/user.ts';
import { noon } from '../store/fixtures.ts';
import { asPhone } from './ids.ts';

/** Ann, with a number and no e-mail address. */
export function makeUser(changes: Partial<User> = {}): User {
  return {
    id: 'ann',
    phone: asPhone('+4915112345678'),
    email: undefined,
    createdAt: noon,
    publicMetadata: {},
    ...changes,
  };
}

/** As operators and the back end see a user. */
export function makeUserRecord(changes: Partial<UserRecord> = {}): UserRecord {
  return { ...makeUser(), blockedAt: undefined, externalId: undefined, claims: {}, ...changes };
}
