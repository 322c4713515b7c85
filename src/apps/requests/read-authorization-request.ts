// Rule: turns the query of an app into an AuthorizationRequest, or says where its error belongs: on a page, or at the redirect URI.
// Nothing is sent to an address before the app and the address are known to belong together.
import { type App, type AppList, type AppScope, readScopes } from '../clients/app.ts';
import { matchRedirectUri } from '../clients/match-redirect-uri.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { AuthorizationError } from './authorization-response.ts';
import { type Parameters, readParameters } from './parameters.ts';

/** app: unknown, or not named once. address: not of this app, or not named once. */
export type ShownError = {
  readonly kind: 'shown';
  readonly about: 'app' | 'address' | 'request';
  readonly app: App | undefined;
  readonly description: string;
};

type SentError = {
  readonly kind: 'sent';
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly error: AuthorizationError;
  readonly description: string;
};

type ReadRequest =
  | { readonly kind: 'valid'; readonly app: App; readonly request: AuthorizationRequest }
  | ShownError
  | SentError;

/** Characters of the whole query. Each parameter has a bound of its own besides. */
const longestQuery = 8192;

const longest = { state: 2048, nonce: 512, login_hint: 256, ui_locales: 256, scope: 1024 } as const;

export function readAuthorizationRequest(apps: Pick<AppList, 'find'>, query: string): ReadRequest {
  if (query.length > longestQuery) return shown('request', undefined, 'The request is too long.');
  const parameters = readParameters(query);
  const id = parameters.get('client_id');
  const app = id === undefined || parameters.isRepeated('client_id') ? undefined : apps.find(id);
  if (app === undefined) return shown('app', undefined, 'client_id must name a registered app, once.');
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === undefined || parameters.isRepeated('redirect_uri') || !matchRedirectUri(app, redirectUri)) {
    return shown('address', app, 'redirect_uri must be one of the registered addresses of the app, exactly, and once.');
  }
  const state = parameters.isRepeated('state') ? undefined : parameters.get('state');
  const refuse = ({ error, description }: Refusal): SentError => {
    const isKept = state !== undefined && state.length <= longest.state;
    return { kind: 'sent', redirectUri, state: isKept ? state : undefined, error, description };
  };
  const refusal = findRefusal(parameters);
  if (refusal !== undefined) return refuse(refusal);
  const scopes = chooseScopes(app, parameters.get('scope') ?? '');
  if (!scopes.includes('openid')) return refuse(invalid('scope must contain openid.', 'invalid_scope'));
  const prompt = readPrompt(parameters.get('prompt'));
  if (prompt === 'unknown') return refuse(invalid('prompt must be none, login, consent, or login consent.'));
  const challenge = parameters.get('code_challenge') ?? '';
  return {
    kind: 'valid',
    app,
    request: { ...readRest(parameters), appId: app.id, redirectUri, scopes, state, challenge, prompt },
  };
}

type Refusal = { readonly error: AuthorizationError; readonly description: string };

function findRefusal(parameters: Parameters): Refusal | undefined {
  const repeated = parameters.repeated();
  if (repeated !== undefined) return invalid('A parameter occurs more than once.');
  if (parameters.hasControlCharacters) return invalid('A parameter contains a control character.');
  if (parameters.get('request') !== undefined)
    return invalid('The parameter request is not supported.', 'request_not_supported');
  if (parameters.get('request_uri') !== undefined)
    return invalid('The parameter request_uri is not supported.', 'request_uri_not_supported');
  if (parameters.get('registration') !== undefined)
    return invalid('The parameter registration is not supported.', 'registration_not_supported');
  for (const name of ['state', 'nonce', 'login_hint', 'scope'] as const) {
    if ((parameters.get(name)?.length ?? 0) > longest[name])
      return invalid(`${name} has more than ${longest[name]} characters.`);
  }
  const responseType = parameters.get('response_type');
  if (responseType === undefined) return invalid('response_type is missing.');
  if (responseType !== 'code') return invalid('response_type must be code.', 'unsupported_response_type');
  if ((parameters.get('response_mode') ?? 'query') !== 'query') return invalid('response_mode must be query.');
  if (parameters.get('code_challenge') === undefined)
    return invalid('code_challenge is missing: turn on PKCE with S256 in the library of the app.');
  if (parameters.get('code_challenge_method') !== 'S256') return invalid('code_challenge_method must be S256.');
  if (!/^[\w-]{43}$/.test(parameters.get('code_challenge') ?? ''))
    return invalid('code_challenge must be a SHA-256 in base64url: 43 characters.');
  if (!/^\d{1,10}$/.test(parameters.get('max_age') ?? '0')) return invalid('max_age must be a number of seconds.');
  return undefined;
}

function chooseScopes(app: App, text: string): AppScope[] {
  return readScopes(text).filter((scope) => app.scopes.includes(scope));
}

function readPrompt(text: string | undefined): AuthorizationRequest['prompt'] | 'unknown' {
  if (text === undefined) return undefined;
  const words = [...new Set(text.split(' ').filter((word) => word !== ''))].sort().join(' ');
  if (words === 'none' || words === 'login' || words === 'consent') return words;
  return words === 'consent login' ? 'login consent' : 'unknown';
}

/** A language that is unknown or a list that is too long is no error: the page then follows the browser. */
function readRest(parameters: Parameters) {
  const maxAge = parameters.get('max_age');
  const locales = parameters.get('ui_locales');
  return {
    nonce: parameters.get('nonce'),
    maxAgeSeconds: maxAge === undefined ? undefined : Number(maxAge),
    uiLocales: locales !== undefined && locales.length <= longest.ui_locales ? locales : undefined,
    loginHint: parameters.get('login_hint'),
  };
}

function shown(about: ShownError['about'], app: App | undefined, description: string): ShownError {
  return { kind: 'shown', about, app, description };
}

function invalid(description: string, error: AuthorizationError = 'invalid_request'): Refusal {
  return { error, description };
}
