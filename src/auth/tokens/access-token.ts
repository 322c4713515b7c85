// Access tokens: short-lived ES256 JWTs that hold a user id and a session id, and no personal data.

import { randomText } from '../../kernel/crypto/random.ts';
import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { JsonObject } from '../../kernel/text/json-object.ts';
import type { LastProof, ProofMethod, SessionApp } from '../sessions/session.ts';
import type { SessionId } from '../sessions/session-id.ts';
import { signJwt, verifyJwt } from './jwt.ts';
import type { PublicKey, SigningKey } from './signing-key.ts';

export type AccessTokenPolicy = { readonly issuer: string; readonly audience: string; readonly lifeSeconds: number };

export type AccessClaims = {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly expiresAt: number;
  /** When the user was last proved. Undefined in the token of an older version. */
  readonly provedAt: number | undefined;
  /** How the user was last proved. */
  readonly amr: readonly string[];
  readonly keyId: string;
  /** The app that the token was issued to. Absent in a token of this service itself. */
  readonly app?: TokenApp;
};

/** The app that a token is for. `isFirstParty`: it belongs to the operator, so its back ends may take the token for the user's. */
export type TokenApp = SessionApp & { readonly isFirstParty: boolean };

/** Where apps read who the user is. The tokens of apps that do not belong to the operator are good for this service alone. */
export const userinfoPath = '/oauth/userinfo';

const leewaySeconds = 30;
export const longestAccessToken = 4096;

/** The claim “amr”: how the user was last proved. */
export const proofNames: Readonly<Record<ProofMethod, readonly string[]>> = {
  sms: ['otp', 'sms'],
  link: ['link', 'email'],
  email: ['otp', 'email'],
};

type TokenSubject = LastProof & {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly claims: JsonObject;
  readonly app?: TokenApp;
};

export function signAccessToken(
  key: SigningKey,
  subject: TokenSubject,
  policy: AccessTokenPolicy,
  now: number,
): string {
  const issuedAt = Math.floor(now / 1000);
  const { app } = subject;
  const isOwn = app?.isFirstParty ?? true;
  return signJwt(key, 'at+jwt', {
    iss: policy.issuer,
    aud: isOwn ? policy.audience : foreignAudience(policy),
    sub: subject.userId,
    sid: subject.sessionId,
    jti: randomText(12),
    iat: issuedAt,
    exp: issuedAt + Math.ceil(policy.lifeSeconds),
    auth_time: Math.floor(subject.provedAt / 1000),
    amr: proofNames[subject.proof],
    ...(app !== undefined && { client_id: app.id, scope: app.scopes.join(' ') }),
    // What a back end of the operator stores is not for the apps of others.
    ...(isOwn && Object.keys(subject.claims).length > 0 && { app: subject.claims }),
  });
}

function foreignAudience({ issuer }: AccessTokenPolicy): string {
  return `${issuer}${userinfoPath}`;
}

/** Checks signature, type, issuer and audience. Verified tokens are cached, so the caller checks expiry and key on every use. */
export function verifyAccessToken(
  token: string,
  findKey: (id: string) => PublicKey | undefined,
  policy: AccessTokenPolicy,
): AccessClaims {
  const verified = token.length <= longestAccessToken ? verifyJwt(token, 'at+jwt', findKey) : undefined;
  const { iss, aud, sub, sid, exp, iat, auth_time: authTime, amr, client_id, scope } = verified?.claims ?? {};
  const isForeign = typeof client_id === 'string' && aud === foreignAudience(policy);
  const isOurs = iss === policy.issuer && (aud === policy.audience || isForeign);
  if (
    verified === undefined ||
    !isOurs ||
    typeof sub !== 'string' ||
    typeof sid !== 'string' ||
    !Number.isInteger(exp) ||
    !Number.isInteger(iat)
  ) {
    throw new Failure('ACCESS_TOKEN_INVALID');
  }
  return {
    userId: sub as UserId,
    sessionId: sid as SessionId,
    expiresAt: (exp as number) * 1000,
    provedAt: typeof authTime === 'number' ? authTime * 1000 : undefined,
    amr: textsOf(amr),
    keyId: verified.keyId,
    ...(typeof client_id === 'string' && {
      app: { id: client_id, scopes: typeof scope === 'string' ? scope.split(' ') : [], isFirstParty: !isForeign },
    }),
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function checkTime(claims: AccessClaims, now: number): void {
  if (now >= claims.expiresAt + leewaySeconds * 1000) throw new Failure('ACCESS_TOKEN_EXPIRED');
}
