// Use case: an app exchanges its refresh token for the next tokens, by the rules of every refresh token of this service.
import { hashSeed, markClient, parseRefreshToken, type RefreshToken } from '../../auth/tokens/refresh-token.ts';
import { rotationFailure } from '../../auth/tokens/refresh-token-pair.ts';
import { Failure } from '../../kernel/failure.ts';
import type { App, AppScope } from '../clients/app.ts';
import type { AppDeps } from '../deps.ts';
import { type AppTokens, issueAppTokens } from './app-tokens.ts';

type Deps = Pick<
  AppDeps,
  'clock' | 'secrets' | 'keyRing' | 'revocations' | 'sessions' | 'accessToken' | 'sessionPolicy'
>;

type RefreshAppTokens = {
  /** The app that proved who it is. */
  readonly app: App;
  readonly token: string;
  /** Only these, in the access token. Undefined for all that the session has. */
  readonly scopes: readonly AppScope[] | undefined;
  readonly userAgent: string | undefined;
  readonly ip: string;
};

/** refused: the token does not belong, or no longer belongs, to the app. too wide: the session lacks one of these scopes; nothing is consumed. */
type RefreshedApp = AppTokens | 'refused' | 'too wide';

export async function refreshAppTokens(deps: Deps, input: RefreshAppTokens): Promise<RefreshedApp> {
  const { app } = input;
  const token = readToken(deps, input.token);
  if (token === undefined) return 'refused';
  const { sessionId, seed, counter } = token;
  const now = deps.clock.now();
  const outcome = await deps.sessions.rotate({
    sessionId,
    seedHash: hashSeed(seed),
    counter,
    client: markClient(seed, { ...input, device: deviceOf(app) }),
    appId: app.id,
    ...(input.scopes !== undefined && { scopes: input.scopes }),
    policy: deps.sessionPolicy,
    now,
  });
  if (outcome.kind === 'too wide') return outcome.kind;
  if (outcome.kind !== 'renewed') {
    rotationFailure(deps, sessionId, outcome);
    return 'refused';
  }
  const scopes = input.scopes ?? outcome.scopes ?? [];
  return issueAppTokens(deps, app, { ...outcome, scopes, sessionId, seed }, now);
}

/** An app that proved itself by its secret is one device, however many networks its servers are in. */
function deviceOf({ id, secretHash }: App): string | undefined {
  return secretHash === undefined ? undefined : `app ${id}`;
}

function readToken({ secrets }: Pick<Deps, 'secrets'>, text: string): RefreshToken | undefined {
  try {
    return parseRefreshToken(secrets, text, 'app');
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
