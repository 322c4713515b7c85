// Posts a webhook event to an app's URL, signed as in Standard Webhooks, with one signature for each secret.
import { Webhook } from 'standardwebhooks';
import type { PostOutcome, WebhookEndpoint } from '../../backend/webhooks/endpoint.ts';
import { post } from '../sms/post.ts';

type EndpointChoice = { readonly id: string; readonly url: string };

const gone = 410;

export function createHttpEndpoint({ id, url }: EndpointChoice, secrets: readonly string[]): WebhookEndpoint {
  const signers = secrets.map((secret) => new Webhook(secret));
  return {
    id,
    host: new URL(url).host,
    post: async (messageId, payload, signal) => {
      const now = new Date();
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Gatehouse',
        'webhook-id': messageId,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': signers.map((signer) => signer.sign(messageId, now, payload)).join(' '),
      };
      const answer = await post({ url, headers, body: payload }, signal);
      return answer.kind === 'answered' ? judge(answer) : { kind: 'failed', error: answer.error };
    },
  };
}

/** A redirect is a failure, because its target was never configured. */
export function judge({ status, retryAfter }: { status: number; retryAfter: string | undefined }): PostOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  const error = `HTTP ${status}`;
  if (status === gone) return { kind: 'hopeless', error };
  const seconds = Number(retryAfter);
  return { kind: 'failed', error, ...(seconds > 0 && { retryAfterSeconds: seconds }) };
}
