// Writes and reads the cookies that carry tokens, and refuses two different cookies of the same name.

import { parseCookie } from 'cookie';
import type { SessionId } from '../../auth/sessions/session-id.ts';
import { Failure } from '../../kernel/failure.ts';
import { paths } from './paths.ts';

export type CookieName = 'JWT' | 'RT' | 'SSO' | 'lb' | 'ask' | 'DV' | 'ADMIN';

/** A value of Set-Cookie that gives one of these. */
export type Cookie<Name extends CookieName = CookieName> = `${Name}=${string}`;

/** One that takes it away. */
export type ClearedCookie = `${CookieName}=; ${string}`;

type TokenPair = { readonly sessionId: SessionId; readonly accessToken: string; readonly refreshToken: string };

export type CookieWriter = {
  tokens(pair: TokenPair, life: { accessSeconds: number; refreshSeconds: number }): Cookie<'JWT' | 'RT' | 'SSO'>[];
  clear(): ClearedCookie[];
  /** Identifies the browser that asked for a sign-in link. */
  browser(value: string, seconds: number): Cookie<'lb'>;
  /** Proves that the client that enters a code is the one that asked for it. */
  ask(value: string, seconds: number): Cookie<'ask'>;
  /** Marks the device as known to the user. Signing out leaves it. */
  device<Value extends string>(value: Value, seconds: number): `DV=${Value}; ${string}`;
  /** The session of a staff member. Browsers send it to the admin interface only. */
  admin<Value extends string>(value: Value, seconds: number): `ADMIN=${Value}; ${string}`;
};

/** `writeSingleSignOn` signs a session id for the requests of apps. Undefined if there are no apps: then there is no such cookie. */
export function createCookieWriter(
  isHttps: boolean,
  writeSingleSignOn?: (sessionId: SessionId) => string,
): CookieWriter {
  const secure = isHttps ? '; Secure' : '';
  const access = <Value extends string>(value: Value, seconds: number): `JWT=${Value}; ${string}` =>
    `JWT=${value}; Max-Age=${Math.ceil(seconds)}; Path=/; HttpOnly; SameSite=Lax${secure}`;
  const refresh = <Value extends string>(value: Value, seconds: number): `RT=${Value}; ${string}` =>
    `RT=${value}; Max-Age=${Math.ceil(seconds)}; Path=${paths.auth}; HttpOnly; SameSite=Strict${secure}`;
  // Lax: an app of another site sends the browser here. A cookie has one path, so there is one cookie for each.
  const singleSignOn = <Value extends string>(value: Value, seconds: number) =>
    [paths.oauth, paths.consent].map(
      (path): `SSO=${Value}; ${string}` =>
        `SSO=${value}; Max-Age=${Math.ceil(seconds)}; Path=${path}; HttpOnly; SameSite=Lax${secure}`,
    );
  return {
    tokens: ({ sessionId, accessToken, refreshToken }, { accessSeconds, refreshSeconds }) => [
      access(accessToken, accessSeconds),
      refresh(refreshToken, refreshSeconds),
      ...(writeSingleSignOn === undefined ? [] : singleSignOn(writeSingleSignOn(sessionId), refreshSeconds)),
    ],
    clear: () => [access('', 0), refresh('', 0), ...(writeSingleSignOn === undefined ? [] : singleSignOn('', 0))],
    ask: (value, seconds) =>
      `ask=${value}; Max-Age=${Math.ceil(seconds)}; Path=${paths.auth}; HttpOnly; SameSite=Strict${secure}`,
    device: (value, seconds) =>
      `DV=${value}; Max-Age=${Math.ceil(seconds)}; Path=${paths.auth}; HttpOnly; SameSite=Strict${secure}`,
    admin: (value, seconds) =>
      `ADMIN=${value}; Max-Age=${Math.ceil(seconds)}; Path=${paths.admin}; HttpOnly; SameSite=Strict${secure}`,
    browser: (value, seconds) => `lb=${value}; Max-Age=${Math.ceil(seconds)}; Path=/; HttpOnly; SameSite=Lax${secure}`,
  };
}

/** Refuses a name that occurs with two different values: another host of the same domain may have set one of them. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header?.includes(name) !== true) return undefined;
  const value = parseCookie(header)[name];
  if (value === undefined) return undefined;
  const pairs = header.split(';').map((pair) => pair.split('='));
  const values = pairs.filter(([key = '']) => key.trim() === name).map(([, ...rest]) => rest.join('=').trim());
  if (new Set(values).size > 1) throw new Failure('REQUEST_INVALID', { field: `cookie ${name}` });
  return value === '' ? undefined : value;
}
