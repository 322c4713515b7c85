// The nodes of the service as the clients of a history see them: each act is one call, and each answer in short form.

import { outcomeOf } from '../../helpers/people/users.ts';
import { ask, type LeanReply } from '../../helpers/requests/lean-client.ts';
import { wavFile } from '../../helpers/uploads/sample-files.ts';
import type { FileNode } from './file-clients.ts';
import { mostFiles } from './file-model.ts';
import type { UserNode } from './user-clients.ts';
import { type UserInput, userLimits } from './user-model.ts';

/** Test recipients have a fixed code, so that no client waits for a message. */
const fixedCode = '314159';
const wrongCode = '000000';

/** Messages to one recipient, for the history of requests. */
export const mostSends = 6;

/** Nothing ends because time passes, however busy the machine is. */
export function nodeSettings(phones: readonly string[]) {
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  return {
    TEST_RECIPIENTS: phones.map((phone) => `${phone}=${fixedCode}@${until}`).join(),
    OTP_SMS_LIFE: '1h',
    OTP_MAIL_LIFE: '1h',
    LINK_LIFE: '1h',
    ACCESS_TOKEN_LIFE: '1h',
    SESSIONS_PER_USER: '1000',
    OTP_ATTEMPTS: String(userLimits.attempts),
    LIMIT_ATTEMPTS_PER_RECIPIENT: `${userLimits.failures}/24h`,
    LIMIT_SENDS_PER_RECIPIENT: `${mostSends}/24h`,
    LIMIT_UPLOADS_PER_USER: 'off',
    TRASH_LIFE: '0',
    FILE_COUNT: String(mostFiles),
  };
}

/** The outcome is unknown, so the history proves nothing. */
export class Unavailable extends Error {}

async function tell(asked: Promise<LeanReply>): Promise<{ outcome: string; data: LeanReply['body']['data'] }> {
  const reply = await asked;
  if (reply.status === 503) throw new Unavailable(String(reply.body.codeError));
  return { outcome: outcomeOf(reply), data: reply.body.data };
}

/** The newest access token of each session, by its id. All nodes of a user share it. */
export type Wallet = Map<string, string>;

export function createUserNode(url: string, phone: string, wallet: Wallet): UserNode {
  return async (input) => {
    const { outcome, data } = await tell(send(url, phone, wallet, input));
    if (input.act === 'list') return { outcome, sessions: data?.sessions.map(({ id }: { id: string }) => id) ?? [] };
    if (data?.RT === undefined) return { outcome };
    const id = sessionOf(data.JWT);
    wallet.set(id, data.JWT);
    return { outcome, sessions: [id], token: data.RT };
  };
}

function send(url: string, phone: string, wallet: Wallet, input: UserInput): Promise<LeanReply> {
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    ask(url, method, `/api/auth/${path}`, {
      headers,
      ...(body !== undefined && { body }),
      ...('by' in input && { token: wallet.get(input.by) ?? '' }),
    });
  switch (input.act) {
    case 'send':
      return askForCode(url, phone);
    case 'guess right':
      return call('POST', 'phone/login', { phone, otp: fixedCode });
    case 'guess wrong':
      return call('POST', 'phone/login', { phone, otp: wrongCode });
    case 'redeem':
      return call('POST', 'email/login', { token: input.link });
    case 'check link':
      return call('POST', 'email/link/check', { token: input.link });
    case 'refresh':
      return call('POST', 'refresh-token', undefined, { RT: input.token });
    case 'list':
      return call('GET', 'sessions');
    case 'sign out':
      return call('POST', 'logout', { scope: input.scope });
    case 'end':
      return call('DELETE', `sessions/${input.session}`);
    case 'delete account':
      return call('DELETE', 'me');
  }
}

function askForCode(url: string, recipient: string): Promise<LeanReply> {
  return ask(url, 'POST', '/api/auth/phone/send/otp', { body: { recipient }, headers: { 'captcha-token': 'any' } });
}

export function requestCode(url: string, recipient: string): Promise<{ readonly outcome: string }> {
  return tell(askForCode(url, recipient));
}

function sessionOf(token: string): string {
  const [, payload = ''] = token.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: string }).sid;
}

const sound = wavFile(2000);

export function createFileNode(url: string, token: string): FileNode {
  return {
    upload: async () => {
      const headers = { 'content-type': 'audio/wav' };
      const { outcome, data } = await tell(
        ask(url, 'POST', '/api/file/upload?purpose=audio', { headers, token, body: sound }),
      );
      return outcome === '201' ? { outcome, files: [data.id] } : { outcome };
    },
    remove: async (file) => ({ outcome: (await tell(ask(url, 'DELETE', `/api/file/${file}`, { token }))).outcome }),
    list: async () => {
      const { outcome, data } = await tell(ask(url, 'GET', '/api/file', { token }));
      return { outcome, files: data.files.map(({ id }: { id: string }) => id) };
    },
  };
}
