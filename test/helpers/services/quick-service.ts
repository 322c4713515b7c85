// A service in the test's process for many small calls: one connection, a clock in milliseconds, and messages as they are sent.
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { type Config, readConfig } from '../../../src/config/config.ts';
import { createService, type Service, type ServiceOptions } from '../../../src/service/service.ts';
import { createPorts } from '../../../src/store/ports.ts';
import { type Envelope, readEnvelope } from '../requests/api.ts';
import { waitUntil } from '../wait-until.ts';
import type { TestEnv } from './gatehouse.ts';

/** A message as its recipient sees it. */
export type Letter = { readonly id: string; readonly to: string; readonly text: string; readonly subject?: string };

/** More than the service sends between two looks at its messages. */
const mostLetters = 50;

/** `open` gives each start another store than that of `env`. */
export async function startService(env: TestEnv, open?: (config: Config) => ServiceOptions['store']) {
  let time = Date.now();
  const clock = { now: () => time };
  let letters: Letter[] = [];
  const announced = new Set<string>();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let service: Service | undefined;
  const start = async () => {
    const result = readConfig(env);
    if ('problems' in result) throw new Error(JSON.stringify(result.problems));
    const announce = (letter: Letter) => {
      letters.push(letter);
      announced.add(letter.id);
    };
    const store = open?.(result.config);
    const times = { loops: { phoneChangeMilliseconds: 20 } };
    service = await createService(result.config, { clock, announce, times, ...(store && { store }) });
    await service.server.listen({ host: '127.0.0.1', port: Number(env.PORT) });
  };
  const stop = async () => {
    agent.destroy();
    service?.beginStop();
    service?.server.server.closeAllConnections();
    await service?.server.close();
    await service?.end();
  };
  await start();
  return {
    clock,
    pass: (milliseconds: number): void => {
      time += milliseconds;
    },
    stop,
    call: (method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Said> =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? undefined : JSON.stringify(body);
        const type =
          text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(text.length) };
        const options = {
          agent,
          method,
          host: '127.0.0.1',
          port: env.PORT,
          path: `/api/auth/${path}`,
          headers: { ...headers, ...type },
        };
        request(options, (response) => resolve(readSaid(response)))
          .once('error', reject)
          .end(text);
      }),
    restart: async () => {
      await stop();
      await start();
    },
    /** Waits until every scheduled change of a number that is due has taken effect. */
    applyChanges: async (): Promise<void> => {
      const { scheduledPhones } = createPorts(service?.store ?? fail());
      const isDue = () => scheduledPhones.countDuePhoneChanges({ now: time, most: 1 });
      await waitUntil('changes that are due', async () => (await isDue()) === 0, 5);
    },
    /** The messages since the last call, when no message is left to send or to drop. */
    takeLetters: async (): Promise<Letter[]> => {
      const { outbox, inbox } = createPorts(service?.store ?? fail());
      await waitUntil('an empty outbox', async () => (await outbox.measure()).waiting === 0, 1);
      // The commit that takes a message out of the outbox keeps it in the inbox. It is announced when the service knows of that commit,
      // and another connection to the database may see it earlier.
      const kept = await inbox.list({ to: undefined, most: mostLetters });
      await waitUntil('the last announcement', () => kept.every(({ id }) => announced.has(id)), 1);
      const taken = letters;
      letters = [];
      return taken;
    },
  };
}

function fail(): never {
  throw new Error('the service is not up');
}

/** A short form of an answer: status and code, data, and headers. */
export type Said = {
  readonly verdict: string;
  readonly data: Envelope['data'];
  readonly headers: IncomingHttpHeaders;
};

async function readSaid(response: IncomingMessage): Promise<Said> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  const { codeError, data } = readEnvelope(text);
  const verdict = codeError === null ? `${response.statusCode}` : `${response.statusCode} ${codeError}`;
  return { verdict, data, headers: response.headers };
}

export type QuickService = Awaited<ReturnType<typeof startService>>;
