// An SMS provider of an operator: an HTTP endpoint that sends what it accepts, and misbehaves on demand.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Phones } from './phones.ts';

export type SmsMood =
  | 'good'
  /** Never answers, and sends nothing. */
  | 'hangs'
  /** Sends at once, and its answer never comes. */
  | 'mute'
  /** Sends and answers 30 s later, whether or not somebody still waits for the answer. */
  | 'slow'
  /** Says 200 with a page of somebody else, and sends nothing. */
  | 'page'
  | { readonly status: number; readonly retryAfter?: number };

export type SmsProvider = {
  readonly port: number;
  mood: SmsMood;
  /** Messages that it will send late. */
  readonly late: number;
  close(): Promise<void>;
};

export async function openSmsProvider(name: string, phones: Phones): Promise<SmsProvider> {
  const provider = { mood: 'good' as SmsMood, late: 0 };
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { mood } = provider;
    const { id, to, text } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Record<string, string>;
    const send = () => phones.receive({ id: id ?? '', to: to ?? '', text: text ?? '', by: name });
    if (typeof mood === 'object') {
      const wait = mood.retryAfter === undefined ? {} : { 'retry-after': String(mood.retryAfter) };
      return response.writeHead(mood.status, wait).end();
    }
    const moods: Record<Extract<SmsMood, string>, () => unknown> = {
      good: () => {
        send();
        response.writeHead(200).end();
      },
      hangs: () => undefined,
      mute: send,
      slow: () => {
        provider.late += 1;
        setTimeout(() => {
          provider.late -= 1;
          send();
          response.writeHead(200).end();
        }, 30_000).unref();
      },
      page: () => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>'),
    };
    return moods[mood]();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(provider, {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
