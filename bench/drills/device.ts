// An honest client on a device of its own: it keeps its device token, and repeats what got no answer or a 503, with the same token.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';

export type Answer = {
  readonly status: number;
  readonly code: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: answers have data of many shapes
  readonly data: any;
  readonly device: string | undefined;
  readonly retryAfter: number;
  readonly bytes: Buffer;
};

type Call = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

export type Device = {
  readonly ip: string;
  /** One attempt. Undefined if there was no answer. */
  ask(call: Call): Promise<Answer | undefined>;
  /** Repeats until there is an answer other than "not now", or its user has given up. */
  insist(call: Call, goesOn: () => boolean): Promise<Answer | undefined>;
};

export type Service = { readonly port: number; readonly host: string; readonly ledger: Ledger };

/** What an app waits for one answer. */
const patienceMilliseconds = 15_000;
/** Statuses of a service, or of a proxy without one, that mean: not now. */
const passing = new Set([502, 503, 504]);

// The service keeps a connection for 65 s, HAProxy for less. A connection that closes under a request counts as no answer.
const agent = new Agent({ keepAlive: true, timeout: 5000 });
let given = 0;

/** Each device has an IP address of its own, so that limits for an address mean what they mean for users. */
function nextAddress(): string {
  given += 1;
  return `127.${64 + ((given >> 14) & 63)}.${(given >> 7) & 127}.${1 + (given & 127)}`;
}

export function openDevice({ port, host, ledger }: Service, ip = nextAddress()): Device {
  const ask = async (call: Call): Promise<Answer | undefined> => {
    const beganAt = performance.now();
    const answer = await send(port, host, ip, call).catch(() => undefined);
    const seen = { what: `${call.method} ${call.path.replace(/\/file\/.*/, '/file/*')}`, beganAt };
    ledger.calls.push({
      ...seen,
      endedAt: performance.now(),
      status: answer?.status,
      code: answer?.code ?? null,
    });
    return answer;
  };
  return {
    ip,
    ask,
    insist: async (call, goesOn) => {
      for (let attempt = 0; ; attempt++) {
        const answer = await ask(call);
        if (answer !== undefined && !passing.has(answer.status)) return answer;
        if (!goesOn()) return undefined;
        const pause = Math.min(2000, 300 * 2 ** attempt) * (0.5 + Math.random());
        await sleep((answer?.retryAfter ?? 0) * 1000 + pause);
      }
    },
  };
}

function send(port: number, host: string, ip: string, { method, path, headers, body }: Call): Promise<Answer> {
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const kind = Buffer.isBuffer(body) || bytes === undefined ? {} : { 'content-type': 'application/json' };
  const length = bytes === undefined ? {} : { 'content-length': String(bytes.length) };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        localAddress: ip,
        method,
        path,
        headers: { host, 'user-agent': 'drills', ...kind, ...length, ...headers },
        signal: AbortSignal.timeout(patienceMilliseconds),
      },
      (reply) => {
        reply.toArray().then((chunks: Buffer[]) => {
          const whole = Buffer.concat(chunks);
          const isEnvelope = reply.headers['content-type']?.startsWith('application/json') === true;
          // A page of another program is no answer of the service.
          if (!isEnvelope && path.startsWith('/api/')) return reject(new Error('no envelope'));
          const { codeError = null, data = null } = isEnvelope ? JSON.parse(whole.toString()) : {};
          resolve({
            status: reply.statusCode ?? 0,
            code: codeError,
            data,
            device: reply.headers['device-token']?.toString(),
            retryAfter: Number(reply.headers['retry-after'] ?? 0),
            bytes: whole,
          });
        }, reject);
      },
    );
    sent.once('error', reject);
    sent.end(bytes);
  });
}
