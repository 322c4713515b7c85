// POST /oauth/token: exchanges a code or a refresh token for the tokens of an app. No cookie plays a part.
import { type App, type AppScope, appScopes, readScopes, writeScopes } from '../../apps/clients/app.ts';
import type { Parameters } from '../../apps/requests/parameters.ts';
import type { AppTokens } from '../../apps/tokens/app-tokens.ts';
import { exchangeCode } from '../../apps/tokens/exchange-code.ts';
import { refreshAppTokens } from '../../apps/tokens/refresh-app-tokens.ts';
import { jsonType } from '../interface/envelope.ts';
import { paths } from '../interface/paths.ts';
import type { Handler, HttpRequest } from '../server/request.ts';
import type { Routes } from '../server/server.ts';
import { authenticateRequest } from './client-authentication.ts';
import { OAuthError } from './oauth-error.ts';
import type { OAuthParts } from './oauth-parts.ts';

type Input = {
  readonly app: App;
  readonly form: Parameters;
  readonly userAgent: string | undefined;
  readonly ip: string;
};

const longestToken = 1024;

export function registerToken(server: Routes, parts: OAuthParts): void {
  const handle: Handler = async (request, reply) => {
    const tokens = await grant(parts, { ...authenticateRequest(parts, request), ...clientOf(request) });
    return reply
      .header('pragma', 'no-cache')
      .type(jsonType)
      .send(JSON.stringify(present(tokens)));
  };
  server.add({ method: 'POST', path: paths.token, rules: { takesForm: true, isCountedByKey: true }, handle });
}

function clientOf({ headers, clientAddress }: HttpRequest) {
  return { userAgent: headers['user-agent'], ip: clientAddress };
}

function grant(parts: OAuthParts, input: Input): Promise<AppTokens> {
  const type = input.form.get('grant_type');
  if (type === 'authorization_code') return exchange(parts, input);
  if (type === 'refresh_token') return refresh(parts, input);
  if (type === undefined) throw missing('grant_type');
  throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
}

async function exchange({ deps }: OAuthParts, { app, form, userAgent, ip }: Input): Promise<AppTokens> {
  const code = required(form, 'code');
  const redirectUri = required(form, 'redirect_uri');
  const verifier = required(form, 'code_verifier');
  const isReadable = code.length <= longestToken && /^[\w.~-]{43,128}$/.test(verifier);
  const tokens = isReadable && (await exchangeCode(deps, { app, code, redirectUri, verifier, userAgent, ip }));
  if (tokens === false || tokens === undefined)
    throw new OAuthError('invalid_grant', 'The code is unknown, expired or used, or does not belong to this request.');
  return tokens;
}

async function refresh({ deps }: OAuthParts, { app, form, userAgent, ip }: Input): Promise<AppTokens> {
  const token = required(form, 'refresh_token');
  const scopes = readNarrower(form.get('scope'));
  const tokens = token.length <= longestToken && (await refreshAppTokens(deps, { app, token, scopes, userAgent, ip }));
  if (tokens === false || tokens === 'refused')
    throw new OAuthError('invalid_grant', 'The refresh token is unknown, expired or used, or its session has ended.');
  if (tokens === 'too wide') throw tooWide();
  return tokens;
}

/** Scopes of the protocol for which this service has no data. Many clients ask for them at every refresh, as they did at the sign-in. */
const emptyScopes: readonly string[] = ['profile', 'address'];

/** Any other word must be a scope: an app that asks for more than there is must not get less without notice. */
function readNarrower(text: string | undefined): AppScope[] | undefined {
  if (text === undefined) return undefined;
  const known: readonly string[] = [...appScopes, ...emptyScopes];
  if (text.split(' ').some((word) => word !== '' && !known.includes(word))) throw tooWide();
  return readScopes(text);
}

function tooWide(): OAuthError {
  return new OAuthError('invalid_scope', 'The session has not all of these scopes.');
}

function required(form: Parameters, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw missing(name);
  return value;
}

function missing(name: string): OAuthError {
  return new OAuthError('invalid_request', `${name} is missing.`);
}

function present({ accessToken, accessSeconds, refreshToken, scopes, idToken }: AppTokens) {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: refreshToken,
    scope: writeScopes(scopes),
    ...(idToken !== undefined && { id_token: idToken }),
  };
}
