// Use case: give an app a code for the user of a session of this service, or say what the user must do first.
import type { SessionId } from '../../auth/sessions/session-id.ts';
import { sha256 } from '../../kernel/crypto/digest.ts';
import { randomText } from '../../kernel/crypto/random.ts';
import type { App } from '../clients/app.ts';
import type { AppDeps } from '../deps.ts';
import { codeLifeSeconds } from '../tokens/app-code.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

type Deps = Pick<AppDeps, 'clock' | 'apps' | 'appStore' | 'sessionPolicy'>;

type AuthorizeApp = {
  readonly request: AuthorizationRequest;
  /** When the request reached us, by its ticket. Undefined if it comes from the app just now. */
  readonly startedAt: number | undefined;
  /** The session of the browser. Undefined if nobody is signed in. */
  readonly sessionId: SessionId | undefined;
};

export type Need = 'sign-in' | 'proof' | 'consent';

/** unknown app: it was removed from the list since the request was checked. */
type Authorized =
  | { readonly kind: 'issued'; readonly code: string }
  | { readonly kind: 'needed'; readonly need: Need }
  | { readonly kind: 'unknown app' };

export async function authorizeApp(deps: Deps, input: AuthorizeApp): Promise<Authorized> {
  const { request, sessionId } = input;
  const app = deps.apps.find(request.appId);
  if (app === undefined) return { kind: 'unknown app' };
  if (sessionId === undefined) return { kind: 'needed', need: 'sign-in' };
  const now = deps.clock.now();
  const code = randomText(32);
  const { kind } = await deps.appStore.authorize({
    sessionId,
    codeHash: sha256(code),
    appId: app.id,
    redirectUri: request.redirectUri,
    scopes: request.scopes,
    nonce: request.nonce,
    challenge: request.challenge,
    ...neededTimes(app, request, input.startedAt ?? now),
    expiresAt: now + codeLifeSeconds * 1000,
    policy: deps.sessionPolicy,
    now,
  });
  return kind === 'issued' ? { kind, code } : { kind: 'needed', need: needs[kind] };
}

const needs = { 'signed out': 'sign-in', 'needs proof': 'proof', 'needs consent': 'consent' } as const;

/** The earliest times that count: of the last proof, of the consent, and of the later of the two. Undefined if any time counts. */
export function neededTimes(
  { isFirstParty }: Pick<App, 'isFirstParty'>,
  { prompt, maxAgeSeconds, redirectUri }: Pick<AuthorizationRequest, 'prompt' | 'maxAgeSeconds' | 'redirectUri'>,
  startedAt: number,
) {
  const asksLogin = prompt === 'login' || prompt === 'login consent';
  const asksConsent = prompt === 'consent' || prompt === 'login consent';
  const oldest = maxAgeSeconds === undefined ? undefined : startedAt - maxAgeSeconds * 1000;
  return {
    provedAfter: asksLogin ? startedAt + 1 : oldest,
    consentedAfter: asksConsent ? startedAt + 1 : isFirstParty ? undefined : 0,
    // RFC 8252 section 8.6: any program on a device can take a scheme and the name of the app. If that app belongs to others, it gets no code unseen.
    actedAfter: isFirstParty || /^https?:/.test(redirectUri) ? undefined : startedAt + 1,
  };
}
