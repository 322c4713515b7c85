// An operator's SMS endpoint for tests: records every delivery and answers as configured.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

export type RecordedSms = { id: string; channel: string; to: string; text: string; key: string };

/** A status, or: never answers, accepts after `release`, takes the message and closes the connection, or asks to wait two seconds. */
export type RecorderAnswer = number | 'silence' | 'hold' | 'cut' | 'busy';

export type SmsRecorder = {
  readonly received: RecordedSms[];
  /** Accepts every message that was held. */
  release(): void;
  /** For SMS_URL. */
  readonly url: string;
  /** The answer from now on. It is 200 by default. */
  answer(status: RecorderAnswer | ((sms: RecordedSms) => RecorderAnswer)): void;
  to(phone: string): RecordedSms[];
  /** Waits for that many deliveries to a phone. */
  expect(phone: string, count: number): Promise<RecordedSms[]>;
};

export function setSmsRecorder(): SmsRecorder {
  const received: RecordedSms[] = [];
  const held: (() => void)[] = [];
  let answerTo: (sms: RecordedSms) => RecorderAnswer = () => 200;
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const sms = { ...JSON.parse(await readText(request)), key: String(request.headers['idempotency-key']) };
    const answer = answerTo(sms);
    received.push(sms);
    if (answer === 'cut') request.socket.destroy();
    else if (answer === 'hold') held.push(() => response.writeHead(200).end());
    else if (answer === 'busy') response.writeHead(429, { 'retry-after': '2' }).end();
    else if (answer !== 'silence') response.writeHead(answer).end();
  });
  before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const to = (phone: string) => received.filter((sms) => sms.to === phone);
  return {
    received,
    to,
    release: () => {
      for (const accept of held.splice(0)) accept();
    },
    get url() {
      return `webhook+http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`;
    },
    answer: (answer) => {
      answerTo = typeof answer === 'function' ? answer : () => answer;
    },
    expect: async (phone, count) => {
      for (let round = 0; round < 12_000 && to(phone).length < count; round++) await sleep(5);
      return to(phone);
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
