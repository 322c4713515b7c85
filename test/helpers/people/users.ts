// Users with phones and mailboxes: they request a message, read the new one, and sign in with it.
import assert from 'node:assert/strict';
import { call, logIn, newPhone, type Pair, type Reply, sendOtp } from '../requests/api.ts';
import { waitUntil } from '../wait-until.ts';

export type Message = { id: string; channel: string; to: string; subject?: string; text: string; html?: string };

export async function messagesTo(url: string, to: string): Promise<Message[]> {
  const { body } = await call(url, 'GET', `/api/inbox?to=${encodeURIComponent(to)}`);
  return body.data.messages;
}

/**
 * Does something that sends a message, and returns the message when it has arrived. A notice of an earlier act may arrive in the
 * meantime, so a caller who has caused one says which message is wanted.
 */
export async function messageAfter(
  url: string,
  to: string,
  act: () => Promise<Reply>,
  isWanted: (message: Message) => boolean = () => true,
): Promise<Message> {
  const known = new Set((await messagesTo(url, to)).map(({ id }) => id));
  const reply = await act();
  assert.equal(reply.status, 200, reply.body.message);
  return waitUntil(`a message to ${to}`, async () =>
    (await messagesTo(url, to)).find((message) => !known.has(message.id) && isWanted(message)),
  );
}

type Content = Pick<Message, 'text' | 'subject'>;

const findCode = ({ text, subject = '' }: Content) => /#(\d{6})$/.exec(text)?.[1] ?? /^(\d{6}) /.exec(subject)?.[1];

export function codeIn(message: Content): string {
  const code = findCode(message);
  assert.ok(code, message.text);
  return code;
}

/** Does something that sends a code, and returns the code when it has arrived. */
export async function codeAfter(url: string, to: string, act: () => Promise<Reply>): Promise<string> {
  return codeIn(await messageAfter(url, to, act, (message) => findCode(message) !== undefined));
}

export function askForCode(url: string, phone: string): Promise<string> {
  return codeAfter(url, phone, () => sendOtp(url, phone));
}

/** A different code of six digits. */
export function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

export async function enter(url: string, phone = newPhone(), userAgent?: string): Promise<Pair & { phone: string }> {
  const otp = await askForCode(url, phone);
  const headers = userAgent === undefined ? {} : { 'user-agent': userAgent };
  const reply = await call(url, 'POST', '/api/auth/phone/login', { body: { phone, otp }, headers });
  assert.equal(reply.status, 200, reply.body.message);
  return { ...reply.body.data, phone };
}

export function guess(url: string, phone: string, right: string): Promise<Reply> {
  return logIn(url, phone, otherThan(right));
}

export function me(url: string, token: string): Promise<Reply> {
  return call(url, 'GET', '/api/auth/me', { token });
}

export async function userIdOf(url: string, token: string): Promise<string> {
  return (await me(url, token)).body.data.id;
}

/** Status and error code in one text. */
export function outcomeOf({ status, body }: Pick<Reply, 'status' | 'body'>): string {
  return body.codeError === null ? String(status) : `${status} ${body.codeError}`;
}

let serial = 0;

export function newAddress(): string {
  serial += 1;
  return `user${serial}.${process.pid}@example.com`;
}

export function sendLink(url: string, recipient: string, headers: Record<string, string> = {}): Promise<Reply> {
  return call(url, 'POST', '/api/auth/email/send/login-link', { body: { recipient }, captcha: 'any', headers });
}

export function sendBinding(url: string, token: string, recipient: string): Promise<Reply> {
  return call(url, 'POST', '/api/auth/email/send/otp', { body: { recipient }, token, captcha: 'any' });
}

export function bind(url: string, token: string, email: string, otp: string): Promise<Reply> {
  return call(url, 'PUT', '/api/auth/email/add', { body: { email, otp }, token });
}

/** Requests a code and binds the e-mail address to the bearer of the token. */
export async function bindAddress(url: string, token: string, email: string): Promise<void> {
  const otp = await codeAfter(url, email, () => sendBinding(url, token, email));
  assert.equal(outcomeOf(await bind(url, token, email, otp)), '200');
}

const findLinkToken = ({ text }: Pick<Message, 'text'>) => /#([\w-]{43})$/m.exec(text)?.[1];

export function linkTokenIn(message: Pick<Message, 'text'>): string {
  const token = findLinkToken(message);
  assert.ok(token, message.text);
  return token;
}

export async function askForLink(url: string, email: string): Promise<string> {
  const isLink = (message: Message) => findLinkToken(message) !== undefined;
  return linkTokenIn(await messageAfter(url, email, () => sendLink(url, email), isLink));
}

export function redeem(url: string, token: string): Promise<Reply> {
  return call(url, 'POST', '/api/auth/email/login', { body: { token } });
}

/** An answer without the parts that differ each time: time, request id and cookie values. */
export function comparable({ status, headers, body }: Reply) {
  const shown = [...headers]
    .filter(([name]) => name !== 'date' && name !== 'x-request-id')
    .map(([name, value]) => [name, name === 'set-cookie' ? value.replace(/=[^;]*/, '=') : value]);
  return { status, headers: shown, body };
}
