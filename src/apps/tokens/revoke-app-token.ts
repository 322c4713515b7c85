// Use case: an app gives up a token of its own. The session ends, and with it all of its tokens.
import type { AccessCheck } from '../../auth/tokens/check-access-token.ts';
import { hashSeed, parseRefreshToken } from '../../auth/tokens/refresh-token.ts';
import { Failure } from '../../kernel/failure.ts';
import type { AppEnding } from '../app-store.ts';
import type { App } from '../clients/app.ts';
import type { AppDeps } from '../deps.ts';

type Deps = Pick<AppDeps, 'clock' | 'secrets' | 'revocations' | 'appStore'> & { readonly checkAccess: AccessCheck };

/** A token that is unknown, or of another app, changes nothing: the app learns no difference. */
export async function revokeAppToken(
  deps: Deps,
  { app, token }: { readonly app: App; readonly token: string },
): Promise<void> {
  const meant = readRefreshToken(deps, token) ?? (await readAccessToken(deps, app, token));
  if (meant === undefined) return;
  deps.revocations.add(await deps.appStore.endSession({ ...meant, appId: app.id, now: deps.clock.now() }));
}

type Meant = Pick<AppEnding, 'sessionId' | 'seedHash'>;

function readRefreshToken({ secrets }: Pick<Deps, 'secrets'>, token: string): Meant | undefined {
  try {
    const { sessionId, seed } = parseRefreshToken(secrets, token, 'app');
    return { sessionId, seedHash: hashSeed(seed) };
  } catch (error) {
    return ignoreFailure(error);
  }
}

async function readAccessToken({ checkAccess }: Deps, app: App, token: string): Promise<Meant | undefined> {
  const claims = await Promise.try(checkAccess, token).catch(ignoreFailure);
  return claims?.app?.id === app.id ? { sessionId: claims.sessionId, seedHash: undefined } : undefined;
}

/** An app forgets the token after the answer “revoked”. So it is an error if the store does not answer. */
function ignoreFailure(error: unknown): undefined {
  if (error instanceof Failure && error.code !== 'SERVICE_UNAVAILABLE') return undefined;
  throw error;
}
