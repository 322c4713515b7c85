// Who sees what of a user. Each view names every field: shown, or left out with the reason. A new field does not compile before.
import { maskEmail, maskPhone } from '../../kernel/text/mask.ts';
import type { NoFieldLeft } from '../../kernel/text/no-field-left.ts';
import type { User } from '../identity/user.ts';
import type { BackendUser, UserRecord } from './user-directory.ts';

/** The user. */
export function accountView({ id, phone, email, createdAt, publicMetadata, ...rest }: User) {
  rest satisfies NoFieldLeft<'the account that the user sees'>;
  return { id, phone: phone ?? null, email: email ?? null, createdAt: iso(createdAt), metadata: publicMetadata };
}

/** Apps, by their scopes and under the names of OpenID Connect. Both ways in are verified before they are stored. */
export function claimsView(user: User, hasScope: (scope: 'phone' | 'email') => boolean) {
  // The id is the subject. Apps are not told the rest, for which the protocol has no claim.
  const { phone, email, id: _id, createdAt: _createdAt, publicMetadata: _publicMetadata, ...rest } = user;
  rest satisfies NoFieldLeft<'the claims of OpenID Connect'>;
  return {
    ...(hasScope('phone') && phone !== undefined && { phone_number: phone, phone_number_verified: true }),
    ...(hasScope('email') && email !== undefined && { email, email_verified: true }),
  };
}

/** Staff, on the admin page and on the terminal: masked unless revealed. Only an export of the user shows the data of the app, too. */
export function staffView(user: UserRecord, isRevealed: boolean) {
  const { id, phone, email, createdAt, blockedAt, externalId, claims, publicMetadata, ...rest } = user;
  rest satisfies NoFieldLeft<'the admin view'>;
  return {
    account: {
      id,
      phone: phone === undefined ? null : isRevealed ? phone : maskPhone(phone),
      email: email === undefined ? null : isRevealed ? email : maskEmail(email),
      createdAt: iso(createdAt),
      blockedAt: isoOrNull(blockedAt),
    },
    appData: { externalId: externalId ?? null, claims, metadata: publicMetadata },
  };
}

/** The back end of the app. What it does not see, an export does not have either. */
export function backendView(user: BackendUser) {
  const { id, phone, email, externalId, claims, publicMetadata, privateMetadata, ...others } = user;
  const { blockedAt, createdAt, lastSeenAt, ...rest } = others;
  rest satisfies NoFieldLeft<'the back-end API and the export'>;
  return {
    id,
    phone: phone ?? null,
    email: email ?? null,
    externalId: externalId ?? null,
    claims,
    metadata: { public: publicMetadata, private: privateMetadata },
    blockedAt: isoOrNull(blockedAt),
    createdAt: iso(createdAt),
    lastSeenAt: iso(lastSeenAt),
  };
}

/** A line of the file that `gatehouse export users` writes: all that the back end sees, so that an import of the file loses nothing. */
export function exportedView(user: BackendUser) {
  const { id, phone, email, ...others } = backendView(user);
  // An address here was proved, so it may be taken over.
  return { id, phone, email, emailVerified: email !== null, ...others };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function isoOrNull(time: number | undefined): string | null {
  return time === undefined ? null : iso(time);
}
