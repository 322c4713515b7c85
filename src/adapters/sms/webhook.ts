// Hands an SMS to the operator's own HTTP endpoint, signed as Standard Webhooks asks.
import { Webhook } from 'standardwebhooks';
import type { ProviderUrl } from '../../kernel/provider-url.ts';
import type { OutgoingMessage, Sender, SendOutcome } from '../../messages/sender.ts';
import { type Answer, post, refusedBy } from './post.ts';

const hopelessStatuses: ReadonlySet<number> = new Set([400, 404, 410, 422]);

export function createWebhookSender(url: ProviderUrl, secret: string | undefined): Sender {
  const target = targetOf(url);
  const key = keyOf(url, secret);
  const webhook = key === undefined ? undefined : createWebhook(key);
  const send = async ({ id, to, text }: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> => {
    const body = JSON.stringify({ id, channel: 'sms', to, text });
    const signature = webhook === undefined ? {} : sign(webhook, id, body);
    const headers = { 'content-type': 'application/json', 'idempotency-key': id, ...signature };
    const answer = await post({ url: target, headers, body }, signal);
    return answer.kind === 'answered' ? judge(answer) : answer;
  };
  return { name: 'webhook', channel: 'sms', send };
}

/** `tls=off` was said to us, all else is said to the endpoint. */
function targetOf({ scheme, host, path, query }: ProviderUrl): string {
  const said = Object.entries(query).filter(([name, value]) => name !== 'tls' || value !== 'off');
  const pairs = said.map((pair) => pair.map(encodeURIComponent).join('='));
  return `${scheme.slice(scheme.indexOf('+') + 1)}://${host}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

/** The userinfo is the key; a colon in it is part of the key. */
function keyOf(url: ProviderUrl, secret: string | undefined): string | undefined {
  if (url.id !== '') return url.secret === '' ? url.id : `${url.id}:${url.secret}`;
  return secret === '' ? undefined : secret;
}

/** `whsec_` and valid base64: the decoded bytes are the key, as the standard has it. Any other text: its UTF-8 bytes, prefix included. */
function createWebhook(key: string): Webhook {
  if (key.startsWith('whsec_')) {
    try {
      return new Webhook(key);
    } catch {}
  }
  return new Webhook(new TextEncoder().encode(key), { format: 'raw' });
}

function sign(webhook: Webhook, id: string, body: string): Record<string, string> {
  const now = new Date();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': webhook.sign(id, now, body),
  };
}

function judge({ status }: Answer): SendOutcome {
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  return hopelessStatuses.has(status) ? { kind: 'hopeless', error: `HTTP ${status}` } : refusedBy(status);
}
