// The SMS provider Vonage: sends an SMS, and checks the balance. Its API answers 200 even if it refuses a message.

import type { ProviderUrl } from '../../kernel/net/provider-url.ts';
import type { SmsProvider } from '../../messages/delivery/message-provider.ts';
import type { ProviderCheck } from '../../messages/delivery/provider-check.ts';
import type { OutgoingMessage, Sender, SendOutcome } from '../../messages/delivery/sender.ts';
import { accountUrl, originOf } from './account-url.ts';
import { get } from './get.ts';
import { type Answer, parseObject, post, refusedBy } from './post.ts';

export const vonage = {
  name: 'vonage',
  schemes: ['vonage'],
  forms: ['vonage://KEY:SECRET@?from=…'],
  ...accountUrl,
  createSender: async (url) => createVonageSender(url),
  createCheck: async (url) => createVonageCheck(url),
} as const satisfies SmsProvider;

/** Invalid parameter, invalid message, number barred, sender address refused, number not allowed. */
const hopelessStatuses: ReadonlySet<string> = new Set(['3', '6', '7', '15', '29']);

/**
 * Missing parameter, wrong credentials, internal error, account barred, no credit, too many connections, not enabled, no connection,
 * wrong signature, signature not allowed: no message is taken. Other refusals are about a recipient.
 */
const accountStatuses: ReadonlySet<string> = new Set(['2', '4', '5', '8', '9', '10', '11', '13', '14', '32']);

/** More messages per second than the account may send. */
const throttled = '1';

/** 3GPP TS 23.038, 6.2.1, with the extension table. Other characters arrive as question marks unless sent as unicode. */
const gsm7 = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà\f^{}\\[~\]|€]*$/;

export function createVonageSender(url: ProviderUrl): Sender {
  const { id, secret, query } = url;
  const target = `${originOf(url, 'rest.nexmo.com')}/sms/json`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const send = async ({ to, text }: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> => {
    const type: Record<string, string> = gsm7.test(text) ? {} : { type: 'unicode' };
    const account = { api_key: id, api_secret: secret };
    const fields = { ...account, to: to.replace(/^\+/, ''), from: query.from ?? '', text, ...type };
    const body = new URLSearchParams(fields).toString();
    const answer = await post({ url: target, headers, body }, signal);
    return answer.kind === 'answered' ? judge(answer) : answer;
  };
  return { name: vonage.name, channel: 'sms', send };
}

function createVonageCheck(url: ProviderUrl): ProviderCheck {
  const query = new URLSearchParams({ api_key: url.id, api_secret: url.secret });
  const balance = `${originOf(url, 'rest.nexmo.com')}/account/get-balance?${query}`;
  return {
    name: vonage.name,
    ask: async (signal) => {
      const answer = await get(balance, {}, signal);
      if ('cause' in answer) return answer;
      const { value } = answer.body;
      if (typeof value !== 'number') return { isGood: true, detail: 'the account answers' };
      if (value <= 0) return { isGood: false, cause: 'the account has no credit' };
      return { isGood: true, detail: `the account has a credit of ${value.toFixed(2)}` };
    },
  };
}

export function judge(answer: Answer): SendOutcome {
  const { status, text } = answer;
  if (status < 200 || status >= 300) return refusedBy(answer);
  const statuses = readStatuses(text);
  const [first] = statuses;
  if (first === undefined || !statuses.every((part) => /^\d+$/.test(part))) {
    return { kind: 'doubtful', error: `HTTP ${status} without a status` };
  }
  if (statuses.every((part) => part === '0')) return { kind: 'accepted' };
  // Vonage sent only some parts of a long message.
  if (statuses.includes('0')) return { kind: 'doubtful', error: 'sent in part' };
  if (first === throttled) return { kind: 'refused', error: `status ${first}`, waitMilliseconds: 1000 };
  if (hopelessStatuses.has(first)) return { kind: 'hopeless', error: `status ${first}` };
  return { kind: 'refused', error: `status ${first}`, ...(!accountStatuses.has(first) && { isOfRecipient: true }) };
}

function readStatuses(text: string): string[] {
  const messages = parseObject(text)?.messages;
  if (!Array.isArray(messages)) return [];
  return messages.map((part: unknown) =>
    typeof part === 'object' && part !== null && 'status' in part ? String(part.status) : '',
  );
}
