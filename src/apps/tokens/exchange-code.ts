// Use case: an app exchanges a code for the tokens of a new session. A code that is used twice ends the session that it gave.

import { cleanUserAgent } from '../../auth/sessions/session.ts';
import { newSessionId } from '../../auth/sessions/session-id.ts';
import { hashSeed, newSeed } from '../../auth/tokens/refresh-token.ts';
import { sha256 } from '../../kernel/crypto/digest.ts';
import type { App } from '../clients/app.ts';
import type { AppDeps } from '../deps.ts';
import { type AppTokens, issueAppTokens } from './app-tokens.ts';
import { writeIdToken } from './id-token.ts';

type Deps = Pick<
  AppDeps,
  'clock' | 'secrets' | 'keyRing' | 'revocations' | 'accessToken' | 'sessionPolicy' | 'appStore'
>;

type ExchangeCode = {
  /** The app that proved who it is. */
  readonly app: App;
  readonly code: string;
  readonly redirectUri: string;
  /** The PKCE verifier. */
  readonly verifier: string;
  readonly userAgent: string | undefined;
  readonly ip: string;
};

/** Undefined if the code is refused, for whatever reason. */
export async function exchangeCode(deps: Deps, input: ExchangeCode): Promise<AppTokens | undefined> {
  const { app, userAgent } = input;
  const seed = newSeed();
  const sessionId = newSessionId();
  const now = deps.clock.now();
  const outcome = await deps.appStore.exchangeCode({
    codeHash: sha256(input.code),
    appId: app.id,
    redirectUri: input.redirectUri,
    challenge: sha256(input.verifier),
    needsConsent: !app.isFirstParty,
    session: {
      id: sessionId,
      seedHash: hashSeed(seed),
      userAgent: userAgent === undefined ? undefined : cleanUserAgent(userAgent),
      ip: input.ip,
      policy: deps.sessionPolicy,
      now,
    },
  });
  if (outcome.kind === 'refused') {
    deps.revocations.add(outcome.ended);
    return undefined;
  }
  deps.revocations.add(outcome.evicted);
  const tokens = issueAppTokens(deps, app, { ...outcome, userId: outcome.user.id, sessionId, seed, counter: 0 }, now);
  return { ...tokens, idToken: writeIdToken(deps, { ...outcome, appId: app.id, scopes: tokens.scopes }, now) };
}
