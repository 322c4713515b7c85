// The webhook receiver: takes an event only if Gatehouse has signed it, and answers after the event has been applied.
import type { IncomingMessage } from 'node:http';
import { verifyWebhook } from '@gatehouse/client/service';
import type { ApplyEvent } from './apply-event.ts';
import { readBody } from './read-body.ts';

/** Gatehouse repeats an event until the answer is 204. A wrong signature or an old one throws, with status 400. */
export function createReceiver(secret: string, apply: ApplyEvent) {
  return async (request: IncomingMessage): Promise<void> =>
    apply(await verifyWebhook(request.headers, await readBody(request), { secret }));
}
