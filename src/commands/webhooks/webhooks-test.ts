// The command `webhooks test`: sends one signed test event to every endpoint and shows the answers.

import { writeTestWebhook } from '../../backend/webhooks/webhook-event.ts';
import { newId } from '../../kernel/crypto/random.ts';
import { chooseWebhooks } from '../../service/choose-webhooks.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { writeTable } from '../write-text.ts';

const sendMilliseconds = 10_000;

export const webhooksTest: Command<'webhooks test'> = async (context) => {
  const endpoints = await chooseWebhooks(context.config().webhooks);
  if (endpoints.length === 0) throw new CommandError('WEBHOOK_URL is not set: there is no URL to send events to.');
  const id = newId();
  const payload = writeTestWebhook(id, Date.now());
  const answers = await Promise.all(
    endpoints.map(async ({ host, post }) => {
      const begun = performance.now();
      const outcome = await post(id, payload, AbortSignal.timeout(sendMilliseconds));
      const answer = outcome.kind === 'delivered' ? `HTTP ${outcome.status}` : outcome.error;
      return { host, delivered: outcome.kind === 'delivered', answer, ms: Math.round(performance.now() - begun) };
    }),
  );
  const rows = answers.map((one) => [
    one.host,
    one.delivered ? 'accepted' : 'not accepted',
    one.answer,
    `${one.ms} ms`,
  ]);
  context.show({ id, type: 'webhook.test', endpoints: answers }, writeTable(['to', 'event', 'answer', 'time'], rows));
  const failed = answers.filter(({ delivered }) => !delivered);
  for (const { answer } of failed) context.say(adviceOn(answer));
  return failed.length === 0 ? 0 : 1;
};

export function adviceOn(answer: string): string {
  if (/^HTTP 3/.test(answer)) return 'Redirects are not followed: set WEBHOOK_URL to their target.';
  if (/^HTTP 40[13]/.test(answer))
    return 'The receiver refused the event: does it verify with the same WEBHOOK_SECRET?';
  if (/^HTTP/.test(answer)) return 'Any 2xx status counts as accepted; everything else is retried for two days.';
  return 'The endpoint did not answer: check the URL, DNS, the certificate and the firewall.';
}
