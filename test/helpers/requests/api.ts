// Calls the interface as a client would, and checks that every answer is in the envelope.
import assert from 'node:assert/strict';

export type Envelope = {
  success: boolean;
  message: string;
  codeError: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of many shapes
  data: any;
};

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Envelope;
  readonly cookies: string[];
};

export type CallOptions = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly captcha?: string;
};

export async function call(url: string, method: string, path: string, options: CallOptions = {}): Promise<Reply> {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      ...(options.captcha !== undefined && { 'captcha-token': options.captcha }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  });
  return readReply(response);
}

export async function readReply(response: Response): Promise<Reply> {
  const text = await response.text();
  const body = readEnvelope(text);
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(body.success, response.status < 400, text);
  return { status: response.status, headers: response.headers, body, cookies: response.headers.getSetCookie() };
}

export function readEnvelope(text: string): Envelope {
  const body = JSON.parse(text) as Envelope;
  assert.deepEqual(Object.keys(body), ['success', 'message', 'codeError', 'data'], text);
  assert.equal(typeof body.success, 'boolean');
  assert.ok(typeof body.message === 'string' && body.message !== '');
  if (body.success) assert.equal(body.codeError, null);
  else {
    assert.match(String(body.codeError), /^[A-Z_]+$/);
    assert.equal(body.data, null);
  }
  return body;
}

export function sendOtp(url: string, recipient: string, headers: Record<string, string> = {}): Promise<Reply> {
  return call(url, 'POST', '/api/auth/phone/send/otp', { body: { recipient }, captcha: 'any', headers });
}

export function logIn(url: string, phone: string, otp: string): Promise<Reply> {
  return call(url, 'POST', '/api/auth/phone/login', { body: { phone, otp } });
}

export function refresh(url: string, refreshToken: string): Promise<Reply> {
  return call(url, 'POST', '/api/auth/refresh-token', { headers: { RT: refreshToken } });
}

/** Waits for the newest message to a recipient. */
export async function newestMessage(
  url: string,
  to: string,
): Promise<{ text: string; subject?: string; html?: string; id: string }> {
  const { body } = await call(url, 'GET', `/api/inbox?to=${encodeURIComponent(to)}&wait=30`);
  const [message] = body.data.messages;
  assert.ok(message, `no message to ${to}`);
  return message;
}

export async function readCode(url: string, phone: string): Promise<string> {
  const { text } = await newestMessage(url, phone);
  const code = /#(\d{6})$/.exec(text)?.[1];
  assert.ok(code, text);
  return code;
}

export type Pair = { JWT: string; RT: string };

/** Requests a code, reads it and signs in with it. */
export async function signIn(url: string, phone: string): Promise<Pair> {
  const sent = await sendOtp(url, phone);
  assert.equal(sent.status, 200, sent.body.message);
  const reply = await logIn(url, phone, await readCode(url, phone));
  assert.equal(reply.status, 200, reply.body.message);
  return reply.body.data;
}

/** Tests write out numbers that end in 0001 to 0999, such as +12025550123. None of them is given out here. */
const given = { first: 1000, count: 9000 };
let serial = Math.floor(Math.random() * given.count);

/** A valid number that no other test of this process uses. */
export function newPhone(): string {
  serial = (serial + 1) % given.count;
  return `+1202555${given.first + serial}`;
}
