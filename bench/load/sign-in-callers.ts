// Callers that request codes, sign in, refresh and read: the same for the service and for the floor.
import { expectAnswer } from '../peers/peer.ts';
import { type Caller, request } from './drive.ts';

export type Pair = { readonly JWT: string; readonly RT: string };

/** Users who have requested a code, users who have signed in, and unused token pairs. */
export type Users = { readonly asked: string[]; readonly known: string[]; readonly pairs: Pair[] };

export type PhoneAndCode = readonly [phone: string, code: string];

export const host = '127.0.0.1';
const json = { 'content-type': 'application/json' };

let lastPhone = 0;

/** US phone numbers, each used once. */
export function newPhone(): string {
  lastPhone += 1;
  return `+1${201 + Math.floor(lastPhone / 8_000_000)}${2_000_000 + (lastPhone % 8_000_000)}`;
}

export function sendCaller(next: () => string | undefined): Caller {
  return {
    ask: () => {
      const phone = next();
      return phone === undefined ? undefined : sendRequest(phone);
    },
    check: (status, body) => expectAnswer(status, body, 200, '"success":true'),
  };
}

function sendRequest(phone: string): string {
  return request('POST /api/auth/phone/send/otp', host, { ...json, 'captcha-token': 'x' }, `{"recipient":"${phone}"}`);
}

/** All connections share one list, so that they end together. */
export function signInCallers(connections: number, list: readonly PhoneAndCode[], users: Users): Caller[] {
  const left = list.values();
  return repeat(connections, () => {
    let current = '';
    return {
      ask: () => {
        const { value, done } = left.next();
        if (done === true) return undefined;
        const [phone, otp] = value;
        current = phone;
        return request('POST /api/auth/phone/login', host, json, JSON.stringify({ phone, otp }));
      },
      check: (status, body) => {
        expectAnswer(status, body, 200, '"JWT"');
        users.pairs.push((JSON.parse(body.toString()) as { data: Pair }).data);
        users.known.push(current);
      },
    };
  });
}

/** Renews its own session in a loop. */
export function refreshCaller({ RT }: Pair): Caller {
  let token = RT;
  return {
    ask: () => request('POST /api/auth/refresh-token', host, { RT: token }),
    check: (status, body) => {
      expectAnswer(status, body, 200, '"RT":"');
      const at = body.indexOf('"RT":"') + 6;
      token = body.toString('latin1', at, body.indexOf('"', at));
    },
  };
}

/** Expects the piece in every answer. */
export function getCaller(path: string, token: string | undefined, piece: string): Caller {
  const text = request(`GET ${path}`, host, token === undefined ? {} : { authorization: `Bearer ${token}` });
  return { ask: () => text, check: (status, body) => expectAnswer(status, body, 200, piece) };
}

export function repeat<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
