// Id tokens say to an app who signed in, when and how. As a hint they say to this service whom an app wants to sign out.

import type { User } from '../../auth/identity/user.ts';
import type { LastProof } from '../../auth/sessions/session.ts';
import type { SessionId } from '../../auth/sessions/session-id.ts';
import { proofNames } from '../../auth/tokens/access-token.ts';
import { signJwt, verifyJwt } from '../../auth/tokens/jwt.ts';
import type { NoFieldLeft } from '../../kernel/text/no-field-left.ts';
import type { AppScope } from '../clients/app.ts';
import type { AppDeps } from '../deps.ts';

export type IdTokenSubject = LastProof & {
  readonly user: User;
  readonly appId: string;
  /** The session of this service that gave the code. */
  readonly parentId: SessionId;
  readonly scopes: readonly AppScope[];
  readonly nonce: string | undefined;
};

export function writeIdToken(
  { keyRing, accessToken: policy }: Pick<AppDeps, 'keyRing' | 'accessToken'>,
  subject: IdTokenSubject,
  now: number,
): string {
  const issuedAt = Math.floor(now / 1000);
  return signJwt(keyRing.signer(), 'JWT', {
    iss: policy.issuer,
    sub: subject.user.id,
    aud: subject.appId,
    iat: issuedAt,
    exp: issuedAt + Math.ceil(policy.lifeSeconds),
    auth_time: Math.floor(subject.provedAt / 1000),
    amr: proofNames[subject.proof],
    sid: subject.parentId,
    ...(subject.nonce !== undefined && { nonce: subject.nonce }),
    ...userClaims(subject.user, subject.scopes),
  });
}

/** What the scopes let an app see of a user, under the names of the protocol. Both are verified before they are stored. */
export function userClaims(user: User, scopes: readonly AppScope[]) {
  // The id is the subject. The rest does not go to apps: the protocol has no claim for it.
  const { phone, email, id: _id, createdAt: _createdAt, publicMetadata: _publicMetadata, ...rest } = user;
  rest satisfies NoFieldLeft<'the claims of OIDC'>;
  return {
    ...(scopes.includes('phone') && phone !== undefined && { phone_number: phone, phone_number_verified: true }),
    ...(scopes.includes('email') && email !== undefined && { email, email_verified: true }),
  };
}

/** Whom an app wants to sign out: the user and the session of this service that its id token was for. */
export type IdTokenHint = { readonly appId: string; readonly userId: string; readonly sessionId: SessionId };

const longestHint = 4096;

/** Undefined if this service did not sign it. It may have expired: apps keep it until the user signs out. */
export async function readIdTokenHint(
  { keyRing, accessToken: policy }: Pick<AppDeps, 'keyRing' | 'accessToken'>,
  text: string,
): Promise<IdTokenHint | undefined> {
  if (text.length > longestHint) return undefined;
  const verified = verifyJwt(text, 'JWT', (id) => keyRing.find(id));
  const { iss, sub, aud, sid } = verified?.claims ?? {};
  const isOurs = iss === policy.issuer && typeof sub === 'string' && typeof aud === 'string' && typeof sid === 'string';
  return isOurs ? { appId: aud, userId: sub, sessionId: sid as SessionId } : undefined;
}
