// Sends an SMS through Vonage's SMS interface, which answers 200 even when it refuses.

import type { ProviderUrl } from '../../kernel/provider-url.ts';
import type { OutgoingMessage, Sender, SendOutcome } from '../../messages/sender.ts';
import { type Answer, originOf, parseObject, post, refusedBy } from './post.ts';

/** Invalid parameter, invalid message, number barred, sender address refused, number not allowed. */
const hopelessStatuses: ReadonlySet<string> = new Set(['3', '6', '7', '15', '29']);

/** 3GPP TS 23.038, 6.2.1, with the extension table: anything else arrives as question marks unless sent as unicode. */
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
  return { name: 'vonage', channel: 'sms', send };
}

function judge({ status, text }: Answer): SendOutcome {
  if (status < 200 || status >= 300) return refusedBy(status);
  const statuses = readStatuses(text);
  const [first] = statuses;
  if (first === undefined || !statuses.every((part) => /^\d+$/.test(part))) {
    return { kind: 'doubtful', error: `HTTP ${status} without a status` };
  }
  if (statuses.every((part) => part === '0')) return { kind: 'accepted' };
  // Some parts of a long message went out: the person has half of it.
  if (statuses.includes('0')) return { kind: 'doubtful', error: 'sent in part' };
  return { kind: hopelessStatuses.has(first) ? 'hopeless' : 'refused', error: `status ${first}` };
}

function readStatuses(text: string): string[] {
  const messages = parseObject(text)?.messages;
  if (!Array.isArray(messages)) return [];
  return messages.map((part: unknown) =>
    typeof part === 'object' && part !== null && 'status' in part ? String(part.status) : '',
  );
}
