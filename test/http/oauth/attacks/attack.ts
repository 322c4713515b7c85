// Plays a browser and an app against the endpoints of OpenID Connect, without a library that would correct what they send.
import assert from 'node:assert/strict';
import { sha256 } from '../../../../src/kernel/crypto/digest.ts';
import {
  type AppBrowser,
  type AppReply,
  encode,
  type Fields,
  factsIn as factsOfPage,
  openBrowser as openSignedIn,
  postAs,
} from '../../../helpers/people/oauth.ts';

import { call, newPhone } from '../../../helpers/requests/api.ts';
import type { Stage } from '../../../helpers/services/stage.ts';
import type { AttackedApp } from './apps.ts';

export const verifier = 'the-verifier-of-an-honest-app-0123456789-abcdef';
export const challenge = sha256(verifier);

export type Parameters = Fields;

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where the browser is sent, if it is. */
  readonly location: URL | undefined;
};

export function issuerOf({ env }: Stage): string {
  return `http://localhost:${env.PORT}`;
}

export async function send(stage: Stage, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${stage.url}${path}`, { redirect: 'manual', ...init });
  const location = response.headers.get('location');
  return {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    location: location === null ? undefined : new URL(location, stage.url),
  };
}

/** A browser in which a user is signed in at the service. */
export type Browser = AppBrowser;

export async function openBrowser(stage: Stage, phone = newPhone()): Promise<Browser> {
  const browser = await openSignedIn(stage.url, phone);
  // Browsers send the refresh token to its own paths only.
  assert.match(browser.cookie, /SSO=/);
  return browser;
}

export function honestRequest(app: AttackedApp): Parameters {
  return {
    response_type: 'code',
    client_id: app.id,
    redirect_uri: app.redirectUri,
    scope: app.scope,
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
}

export function authorize(
  stage: Stage,
  app: AttackedApp,
  changes: Parameters = {},
  browser?: Pick<Browser, 'cookie'>,
): Promise<Answer> {
  const query = encode({ ...honestRequest(app), ...changes });
  return send(stage, `/oauth/authorize?${query}`, { headers: browser === undefined ? {} : { cookie: browser.cookie } });
}

export async function codeFor(
  stage: Stage,
  app: AttackedApp,
  browser: Browser,
  changes: Parameters = {},
): Promise<string> {
  const answer = await authorize(stage, app, changes, browser);
  const code = answer.location?.searchParams.get('code');
  assert.ok(code, `${answer.status} ${answer.headers.get('location')}`);
  return code;
}

export function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

export function exchange(stage: Stage, app: AttackedApp, code: string, changes: Parameters = {}): Promise<AppReply> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, code_verifier: verifier };
  return postAs(stage.url, app, '/oauth/token', { ...form, ...changes });
}

export function refreshAs(
  stage: Stage,
  app: AttackedApp,
  refreshToken: string,
  changes: Parameters = {},
): Promise<AppReply> {
  return postAs(stage.url, app, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...changes,
  });
}

export type Tokens = { readonly accessToken: string; readonly refreshToken: string; readonly idToken: string };

export function tokensIn({ status, body, text }: AppReply): Tokens {
  assert.equal(status, 200, text);
  return {
    accessToken: String(body.access_token),
    refreshToken: String(body.refresh_token),
    idToken: String(body.id_token),
  };
}

export async function signInTo(
  stage: Stage,
  app: AttackedApp,
  browser: Browser,
  changes: Parameters = {},
): Promise<Tokens> {
  return tokensIn(await exchange(stage, app, await codeFor(stage, app, browser, changes)));
}

export function userinfo(stage: Stage, token: string): Promise<Answer> {
  return send(stage, '/oauth/userinfo', { headers: { authorization: `Bearer ${token}` } });
}

/** What a page of the service tells its script. */
function factsIn({ text }: Answer): Readonly<Record<string, unknown>> {
  return factsOfPage(text);
}

export function ticketIn(answer: Answer): string {
  const { authorization } = factsIn(answer) as { authorization?: { ticket?: string } };
  assert.ok(authorization?.ticket, answer.text.slice(0, 200));
  return authorization.ticket;
}

/** The user of the browser allows the app of the ticket what it asks for, as the sign-in page does. */
export function consent(stage: Stage, ticket: string, headers: Readonly<Record<string, string>>) {
  return call(stage.url, 'POST', '/api/auth/apps/consent', { body: { ticket }, headers });
}
