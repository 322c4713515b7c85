// Id tokens say to an app who signed in, when and how. As a hint they say to this service whom an app wants to sign out.

import { claimsView } from '../../auth/directory/user-views.ts';
import type { User } from '../../auth/identity/user.ts';
import type { LastProof } from '../../auth/sessions/session.ts';
import type { SessionId } from '../../auth/sessions/session-id.ts';
import { proofNames } from '../../auth/tokens/access-token.ts';
import { signJwt, verifyJwt } from '../../auth/tokens/jwt.ts';
import type { UserId } from '../../kernel/ids.ts';
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
    ...claimsView(subject.user, (scope) => subject.scopes.includes(scope)),
  });
}

/** Whom an app wants to sign out: the user and the session of this service that its id token was for. */
export type IdTokenHint = { readonly appId: string; readonly userId: UserId; readonly sessionId: SessionId };

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
  return isOurs ? { appId: aud, userId: sub as UserId, sessionId: sid as SessionId } : undefined;
}
