// The SMS provider `webhook+https:`: posts each SMS to the operator's endpoint, signed as in Standard Webhooks.
import type { Webhook } from 'standardwebhooks';
import { isElsewhere } from '../../kernel/net/loopback.ts';
import type { UrlProblem } from '../../kernel/net/provider.ts';
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';
import type { SmsProvider } from '../../messages/delivery/message-provider.ts';
import type { ProviderAnswer, ProviderCheck } from '../../messages/delivery/provider-check.ts';
import type { OutgoingMessage, Sender, SendOutcome } from '../../messages/delivery/sender.ts';
import { type Answer, post, reasonOf, refusedBy } from './post.ts';

export const webhook = {
  name: 'webhook',
  schemes: ['webhook+https', 'webhook+http'],
  forms: ['webhook+https://…'],
  note: 'webhook+http:// to another machine requires ?tls=off',
  parameters: undefined,
  bare: 'host',
  isLocalOnly: false,
  isComplete: ({ host }) => URL.canParse(`http://${host}`),
  refuse: refusePlain,
  plainHost: ({ scheme, host }) => (scheme === 'webhook+http' ? host : undefined),
  createSender: (url, { webhookSecret }) => createWebhookSender(url, webhookSecret),
  createCheck: createWebhookCheck,
} as const satisfies SmsProvider;

const hopelessStatuses: ReadonlySet<number> = new Set([400, 404, 410, 422]);

/** Credentials, payment, method, proxy, time-out, too early, too many requests. Any other 4xx is about the message, and so about its recipient. */
const endpointStatuses: ReadonlySet<number> = new Set([401, 402, 403, 405, 407, 408, 425, 429]);

/** Refuses plain HTTP to another machine unless the operator has set `tls=off`. */
function refusePlain({ scheme, host, query }: ProviderUrl): UrlProblem | undefined {
  if (scheme !== 'webhook+http' || query.tls === 'off' || !isElsewhere(host)) return undefined;
  return {
    trouble: `would send codes to ${host} in plain text`,
    cure: 'write webhook+https://…, or add tls=off to the query if the network between is private',
  };
}

export async function createWebhookSender(url: ProviderUrl, secret: string | undefined): Promise<Sender> {
  const target = targetOf(url);
  const key = keyOf(url, secret);
  const signer = key === undefined ? undefined : (await import('./create-signer.ts')).createSigner(key);
  const send = async ({ id, to, text }: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> => {
    const body = JSON.stringify({ id, channel: 'sms', to, text });
    const signature = signer === undefined ? {} : sign(signer, id, body);
    const headers = { 'content-type': 'application/json', 'idempotency-key': id, ...signature };
    const answer = await post({ url: target, headers, body }, signal);
    return answer.kind === 'answered' ? judge(answer) : answer;
  };
  return { name: webhook.name, channel: 'sms', send };
}

/** Only opens a connection, because the endpoint could treat a request as a message. */
async function createWebhookCheck({ scheme, host }: ProviderUrl): Promise<ProviderCheck> {
  const [{ connect, isIP }, { connect: connectSecurely }] = await Promise.all([import('node:net'), import('node:tls')]);
  const isSecure = scheme === 'webhook+https';
  const { hostname, port } = new URL(`${isSecure ? 'https' : 'http'}://${host}`);
  const name = hostname.replace(/^\[|\]$/g, '');
  const place = { host: name, port: port === '' ? (isSecure ? 443 : 80) : Number(port) };
  // A server name is no address (RFC 6066, 3). The certificate is compared with the host in any case.
  const nameSent = isIP(name) === 0 ? { servername: name } : {};
  return {
    name: webhook.name,
    ask: (signal) =>
      new Promise((resolve) => {
        const socket = isSecure ? connectSecurely({ ...place, ...nameSent }) : connect(place);
        const end = (answer: ProviderAnswer) => {
          socket.destroy();
          resolve(answer);
        };
        socket.once(isSecure ? 'secureConnect' : 'connect', () =>
          end({ isGood: true, detail: 'the endpoint accepts connections' }),
        );
        socket.once('error', (error) => end({ isGood: false, cause: reasonOf(new Error('', { cause: error })) }));
        signal.addEventListener('abort', () => end({ isGood: false, cause: 'time-out' }), { once: true });
      }),
  };
}

/** Removes `tls=off` and `rate`, which are for this service. The rest of the query is for the endpoint. */
function targetOf({ scheme, host, path, query }: ProviderUrl): string {
  const passedOn = Object.entries(query).filter(
    ([name, value]) => name !== 'rate' && (name !== 'tls' || value !== 'off'),
  );
  const pairs = passedOn.map((pair) => pair.map(encodeURIComponent).join('='));
  return `${scheme.slice(scheme.indexOf('+') + 1)}://${host}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

/** The userinfo is the key; a colon in it is part of the key. */
function keyOf(url: ProviderUrl, secret: string | undefined): string | undefined {
  if (url.id !== '') return url.secret === '' ? url.id : `${url.id}:${url.secret}`;
  return secret === '' ? undefined : secret;
}

function sign(signer: Webhook, id: string, body: string): Record<string, string> {
  const now = new Date();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signer.sign(id, now, body),
  };
}

export function judge(answer: Answer): SendOutcome {
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  const error = `HTTP ${status}`;
  if (hopelessStatuses.has(status)) return { kind: 'hopeless', error };
  const isOfRecipient = status >= 400 && status < 500 && !endpointStatuses.has(status);
  return isOfRecipient ? { kind: 'refused', error, isOfRecipient } : refusedBy(answer);
}
