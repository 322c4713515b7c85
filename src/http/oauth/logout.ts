// GET and POST /oauth/logout: an app signs its user out of this service. Without a proof that the app means this user, a page asks first.
import type { App } from '../../apps/clients/app.ts';
import { endSignIn } from '../../apps/end-sign-in.ts';
import { addToQuery } from '../../apps/requests/authorization-response.ts';
import { type Parameters, readParameters } from '../../apps/requests/parameters.ts';
import { type IdTokenHint, readIdTokenHint } from '../../apps/tokens/id-token.ts';
import { findBrowserSession } from '../guards/browser.ts';
import { paths } from '../interface/paths.ts';
import { pageLanguage } from '../pages/page-language.ts';
import type { HttpReply } from '../server/reply.ts';
import type { Handler, HttpRequest } from '../server/request.ts';
import type { Routes } from '../server/server.ts';
import { formOf } from './client-authentication.ts';
import { OAuthError } from './oauth-error.ts';
import type { OAuthParts } from './oauth-parts.ts';
import { factsOf, queryOf, redirect, showAppError, showFailure } from './oauth-replies.ts';
import type { AppErrorReason, AppSignOutFacts } from './page-facts.ts';

const longestQuery = 8192;
const longestState = 2048;

export function registerLogout(server: Routes, parts: OAuthParts): void {
  server.add({
    method: 'GET',
    path: paths.logout,
    rules: { refusesHead: true },
    handle: (request, reply) => signOut(parts, queryOf(request.url), request, reply),
    handleError: (error, request, reply) => showFailure(parts, error, request, reply),
  });
  // A form from another site brings no cookies. The browser adds them when it follows this redirect.
  const handle: Handler = (request, reply) => {
    const form = formOf(request);
    const query = form.write();
    if (form.repeated() !== undefined || query.length > longestQuery)
      throw new OAuthError('invalid_request', 'A parameter occurs more than once, or the form is too long.');
    return redirect(reply, query === '' ? paths.logout : `${paths.logout}?${query}`);
  };
  server.add({ method: 'POST', path: paths.logout, rules: { takesForm: true }, handle });
}

type Wish = {
  readonly app: App | undefined;
  readonly hint: IdTokenHint | undefined;
  readonly continueUrl: string | null;
};

async function signOut(parts: OAuthParts, query: string, request: HttpRequest, reply: HttpReply) {
  const wish = await readWish(parts, query);
  if (typeof wish === 'string') {
    const description = descriptions[wish];
    return showAppError(parts, request, reply, { reason: wish, appName: null, description });
  }
  const { app, hint, continueUrl } = wish;
  const show = (isSignedOut: boolean) => {
    const appSignOut: AppSignOutFacts = { app: app === undefined ? null : factsOf(app), isSignedOut, continueUrl };
    return parts.sendPage(reply, 'app-sign-out', pageLanguage(request), { appSignOut });
  };
  const sessionId = findBrowserSession(parts.deps.secrets, request);
  // Any page can lead a browser here. Only the app that got the id token can name the session.
  if (hint === undefined || (sessionId !== undefined && sessionId !== hint.sessionId)) return show(false);
  await endSignIn(parts.deps, hint);
  for (const cookie of parts.cookies.clear()) reply.header('set-cookie', cookie);
  return continueUrl === null ? show(true) : redirect(reply, continueUrl);
}

type WrongWish = Extract<AppErrorReason, 'request' | 'unknown-app' | 'logout-uri'>;

const descriptions: Readonly<Record<WrongWish, string>> = {
  request: 'The request is too long, contradicts itself, or repeats a parameter.',
  'unknown-app': 'client_id and id_token_hint must name a registered app.',
  'logout-uri': 'post_logout_redirect_uri must be one of the registered addresses of the app, exactly.',
};

/** A hint that this service did not sign is no hint: the page then asks. */
async function readWish({ deps }: OAuthParts, query: string): Promise<Wish | WrongWish> {
  const parameters: Parameters = readParameters(query.length > longestQuery ? '' : query);
  const state = parameters.get('state');
  const isWrong = query.length > longestQuery || parameters.repeated() !== undefined || parameters.hasControlCharacters;
  if (isWrong || (state?.length ?? 0) > longestState) return 'request';
  const given = parameters.get('id_token_hint');
  const hint = given === undefined ? undefined : await readIdTokenHint(deps, given);
  const named = parameters.get('client_id');
  if (named !== undefined && hint !== undefined && named !== hint.appId) return 'request';
  const appId = named ?? hint?.appId;
  const app = appId === undefined ? undefined : deps.apps.find(appId);
  if (appId !== undefined && app === undefined) return 'unknown-app';
  const uri = parameters.get('post_logout_redirect_uri');
  if (uri === undefined) return { app, hint, continueUrl: null };
  if (app === undefined || !app.logoutUris.includes(uri)) return 'logout-uri';
  return { app, hint, continueUrl: addToQuery(uri, state === undefined ? {} : { state }) };
}
