// The token pair that a sign-in or a refresh returns.
import { signAccessToken } from './access-token.ts';
import type { AuthDeps } from './deps.ts';
import { writeRefreshToken } from './refresh-token.ts';
import type { SignInMethod } from './session.ts';

export type TokenPair = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly accessSeconds: number;
  /** Until the refresh token expires if it is not used. */
  readonly refreshSeconds: number;
};

export type PairSubject = {
  readonly userId: string;
  readonly sessionId: string;
  readonly seed: Buffer;
  readonly counter: number;
  readonly method: SignInMethod;
  readonly endsAt: number;
};

type Deps = Pick<AuthDeps, 'secrets' | 'keyRing' | 'accessToken' | 'sessionPolicy'>;

export function issueTokenPair(deps: Deps, subject: PairSubject, now: number): TokenPair {
  const secondsLeft = Math.max(0, Math.floor((subject.endsAt - now) / 1000));
  return {
    accessToken: signAccessToken(deps.keyRing.signer(), subject, deps.accessToken, now),
    refreshToken: writeRefreshToken(deps.secrets, subject),
    accessSeconds: deps.accessToken.lifeSeconds,
    refreshSeconds: Math.min(deps.sessionPolicy.idleSeconds, secondsLeft),
  };
}
