// Verifies a webhook of the service: the signature over the raw body, and its time.
import { GatehouseError } from './gatehouse-error.ts';
import type { Event } from './service-types.ts';
import { type RequestHeaders, readHeader } from './verify-request.ts';

export type WebhookOptions = {
  /** The service's WEBHOOK_SECRET: `whsec_…`, or several of them separated by spaces while you change it. Without one, it throws. */
  readonly secret: string | undefined;
  /** The time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
};

/** An older or younger webhook may be a copy that somebody sends again. */
const longestAgeSeconds = 300;

/**
 * Returns the event of a webhook. Pass the body as it was received, not parsed. Throws a GatehouseError with status 400 if the
 * signature is not valid, or if the webhook is older than five minutes.
 * @example
 * import { verifyWebhook } from '@gatehouse/client/service';
 *
 * async function receive(request: Request) {
 *   const secret = process.env.WEBHOOK_SECRET;
 *   const event = await verifyWebhook(request.headers, await request.text(), { secret });
 *   console.log(event.type, event.id);
 * }
 */
export async function verifyWebhook(
  headers: RequestHeaders,
  body: string | Uint8Array,
  { secret, now = Date.now }: WebhookOptions,
): Promise<Event> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('verifyWebhook needs the body as it was received, as text or bytes: do not parse it before');
  const [id, time, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    readHeader(headers, name),
  );
  const isInTime = Math.abs(now() / 1000 - Number(time ?? Number.NaN)) < longestAgeSeconds;
  if (id === undefined || time === undefined || given === undefined || !isInTime) throw invalid();
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${time}.${text}`);
  const signatures = given.split(' ').map((one) => (one.startsWith('v1,') ? bytesOf(one.slice(3)) : undefined));
  for (const one of (secret ?? '').trim().split(/\s+/)) {
    const bytes = bytesOf(one.replace(/^whsec_/, ''));
    if (bytes === undefined || bytes.length === 0)
      throw new TypeError('verifyWebhook needs the secret: whsec_<base64>');
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    // Once for each secret: whoever sends many signatures must not cause work over the whole body for each.
    const right = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
    if (signatures.some((signature) => isSame(signature, right))) return JSON.parse(text) as Event;
  }
  throw invalid();
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Takes the same time wherever the first difference is. */
function isSame(given: Uint8Array | undefined, right: Uint8Array): boolean {
  return (
    given?.length === right.length && right.reduce((found, byte, at) => found | (byte ^ (given[at] ?? 0)), 0) === 0
  );
}

function invalid(): GatehouseError {
  return new GatehouseError({ code: 'REQUEST_INVALID', message: 'The webhook is not authentic.', status: 400 });
}
