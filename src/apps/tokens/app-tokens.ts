// The tokens that an app gets for a session of its own.
import type { TokenApp } from '../../auth/tokens/access-token.ts';
import { issueTokenPair, type PairSubject } from '../../auth/tokens/token-pair.ts';
import { type App, type AppScope, allowedScopes } from '../clients/app.ts';
import type { AppDeps } from '../deps.ts';

export type AppTokens = {
  readonly accessToken: string;
  readonly accessSeconds: number;
  readonly refreshToken: string;
  /** What the access token is good for. */
  readonly scopes: readonly AppScope[];
  /** Only in exchange for a code. */
  readonly idToken?: string;
};

type Deps = Pick<AppDeps, 'secrets' | 'keyRing' | 'accessToken' | 'sessionPolicy'>;

/** The operator may have taken a scope from the app since its session started: it is gone from the tokens then. */
export function issueAppTokens(
  deps: Deps,
  app: App,
  subject: Omit<PairSubject, 'app'> & { readonly scopes: readonly string[] },
  now: number,
): AppTokens {
  const scopes = allowedScopes(app, subject.scopes);
  const forApp: TokenApp = { id: app.id, scopes, isFirstParty: app.isFirstParty };
  const { accessToken, accessSeconds, refreshToken } = issueTokenPair(deps, { ...subject, app: forApp }, now);
  return { accessToken, accessSeconds, refreshToken, scopes };
}
