// Use case: find one user for the back end of an app: by id, phone number, e-mail address or the id that the app gave them.

import { findTestRecipient } from '../auth/codes/test-recipient.ts';
import type { AuthDeps } from '../auth/deps.ts';
import { type BackendUser, noSuchUser, parseUserId } from '../auth/directory/user-directory.ts';
import { parseEmailAddress } from '../auth/identity/email-address.ts';
import { parsePhoneNumber } from '../auth/identity/phone-number.ts';
import { Failure } from '../kernel/failure.ts';
import { phoneTypes } from '../kernel/text/phone-types.ts';
import type { BackendUserStore, UserKey } from './backend-user.ts';

type Deps = Pick<AuthDeps, 'clock' | 'testRecipients'> & { readonly backendUsers: Pick<BackendUserStore, 'find'> };

/** As a caller describes a user. */
type WantedUser = {
  readonly id?: string;
  readonly phone?: string;
  readonly email?: string;
  readonly externalId?: string;
};

export async function findBackendUser(deps: Deps, wanted: WantedUser): Promise<BackendUser> {
  const key = readKey(deps, wanted);
  const user = await deps.backendUsers.find(key);
  if (user === undefined) throw noSuchUser(key.by === 'id' ? key.text : undefined);
  return user;
}

/** Exactly one field must be given. A number that is not served any more still finds its user. */
function readKey({ clock, testRecipients }: Deps, { id, phone, email, externalId }: WantedUser): UserKey {
  if ([id, phone, email, externalId].filter((field) => field !== undefined).length !== 1)
    throw new Failure('REQUEST_INVALID', { field: 'phone, email, externalId' });
  if (phone !== undefined) {
    const isTest = (text: string) => findTestRecipient(testRecipients, text, clock.now()) !== undefined;
    return { by: 'phone', text: parsePhoneNumber(phone, phoneTypes, isTest).phone };
  }
  if (email !== undefined) return { by: 'email', text: parseEmailAddress(email).key };
  if (externalId !== undefined) return { by: 'external id', text: externalId };
  if (id === undefined) throw noSuchUser();
  return { by: 'id', text: parseUserId(id) };
}
