// Apps for tests, and a whole sign-in for one: a browser that is signed in, the code, the tokens. Written without a client library.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { writeAuthorizationTicket } from '../../../src/apps/requests/authorization-ticket.ts';
import { sha256 } from '../../../src/kernel/crypto/digest.ts';
import type { Secrets } from '../../../src/kernel/crypto/secrets.ts';
import { call, newPhone, type Pair } from '../requests/api.ts';
import { askForCode } from './users.ts';

type TestApp = { readonly id: string; readonly redirectUri: string; readonly secret?: string };

/** With a secret, and every scope. */
export const backend: TestApp = {
  id: 'backend',
  redirectUri: 'https://backend.example/callback',
  secret: 'the-secret-of-the-back-end',
};

/** Without a secret: a page, or a program on a device. */
export const publicApp: TestApp = { id: 'public', redirectUri: 'https://public.example/callback' };

/** Belongs to somebody else, so users are asked. */
export const stranger: TestApp = {
  id: 'stranger',
  redirectUri: 'https://stranger.example/callback',
  secret: 'the-secret-of-the-stranger',
};

const everyScope = ['openid', 'phone', 'email', 'offline_access', 'files'];

export const appEntries = [
  {
    id: backend.id,
    name: 'The back end',
    redirectUris: [backend.redirectUri],
    logoutUris: ['https://backend.example/bye'],
    secretHash: sha256(backend.secret ?? ''),
    scopes: everyScope,
    firstParty: true,
  },
  {
    id: publicApp.id,
    name: 'The public app',
    redirectUris: [publicApp.redirectUri, 'http://127.0.0.1/callback', 'com.example.public:/callback'],
    logoutUris: ['https://public.example/bye'],
    firstParty: true,
  },
  {
    id: stranger.id,
    name: 'The stranger',
    redirectUris: [stranger.redirectUri],
    secretHash: sha256(stranger.secret ?? ''),
    scopes: everyScope,
    firstParty: false,
  },
];

/** Settings of a service with these apps. The file is removed after the tests. */
export function appSettings(entries: readonly object[] = appEntries): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-apps-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'apps.json');
  writeFileSync(file, JSON.stringify(entries));
  return { APPS_FILE: file, SMS_URL: 'inbox:', CAPTCHA_URL: 'open:' };
}

/** The ticket of a request that the app sent just now. */
export function ticketOf({ id, redirectUri }: TestApp, secrets: Secrets, startedAt: number): string {
  const nothing = { state: undefined, nonce: undefined, prompt: undefined, maxAgeSeconds: undefined };
  const page = { uiLocales: undefined, loginHint: undefined };
  const request = {
    appId: id,
    redirectUri,
    scopes: ['openid'] as const,
    challenge: 'c'.repeat(43),
    ...nothing,
    ...page,
  };
  return writeAuthorizationTicket(secrets, { request, startedAt });
}

export type AppBrowser = Pair & { readonly phone: string; readonly cookie: string };

/** A browser whose user is signed in at the service. It sends the cookies that a browser sends to /oauth and with a consent. */
export async function openBrowser(url: string, phone = newPhone()): Promise<AppBrowser> {
  const otp = await askForCode(url, phone);
  const reply = await call(url, 'POST', '/api/auth/phone/login', { body: { phone, otp } });
  assert.equal(reply.status, 200, reply.body.message);
  return { ...reply.body.data, phone, cookie: cookiesForOAuth(reply.cookies) };
}

export function cookiesForOAuth(cookies: readonly string[]): string {
  const pairs = cookies.map((cookie) => cookie.split(';', 1)[0] ?? '').filter((pair) => /^(SSO|JWT)=./.test(pair));
  // SSO is set for two paths.
  return [...new Set(pairs)].join('; ');
}

const verifier = 'a-verifier-of-forty-three-characters-or-more';

/** A value that is undefined leaves the field out, a list repeats it. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

export function encode(fields: Fields): string {
  const given = Object.entries(fields).flatMap(([name, value = []]) =>
    (typeof value === 'string' ? [value] : value).map((one) => [name, one]),
  );
  return new URLSearchParams(given).toString();
}

export function authorizeQuery(app: TestApp, changes: Fields = {}): string {
  return encode({
    response_type: 'code',
    client_id: app.id,
    redirect_uri: app.redirectUri,
    scope: 'openid phone email offline_access files',
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: sha256(verifier),
    code_challenge_method: 'S256',
    ...changes,
  });
}

/** Navigates, without following a redirect. */
export function navigate(url: string, path: string, cookie = '', headers: Record<string, string> = {}) {
  return fetch(`${url}${path}`, { redirect: 'manual', headers: { ...(cookie !== '' && { cookie }), ...headers } });
}

export function authorize(url: string, app: TestApp, browser?: { readonly cookie: string }, changes: Fields = {}) {
  return navigate(url, `/oauth/authorize?${authorizeQuery(app, changes)}`, browser?.cookie);
}

/** Where a redirect leads. */
export function locationOf(response: Response): URL {
  const location = response.headers.get('location');
  assert.ok(response.status === 303 && location !== null, `${response.status} ${location}`);
  return new URL(location);
}

export async function codeFor(url: string, app: TestApp, browser: AppBrowser, changes: Fields = {}): Promise<string> {
  const code = locationOf(await authorize(url, app, browser, changes)).searchParams.get('code');
  assert.ok(code !== null, 'no code');
  return code;
}

export function basic({ id, secret = '' }: TestApp): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

export type AppReply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/** Posts a form as the app: by Basic if it has a secret, by its id in the body if not. */
export async function postAs(url: string, app: TestApp, path: string, fields: Fields): Promise<AppReply> {
  const own = app.secret === undefined ? { client_id: app.id } : {};
  return postForm(url, path, { ...own, ...fields }, app.secret === undefined ? {} : basic(app));
}

export async function postForm(
  url: string,
  path: string,
  fields: Fields,
  headers: Readonly<Record<string, string>> = {},
): Promise<AppReply> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: encode(fields),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? {} : JSON.parse(text) };
}

export function exchange(url: string, app: TestApp, code: string, changes: Fields = {}): Promise<AppReply> {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, code_verifier: verifier };
  return postAs(url, app, '/oauth/token', { ...fields, ...changes });
}

export function refreshAs(url: string, app: TestApp, refreshToken: string, changes: Fields = {}): Promise<AppReply> {
  return postAs(url, app, '/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken, ...changes });
}

type AppTokenSet = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly idToken: string;
  readonly scope: string;
};

export async function signInTo(
  url: string,
  app: TestApp,
  browser: AppBrowser,
  changes: Fields = {},
): Promise<AppTokenSet> {
  const { status, body } = await exchange(url, app, await codeFor(url, app, browser, changes));
  assert.equal(status, 200, JSON.stringify(body));
  return {
    accessToken: String(body.access_token),
    refreshToken: String(body.refresh_token),
    idToken: String(body.id_token),
    scope: String(body.scope),
  };
}

/** The facts that a page got from the service. */
export function factsIn(html: string): Readonly<Record<string, unknown>> {
  const content = /<meta id="facts" content="([^"]*)"/.exec(html)?.[1];
  assert.ok(content !== undefined, html.slice(0, 200));
  const names: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'" };
  return JSON.parse(content.replaceAll(/&(quot|amp|lt|gt|#39);/g, (_, name: string) => names[name] ?? ''));
}
