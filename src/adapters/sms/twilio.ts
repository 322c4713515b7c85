// Sends an SMS through Twilio's Programmable Messaging.

import type { ProviderUrl } from '../../kernel/provider-url.ts';
import type { OutgoingMessage, Sender, SendOutcome } from '../../messages/sender.ts';
import { type Answer, originOf, parseObject, post, refusedBy } from './post.ts';

/** Not a number, not a mobile one, a country that is not served, opted out, unreachable by this sender. */
const hopelessCodes: ReadonlySet<unknown> = new Set([21211, 21614, 21408, 21610, 21612]);

const lostStatuses: ReadonlySet<unknown> = new Set(['failed', 'undelivered']);

export function createTwilioSender(url: ProviderUrl): Sender {
  const { id, secret, query } = url;
  const target = `${originOf(url, 'api.twilio.com')}/2010-04-01/Accounts/${encodeURIComponent(id)}/Messages.json`;
  const from = query.from ?? '';
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  };
  const send = async ({ to, text }: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> => {
    const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
    const body = new URLSearchParams({ To: to, ...sender, Body: text }).toString();
    const answer = await post({ url: target, headers, body }, signal);
    return answer.kind === 'answered' ? judge(answer) : answer;
  };
  return { name: 'twilio', channel: 'sms', send };
}

function judge({ status, text }: Answer): SendOutcome {
  const answer = parseObject(text);
  if (status >= 200 && status < 300) {
    const isTaken = status === 201 && typeof answer?.sid === 'string' && !lostStatuses.has(answer.status);
    return isTaken ? { kind: 'accepted' } : { kind: 'doubtful', error: `HTTP ${status} without a message` };
  }
  const code = answer?.code;
  if (status === 429 || status >= 500 || typeof code !== 'number') return refusedBy(status);
  return { kind: hopelessCodes.has(code) ? 'hopeless' : 'refused', error: `error ${code}` };
}
