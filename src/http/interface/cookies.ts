// Writes and reads the cookies that carry tokens, and refuses two different cookies of the same name.
import { parseCookie } from 'cookie';
import { Failure } from '../../kernel/failure.ts';
import { paths } from './paths.ts';

export type TokenPair = { readonly sessionId: string; readonly accessToken: string; readonly refreshToken: string };

export type CookieWriter = {
  tokens(pair: TokenPair, life: { accessSeconds: number; refreshSeconds: number }): string[];
  clear(): string[];
  /** Identifies the browser that asked for a sign-in link. */
  browser(value: string, seconds: number): string;
  /** Proves that the client that enters a code is the one that asked for it. */
  ask(value: string, seconds: number): string;
  /** Marks the device as known to the user. Signing out leaves it. */
  device(value: string, seconds: number): string;
  /** The session of a staff member. Browsers send it to the admin interface only. */
  admin(value: string, seconds: number): string;
};

/** `writeSingleSignOn` signs a session id for the requests of apps. Undefined if there are no apps: then there is no such cookie. */
export function createCookieWriter(isHttps: boolean, writeSingleSignOn?: (sessionId: string) => string): CookieWriter {
  const secure = isHttps ? '; Secure' : '';
  const access = (value: string, seconds: number) =>
    `JWT=${value}; Max-Age=${Math.ceil(seconds)}; Path=/; HttpOnly; SameSite=Lax${secure}`;
  const refresh = (value: string, seconds: number) =>
    `RT=${value}; Max-Age=${Math.ceil(seconds)}; Path=${paths.auth}; HttpOnly; SameSite=Strict${secure}`;
  // Lax: an app of another site sends the browser here.
  const singleSignOn = (write: () => string, seconds: number) =>
    writeSingleSignOn === undefined
      ? []
      : [`SSO=${write()}; Max-Age=${Math.ceil(seconds)}; Path=${paths.oauth}; HttpOnly; SameSite=Lax${secure}`];
  return {
    tokens: ({ sessionId, accessToken, refreshToken }, { accessSeconds, refreshSeconds }) => [
      access(accessToken, accessSeconds),
      refresh(refreshToken, refreshSeconds),
      ...singleSignOn(() => writeSingleSignOn?.(sessionId) ?? '', refreshSeconds),
    ],
    clear: () => [access('', 0), refresh('', 0), ...singleSignOn(() => '', 0)],
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
