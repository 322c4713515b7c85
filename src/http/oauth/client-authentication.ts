// Finds the app that a request to the token or revocation endpoint comes from, checks its secret, and counts the request.
import type { App } from '../../apps/clients/app.ts';
import { type AppCredentials, authenticateApp } from '../../apps/clients/authenticate-app.ts';
import { type Parameters, readParameters } from '../../apps/requests/parameters.ts';
import type { HttpRequest } from '../server/request.ts';
import { OAuthError } from './oauth-error.ts';
import type { OAuthParts } from './oauth-parts.ts';

const longestHeader = 2048;
const longestSecret = 1024;

/** An app with a secret may send many requests from one address, so only a right secret keeps them from being counted by address. */
export function authenticateRequest(
  { deps, countApp, countAddress }: Pick<OAuthParts, 'deps' | 'countApp' | 'countAddress'>,
  request: HttpRequest,
): { readonly app: App; readonly form: Parameters } {
  const form = formOf(request);
  const { authorization } = request.headers;
  const credentials = readCredentials(authorization, form);
  const app = credentials instanceof OAuthError ? undefined : authenticateApp(deps, credentials);
  if (app?.secretHash === undefined) countAddress(request.clientAddress);
  else countApp(app.id);
  if (credentials instanceof OAuthError) throw credentials;
  if (app === undefined) throw invalidClient('The app is unknown, or its secret is wrong or missing.', authorization);
  if (form.repeated() !== undefined) throw new OAuthError('invalid_request', 'A parameter occurs more than once.');
  if (form.hasControlCharacters) throw new OAuthError('invalid_request', 'A parameter contains a control character.');
  return { app, form };
}

/** The parser of forms has put them there. A request without a body has none. */
export function formOf({ body }: HttpRequest): Parameters {
  return (body as Parameters | undefined) ?? readParameters('');
}

function readCredentials(authorization: string | undefined, form: Parameters): AppCredentials | OAuthError {
  const inForm = { id: form.get('client_id'), secret: form.get('client_secret') };
  if (form.isRepeated('client_id') || form.isRepeated('client_secret'))
    return new OAuthError('invalid_request', 'A parameter occurs more than once.');
  if (authorization === undefined) {
    if (inForm.id === undefined) return invalidClient('The request names no app.', authorization);
    if ((inForm.secret?.length ?? 0) > longestSecret) return invalidClient('The secret is too long.', authorization);
    return { appId: inForm.id, secret: inForm.secret };
  }
  if (inForm.secret !== undefined)
    return new OAuthError('invalid_request', 'Send the secret in the header or in the body, not in both.');
  const basic = readBasic(authorization);
  if (basic === undefined) return invalidClient('The Authorization header is not readable as Basic.', authorization);
  if (inForm.id !== undefined && inForm.id !== basic.appId)
    return new OAuthError('invalid_request', 'The header and the body name different apps.');
  return basic;
}

/** RFC 6749 section 2.3.1: both parts are encoded like a form. An empty secret counts as no secret. */
function readBasic(header: string): AppCredentials | undefined {
  const text = header.length > longestHeader ? undefined : /^basic +([\w+/=-]+) *$/i.exec(header)?.[1];
  if (text === undefined) return undefined;
  const plain = Buffer.from(text, 'base64').toString();
  const colon = plain.indexOf(':');
  if (colon === -1) return undefined;
  try {
    const [appId, secret] = [plain.slice(0, colon), plain.slice(colon + 1)].map(decodeFormValue);
    return appId === undefined || appId === '' ? undefined : { appId, secret: secret === '' ? undefined : secret };
  } catch {
    return undefined;
  }
}

function decodeFormValue(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** RFC 6749 section 5.2: with a challenge if the app used the header. */
function invalidClient(description: string, authorization: string | undefined): OAuthError {
  const challenge = { 'www-authenticate': 'Basic realm="gatehouse", charset="UTF-8"' };
  return new OAuthError('invalid_client', description, {
    status: 401,
    ...(authorization !== undefined && { headers: challenge }),
  });
}
