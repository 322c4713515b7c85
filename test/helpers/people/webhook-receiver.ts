// An app's webhook receiver for tests: verifies every event with the library, records it, and answers as configured.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

export type ReceivedEvent = {
  readonly id: string;
  readonly path: string;
  readonly type: string;
  readonly version: number;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly signature: string;
  readonly secondsOld: number;
};

/** A status, a status with a header, or: never answers, answers after `release`, or takes the event and closes the connection. */
type ReceiverAnswer =
  | number
  | 'silence'
  | 'hold'
  | 'cut'
  | { readonly status: number; readonly headers: Record<string, string> };

export type WebhookReceiver = {
  readonly received: ReceivedEvent[];
  /** Why an event was not accepted. */
  readonly refused: string[];
  url(path?: string): string;
  /** Accepts every event that was held. */
  release(): void;
  answer(answer: ReceiverAnswer | ((event: ReceivedEvent) => ReceiverAnswer)): void;
  /** Waits until that many events match. */
  expect(count: number, fits?: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent[]>;
};

export function newSigningKey(): string {
  return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
}

/** The headers of a webhook that is sent now, signed as the standard says. */
export function signWebhook(secret: string, id: string, body: string, at = new Date()): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

/** Accepts events that one of the keys has signed. */
export function setWebhookReceiver(secret: string): WebhookReceiver {
  const received: ReceivedEvent[] = [];
  const refused: string[] = [];
  const webhook = new Webhook(secret);
  const held: (() => void)[] = [];
  let answerTo: (event: ReceivedEvent) => ReceiverAnswer = () => 204;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    try {
      const body = webhook.verify(text, headers) as Omit<ReceivedEvent, 'path' | 'text' | 'signature' | 'secondsOld'>;
      if (body.id !== headers['webhook-id']) throw new Error('two ids');
      const event = {
        ...body,
        path: request.url ?? '',
        text,
        signature: headers['webhook-signature'] ?? '',
        secondsOld: Date.now() / 1000 - Number(headers['webhook-timestamp']),
      };
      const answer = answerTo(event);
      received.push(event);
      if (answer === 'cut') request.socket.destroy();
      else if (answer === 'hold') held.push(() => response.writeHead(204).end());
      else if (typeof answer === 'object') response.writeHead(answer.status, answer.headers).end();
      else if (answer !== 'silence') response.writeHead(answer).end();
    } catch (error) {
      refused.push(String(error));
      response.writeHead(401).end();
    }
  });
  before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    received,
    refused,
    url: (path = '/hooks') => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    release: () => {
      for (const accept of held.splice(0)) accept();
    },
    answer: (answer) => {
      answerTo = typeof answer === 'function' ? answer : () => answer;
    },
    expect: async (count, fits = () => true) => {
      for (let round = 0; round < 12_000 && received.filter(fits).length < count; round++) await sleep(5);
      return received.filter(fits);
    },
  };
}
