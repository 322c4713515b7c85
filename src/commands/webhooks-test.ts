// The command `webhooks test`: posts one signed event about nobody to every endpoint and tells what came back.
import { chooseWebhooks } from '../app/choose-webhooks.ts';
import { newId } from '../kernel/random.ts';
import { writeTestWebhook } from '../webhooks/webhook-event.ts';
import { CommandError } from './command-error.ts';
import type { Verb } from './operator-context.ts';
import { writeTable } from './write-text.ts';

const sendMilliseconds = 10_000;

export const webhooksTest: Verb = async (context) => {
  const endpoints = await chooseWebhooks(context.config().webhooks);
  if (endpoints.length === 0) throw new CommandError('WEBHOOK_URL is not set: there is nobody to tell.');
  const id = newId();
  const payload = writeTestWebhook(id, Date.now());
  const answers = await Promise.all(
    endpoints.map(async ({ host, post }) => {
      const begun = performance.now();
      const outcome = await post(id, payload, AbortSignal.timeout(sendMilliseconds));
      const said = outcome.kind === 'delivered' ? `HTTP ${outcome.status}` : outcome.error;
      return { host, delivered: outcome.kind === 'delivered', answer: said, ms: Math.round(performance.now() - begun) };
    }),
  );
  const rows = answers.map((one) => [one.host, one.delivered ? 'taken' : 'not taken', one.answer, `${one.ms} ms`]);
  context.show({ id, type: 'webhook.test', endpoints: answers }, writeTable(['to', 'event', 'answer', 'time'], rows));
  const failed = answers.filter(({ delivered }) => !delivered);
  for (const { answer } of failed) context.say(adviceOn(answer));
  return failed.length === 0 ? 0 : 1;
};

function adviceOn(answer: string): string {
  if (/^HTTP 3/.test(answer)) return 'Redirects are not followed: set WEBHOOK_URL to where they lead.';
  if (/^HTTP 40[13]/.test(answer)) return 'The receiver refused it: does it verify with the same WEBHOOK_SECRET?';
  if (/^HTTP/.test(answer)) return 'Any 2xx counts as taken; everything else is tried again for two days.';
  return 'Nobody answered there: check the address, the name, the certificate and the firewall.';
}
