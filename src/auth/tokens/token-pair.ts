// The token pair that a sign-in, a refresh or a proof returns.

import type { UserId } from '../../kernel/ids.ts';
import type { JsonObject } from '../../kernel/text/json-object.ts';
import type { AuthDeps } from '../deps.ts';
import type { LastProof } from '../sessions/session.ts';
import type { SessionId } from '../sessions/session-id.ts';
import { signAccessToken, type TokenApp } from './access-token.ts';
import { writeRefreshToken } from './refresh-token.ts';

export type TokenPair = {
  readonly sessionId: SessionId;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly accessSeconds: number;
  /** Until the refresh token expires if it is not used. */
  readonly refreshSeconds: number;
};

export type PairSubject = LastProof & {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly seed: Buffer;
  readonly counter: number;
  readonly endsAt: number;
  readonly claims: JsonObject;
  /** Absent for a session of this service. */
  readonly app?: TokenApp;
};

type Deps = Pick<AuthDeps, 'secrets' | 'keyRing' | 'accessToken' | 'sessionPolicy'>;

export function issueTokenPair(deps: Deps, subject: PairSubject, now: number): TokenPair {
  const secondsLeft = Math.max(0, Math.floor((subject.endsAt - now) / 1000));
  return {
    sessionId: subject.sessionId,
    accessToken: signAccessToken(deps.keyRing.signer(), subject, deps.accessToken, now),
    refreshToken: writeRefreshToken(deps.secrets, subject, subject.app === undefined ? 'service' : 'app'),
    accessSeconds: deps.accessToken.lifeSeconds,
    refreshSeconds: Math.min(deps.sessionPolicy.idleSeconds, secondsLeft),
  };
}
