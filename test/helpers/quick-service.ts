// A service in the test's process for many small calls: one connection, a clock in milliseconds, and codes as they are sent.
import { Agent, type IncomingMessage, request } from 'node:http';
import { type App, createApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Envelope, readEnvelope } from './api.ts';
import type { TestEnv } from './gatehouse.ts';

/** The service in this process, and the newest code of every phone as its inbox reports it. */
export async function startService(env: TestEnv) {
  let time = Date.now();
  const clock = { now: () => time };
  const waiting = new Map<string, (code: string) => void>();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let app: App | undefined;
  const start = async () => {
    const result = readConfig(env);
    if ('problems' in result) throw new Error(JSON.stringify(result.problems));
    const announce = ({ to, text }: { to: string; text: string }) => waiting.get(to)?.(text.slice(-6));
    app = await createApp(result.config, { clock, announce });
    await app.server.listen({ host: '127.0.0.1', port: Number(env.PORT) });
  };
  const stop = async () => {
    agent.destroy();
    app?.beginStop();
    app?.server.server.closeAllConnections();
    await app?.server.close();
    await app?.end();
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
    /** The code of the next message to a phone. */
    nextCode: (phone: string) => new Promise<string>((resolve) => waiting.set(phone, resolve)),
  };
}

/** A short form of an answer: status, code and data. */
export type Said = { readonly verdict: string; readonly data: Envelope['data']; readonly askToken: string };

async function readSaid(response: IncomingMessage): Promise<Said> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  const { codeError, data } = readEnvelope(text);
  const verdict = codeError === null ? `${response.statusCode}` : `${response.statusCode} ${codeError}`;
  return { verdict, data, askToken: String(response.headers['ask-token'] ?? '') };
}

export type Service = Awaited<ReturnType<typeof startService>>;
