// GET /oauth/authorize: gives an app a code for the user of this browser, or shows the sign-in page until there is one.
import type { App } from '../../apps/clients/app.ts';
import { matchRedirectUri } from '../../apps/clients/match-redirect-uri.ts';
import type { AuthorizationRequest } from '../../apps/requests/authorization-request.ts';
import { type AuthorizationError, writeAuthorizationResponse } from '../../apps/requests/authorization-response.ts';
import { readAuthorizationTicket, writeAuthorizationTicket } from '../../apps/requests/authorization-ticket.ts';
import { authorizeApp, type Need } from '../../apps/requests/authorize-app.ts';
import { type Parameters, readParameters } from '../../apps/requests/parameters.ts';
import { readAuthorizationRequest, type ShownError } from '../../apps/requests/read-authorization-request.ts';
import { chooseNamed } from '../../kernel/text/language.ts';
import { findBrowserSession } from '../guards/browser.ts';
import { paths } from '../interface/paths.ts';
import { pageLanguage } from '../pages/page-language.ts';
import type { HttpReply } from '../server/reply.ts';
import type { Handler, HttpRequest } from '../server/request.ts';
import type { Routes } from '../server/server.ts';
import type { OAuthParts } from './oauth-parts.ts';
import { factsOf, queryOf, redirect, showAppError, showFailure } from './oauth-replies.ts';
import type { AppErrorReason, AuthorizationFacts } from './page-facts.ts';

/** A ticket is longer than the request that it carries. */
const longestTicketQuery = 14_000;

/** A request that is to be answered. `ticket` is undefined if there is none yet with this request. */
type Asked = {
  readonly app: App;
  readonly request: AuthorizationRequest;
  readonly startedAt: number;
  readonly ticket: string | undefined;
};

/** HEAD is refused: it would use up a code that nobody sees. */
export function registerAuthorize(server: Routes, parts: OAuthParts): void {
  const handle: Handler = (request, reply) => {
    const query = queryOf(request.url);
    const parameters = query.length > longestTicketQuery ? undefined : readParameters(query);
    const isFromPage = parameters?.get('ticket') !== undefined && parameters.get('client_id') === undefined;
    return isFromPage ? goOn(parts, parameters, request, reply) : begin(parts, query, request, reply);
  };
  server.add({
    method: 'GET',
    path: paths.authorize,
    rules: { refusesHead: true },
    handle,
    handleError: (error, request, reply) => showFailure(parts, error, request, reply),
  });
}

function begin(parts: OAuthParts, query: string, request: HttpRequest, reply: HttpReply) {
  const read = readAuthorizationRequest(parts.deps.apps, query);
  switch (read.kind) {
    case 'valid':
      return answer(parts, { ...read, startedAt: parts.deps.clock.now(), ticket: undefined }, request, reply);
    case 'sent':
      return refuse(parts, read, read, reply);
    case 'shown': {
      const { about, app, description } = read;
      return showAppError(parts, request, reply, { reason: reasons[about], appName: app?.name ?? null, description });
    }
  }
}

const reasons: Readonly<Record<ShownError['about'], AppErrorReason>> = {
  app: 'unknown-app',
  address: 'redirect-uri',
  request: 'request',
};

/** The page goes on, or the user declined. The list of apps may have changed since the ticket was written. */
function goOn(parts: OAuthParts, parameters: Parameters, request: HttpRequest, reply: HttpReply) {
  const { apps, clock, secrets } = parts.deps;
  const text = parameters.get('ticket') ?? '';
  const read = parameters.repeated() === undefined ? readAuthorizationTicket(secrets, text, clock.now()) : undefined;
  if (read === undefined) {
    const description = 'The ticket of this sign-in is unknown or too old.';
    return showAppError(parts, request, reply, { reason: 'expired', appName: null, description });
  }
  const app = apps.find(read.request.appId);
  if (app === undefined || !matchRedirectUri(app, read.request.redirectUri)) {
    const description = 'The app or its address is no longer registered.';
    const reason = app === undefined ? 'unknown-app' : 'redirect-uri';
    return showAppError(parts, request, reply, { reason, appName: app?.name ?? null, description });
  }
  if (parameters.get('answer') === 'deny')
    return refuse(parts, read.request, { error: 'access_denied', description: 'The user declined.' }, reply);
  // The language switch of the page names another language than the app did. It stays until the sign-in ends.
  const uiLocales = chooseNamed(parameters.get('ui_locales') ?? '');
  const asked: Asked =
    uiLocales === undefined
      ? { ...read, app, ticket: text }
      : { ...read, app, ticket: undefined, request: { ...read.request, uiLocales } };
  return answer(parts, asked, request, reply);
}

async function answer(parts: OAuthParts, asked: Asked, request: HttpRequest, reply: HttpReply) {
  const { request: wanted, startedAt } = asked;
  const sessionId = findBrowserSession(parts.deps.secrets, request);
  const authorized = await authorizeApp(parts.deps, { request: wanted, startedAt, sessionId });
  if (authorized.kind === 'issued')
    return redirect(reply, writeAuthorizationResponse(wanted, parts.publicUrl, { code: authorized.code }));
  // The app was found above, and the list does not change while the service runs.
  const need = authorized.kind === 'needed' ? authorized.need : 'sign-in';
  if (wanted.prompt === 'none') return refuse(parts, wanted, refusals[need], reply);
  const language = pageLanguage(request, wanted.uiLocales);
  return parts.sendPage(reply, 'sign-in', language, { authorization: describe(parts, asked, need) });
}

const signInRefusal = { error: 'login_required', description: 'The user must sign in.' } as const;

const refusals: Readonly<Record<Need, { readonly error: AuthorizationError; readonly description: string }>> = {
  'sign-in': signInRefusal,
  proof: signInRefusal,
  consent: { error: 'consent_required', description: 'The user must allow the scopes.' },
};

function describe(parts: OAuthParts, { app, request, startedAt, ticket }: Asked, need: Need): AuthorizationFacts {
  const carried = ticket ?? writeAuthorizationTicket(parts.deps.secrets, { request, startedAt });
  const continueUrl = `${paths.authorize}?${new URLSearchParams({ ticket: carried })}`;
  return {
    ticket: carried,
    need,
    app: factsOf(app),
    scopes: request.scopes,
    loginHint: request.loginHint ?? null,
    continueUrl,
    cancelUrl: `${continueUrl}&answer=deny`,
  };
}

function refuse(
  { publicUrl }: OAuthParts,
  to: { readonly redirectUri: string; readonly state: string | undefined },
  { error, description }: { readonly error: AuthorizationError; readonly description: string },
  reply: HttpReply,
) {
  return redirect(reply, writeAuthorizationResponse(to, publicUrl, { error, error_description: description }));
}
