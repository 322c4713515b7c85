// The SMS provider Twilio: sends an SMS, and checks the state of the account.

import type { ProviderUrl } from '../../kernel/net/provider-url.ts';
import type { SmsProvider } from '../../messages/delivery/message-provider.ts';
import type { ProviderCheck } from '../../messages/delivery/provider-check.ts';
import type { OutgoingMessage, Sender, SendOutcome } from '../../messages/delivery/sender.ts';
import { accountUrl, originOf } from './account-url.ts';
import { get } from './get.ts';
import { type Answer, parseObject, post, refusedBy } from './post.ts';

export const twilio = {
  name: 'twilio',
  schemes: ['twilio'],
  forms: ['twilio://SID:TOKEN@?from=…'],
  ...accountUrl,
  createSender: async (url) => createTwilioSender(url),
  createCheck: async (url) => createTwilioCheck(url),
} as const satisfies SmsProvider;

/** Not a phone number, not a mobile number, country not enabled, user opted out, unreachable from this sender. */
const hopelessCodes: ReadonlySet<unknown> = new Set([21211, 21614, 21408, 21610, 21612]);

/**
 * The account or its sender is refused, or has no room: none, not ours or not able to send, a full queue, a daily limit, suspended. So
 * no message is taken. Other refusals are about a recipient.
 */
const accountCodes: ReadonlySet<number> = new Set([
  21603, 21606, 21611, 21659, 21660, 21701, 21702, 21704, 21705, 30001, 30002, 63038,
]);

function isAccountCode(code: number): boolean {
  return Math.floor(code / 1000) === 20 || accountCodes.has(code);
}

const lostStatuses: ReadonlySet<unknown> = new Set(['failed', 'undelivered']);

export function createTwilioSender(url: ProviderUrl): Sender {
  const target = `${accountOf(url)}/Messages.json`;
  const from = url.query.from ?? '';
  const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: authorizationOf(url) };
  const send = async ({ to, text }: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> => {
    const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
    const body = new URLSearchParams({ To: to, ...sender, Body: text }).toString();
    const answer = await post({ url: target, headers, body }, signal);
    return answer.kind === 'answered' ? judge(answer) : answer;
  };
  return { name: twilio.name, channel: 'sms', send };
}

function createTwilioCheck(url: ProviderUrl): ProviderCheck {
  return {
    name: twilio.name,
    ask: async (signal) => {
      const answer = await get(`${accountOf(url)}.json`, { authorization: authorizationOf(url) }, signal);
      if ('cause' in answer) return answer;
      const { status } = answer.body;
      if (typeof status !== 'string' || status === 'active') return { isGood: true, detail: 'the account answers' };
      return { isGood: false, cause: `the account is ${status}` };
    },
  };
}

function accountOf(url: ProviderUrl): string {
  return `${originOf(url, 'api.twilio.com')}/2010-04-01/Accounts/${encodeURIComponent(url.id)}`;
}

function authorizationOf({ id, secret }: ProviderUrl): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

export function judge(given: Answer): SendOutcome {
  const { status, text } = given;
  const answer = parseObject(text);
  if (status >= 200 && status < 300) {
    const isTaken = status === 201 && typeof answer?.sid === 'string' && !lostStatuses.has(answer.status);
    return isTaken ? { kind: 'accepted' } : { kind: 'doubtful', error: `HTTP ${status} without a message` };
  }
  const code = answer?.code;
  if (status === 429 || status >= 500 || typeof code !== 'number') return refusedBy(given);
  if (hopelessCodes.has(code)) return { kind: 'hopeless', error: `error ${code}` };
  const isOfAccount = status === 401 || status === 403 || isAccountCode(code);
  return { kind: 'refused', error: `error ${code}`, ...(!isOfAccount && { isOfRecipient: true }) };
}
