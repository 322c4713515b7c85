// Workloads of the token endpoint: an app that keeps no secret exchanges codes, and refreshes.
import { createHash } from 'node:crypto';
import { expectAnswer, type Peer } from '../peers/peer.ts';
import { type Caller, drive, request } from './drive.ts';

const host = '127.0.0.1';
const redirectUri = 'https://app.example/back';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** The same for every code: it costs the service the same as many. */
const verifier = 'v'.repeat(43);
export const challenge = createHash('sha256').update(verifier).digest('base64url');

/** More than a service can exchange in the seconds. They expire soon, so there are no more than needed. */
export function codeCount(seconds = 4): number {
  return Math.ceil(seconds * 3000);
}

/** Few codes for each user, because a user has at most 20 sessions of an app. */
const userCount = 600;

/** The content of APPS_FILE. */
export const benchApps = JSON.stringify([
  { id: 'bench', name: 'Bench', redirectUris: [redirectUri], firstParty: true },
]);

/** `signIn` returns the refresh tokens of that many users. */
export function appWorkloads(port: number, signIn: (count: number) => Promise<readonly string[]>): Peer['workloads'] {
  const makeCodes = async (count: number, users: number): Promise<string[]> => {
    const cookies = await collectCookies(port, await signIn(users));
    const codes: string[] = [];
    let asked = 0;
    const caller: Caller = {
      ask: () => (asked < count ? authorizeRequest(cookies[asked++ % cookies.length] ?? '') : undefined),
      check: (status, body, head) => {
        expectAnswer(status, body, 303, '');
        codes.push(/\r\nlocation: \S+[?&]code=([\w-]+)/i.exec(head)?.[1] ?? fail(head));
      },
    };
    await drive({ host, port, callers: Array.from({ length: 16 }, () => caller), seconds: 60 });
    return codes;
  };
  return {
    codeExchange: async (connections, seconds) => {
      const codes = (await makeCodes(codeCount(seconds), userCount)).values();
      return Array.from({ length: connections }, () => exchangeCaller('/oauth/token', host, codes));
    },
    appRefresh: async (connections) => {
      const refreshTokens: string[] = [];
      const codes = (await makeCodes(connections, connections)).values();
      const callers = [exchangeCaller('/oauth/token', host, codes, (token) => refreshTokens.push(token))];
      await drive({ host, port, callers, seconds: 60 });
      return refreshTokens.map((token) => refreshCaller('/oauth/token', host, token));
    },
  };
}

/** Exchanges one code after the other, and checks that it gets all three tokens. */
export function exchangeCaller(
  path: string,
  peerHost: string,
  codes: Iterator<string, unknown>,
  keep: (refreshToken: string) => void = () => undefined,
): Caller {
  return {
    ask: () => {
      const { value, done } = codes.next();
      if (done === true) return undefined;
      const body = `grant_type=authorization_code&client_id=bench&redirect_uri=${encodeURIComponent(redirectUri)}&code=${value}&code_verifier=${verifier}`;
      return request(`POST ${path}`, peerHost, form, body);
    },
    check: (status, body) => {
      expectAnswer(status, body, 200, '"access_token":"ey');
      expectAnswer(status, body, 200, '"id_token":"ey');
      keep(refreshTokenIn(body));
    },
  };
}

/** Refreshes its own session in a loop. */
export function refreshCaller(path: string, peerHost: string, first: string): Caller {
  let token = first;
  return {
    ask: () =>
      request(`POST ${path}`, peerHost, form, `grant_type=refresh_token&client_id=bench&refresh_token=${token}`),
    check: (status, body) => {
      expectAnswer(status, body, 200, '"access_token":"ey');
      const next = refreshTokenIn(body);
      if (next === token) throw new Error('the refresh token was not rotated');
      token = next;
    },
  };
}

function refreshTokenIn(body: Buffer): string {
  return /"refresh_token":"([^"]+)"/.exec(body.toString('latin1'))?.[1] ?? fail('no refresh token');
}

/** The cookie SSO of each user, by a refresh: an access token gives no code. */
async function collectCookies(port: number, refreshTokens: readonly string[]): Promise<string[]> {
  const cookies: string[] = [];
  const left = refreshTokens.values();
  const caller: Caller = {
    ask: () => {
      const { value, done } = left.next();
      return done === true ? undefined : request('POST /api/auth/refresh-token', host, { RT: value });
    },
    check: (status, body, head) => {
      expectAnswer(status, body, 200, '"RT":"');
      cookies.push(/\r\nset-cookie: (SSO=[^;]+)/i.exec(head)?.[1] ?? fail(head));
    },
  };
  await drive({ host, port, callers: Array.from({ length: 16 }, () => caller), seconds: 60 });
  return cookies;
}

function authorizeRequest(cookie: string): string {
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: 'bench',
    redirect_uri: redirectUri,
    scope: 'openid offline_access',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'bench',
    nonce: 'bench',
  });
  return request(`GET /oauth/authorize?${asked}`, host, { cookie });
}

function fail(why: string): never {
  throw new Error(why);
}
