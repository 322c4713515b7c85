// Use case: check an access token for the back end of an app, with the session in the store: its end on any node is seen at once.
import type { AccessClaims } from '../auth/tokens/access-token.ts';
import type { AccessCheck } from '../auth/tokens/check-access-token.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import type { JsonObject } from '../kernel/text/json-object.ts';
import type { BackendUserStore } from './backend-user.ts';

type Deps = {
  readonly checkAccess: AccessCheck;
  readonly backendUsers: Pick<BackendUserStore, 'checkSession'>;
  readonly clock: Clock;
};

/** `claims` are those that are stored now. The token may have been issued before they changed. */
export type CheckedToken = AccessClaims & { readonly claims: JsonObject };

/**
 * Undefined if the token is not ours, has expired, or its session has ended. So is the token of somebody else's app: its audience
 * is not the back end, which would take the app for the user.
 */
export async function checkToken(
  { checkAccess, backendUsers, clock }: Deps,
  token: string,
): Promise<CheckedToken | undefined> {
  const access = await Promise.try(checkAccess, token).catch(ignoreFailure);
  if (access === undefined || access.app?.isFirstParty === false) return undefined;
  const { userId, sessionId } = access;
  const session = await backendUsers.checkSession({ userId, sessionId, now: clock.now() });
  return session && { ...access, claims: session.claims };
}

/** Why a token is refused is of no use to an app. A fault of the service is not ignored. */
function ignoreFailure(error: unknown): undefined {
  if (error instanceof Failure && tokenFailures.has(error.code)) return undefined;
  throw error;
}

const tokenFailures: ReadonlySet<string> = new Set(['ACCESS_TOKEN_INVALID', 'ACCESS_TOKEN_EXPIRED', 'SESSION_REVOKED']);
