// The shared end of every sign-in: a new session begins and its first token pair is issued.
import { newId } from '../kernel/random.ts';
import type { AuthDeps } from './deps.ts';
import { hashSeed, newSeed } from './refresh-token.ts';
import { cleanUserAgent, type SessionDraft, type SignInMethod } from './session.ts';
import type { SignInOutcome } from './sign-in.ts';
import { issueTokenPair, type TokenPair } from './token-pair.ts';

type Deps = Pick<AuthDeps, 'clock' | 'secrets' | 'keyRing' | 'revocations' | 'accessToken' | 'sessionPolicy'>;

type SignedIn = Extract<SignInOutcome, { kind: 'signed in' }>;

export async function startSession(
  deps: Deps,
  how: { method: SignInMethod; userAgent: string | undefined; ip: string },
  signIn: (session: SessionDraft) => Promise<SignedIn>,
): Promise<TokenPair> {
  const now = deps.clock.now();
  const seed = newSeed();
  const sessionId = newId();
  const policy = deps.sessionPolicy;
  const userAgent = how.userAgent === undefined ? undefined : cleanUserAgent(how.userAgent);
  const { userId, evicted } = await signIn({
    id: sessionId,
    seedHash: hashSeed(seed),
    userAgent,
    ip: how.ip,
    method: how.method,
    policy,
    now,
  });
  deps.revocations.add(evicted);
  const endsAt = now + policy.lifeSeconds * 1000;
  return issueTokenPair(deps, { userId, sessionId, seed, counter: 0, method: how.method, endsAt }, now);
}
