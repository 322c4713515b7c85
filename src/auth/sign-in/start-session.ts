// The first and last step of every sign-in: prepares the new session, and issues its first token pair after the commit.

import type { AuthDeps } from '../deps.ts';
import { type DeviceToken, type KnownDevice, writeDeviceToken } from '../devices/device-token.ts';
import { cleanUserAgent, type SessionDraft, type SignInMethod } from '../sessions/session.ts';
import { newSessionId } from '../sessions/session-id.ts';
import { startSessionAt } from '../sessions/session-rules.ts';
import { hashSeed, newSeed } from '../tokens/refresh-token.ts';
import { issueTokenPair, type TokenPair } from '../tokens/token-pair.ts';
import type { SignedIn } from './sign-in.ts';

/** The store gets only the draft. The client gets the seed, inside its refresh token. */
type PreparedSession = { readonly draft: SessionDraft; readonly seed: Buffer };

export function prepareSession(
  { clock, sessionPolicy }: Pick<AuthDeps, 'clock' | 'sessionPolicy'>,
  { method, userAgent, ip }: { method: SignInMethod; userAgent: string | undefined; ip: string },
): PreparedSession {
  const seed = newSeed();
  const draft = {
    id: newSessionId(),
    seedHash: hashSeed(seed),
    userAgent: userAgent === undefined ? undefined : cleanUserAgent(userAgent),
    ip,
    method,
    policy: sessionPolicy,
    now: clock.now(),
  };
  return { draft, seed };
}

/** The tokens of a new session, and the token that marks its device as known. */
export type FirstTokens = TokenPair & { readonly device: DeviceToken };

/** Call after the commit. Revokes the access tokens of evicted sessions and issues the tokens of the new one. */
export function issueFirstTokens(
  deps: Pick<AuthDeps, 'secrets' | 'keyRing' | 'revocations' | 'accessToken' | 'sessionPolicy'>,
  { draft: { id: sessionId, method, policy, now }, seed }: PreparedSession,
  { userId, phone, claims, evicted }: SignedIn,
  known: KnownDevice | undefined,
): FirstTokens {
  deps.revocations.add(evicted);
  const { endsAt } = startSessionAt(policy, now);
  const subject = { userId, sessionId, seed, counter: 0, proof: method, provedAt: now, endsAt, claims };
  const pair = issueTokenPair(deps, subject, now);
  return { ...pair, device: writeDeviceToken(deps.secrets, { userId, phone, known }, now) };
}
