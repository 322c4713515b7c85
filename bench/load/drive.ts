// The load generator: a number of connections, each of which sends its next request when the last answer is complete and correct.
import { connect, type Socket } from 'node:net';

/** Returns the bytes of the next request of a connection, or undefined if there is none. */
type Ask = () => Buffer | string | undefined;

/** Gets every answer, and throws if it is wrong. */
export type Check = (status: number, body: Buffer, head: string) => void;

export type Caller = { readonly ask: Ask; readonly check: Check };

export type Figures = {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly bytes: number;
};

type Load = {
  readonly host: string;
  readonly port: number;
  readonly callers: readonly Caller[];
  readonly seconds: number;
  /** Requests in this time are not measured. */
  readonly warmUpSeconds?: number;
};

/** Ends when the time is over or no caller has another request. A wrong answer ends it with an error. */
export async function drive({ host, port, callers, seconds, warmUpSeconds = 0 }: Load): Promise<Figures> {
  const begin = performance.now();
  const measureFrom = begin + warmUpSeconds * 1000;
  const until = measureFrom + seconds * 1000;
  const times: number[] = [];
  let bytes = 0;
  let last = begin;
  const note = (sentAt: number, size: number) => {
    const now = performance.now();
    last = now;
    if (sentAt < measureFrom) return;
    times.push(now - sentAt);
    bytes += size;
  };
  await Promise.all(callers.map((caller) => runCaller(host, port, caller, until, note)));
  // Up to the last answer: requests in progress at the end are counted, and so is their time.
  const took = (last - measureFrom) / 1000;
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return {
    requests: times.length,
    seconds: took,
    perSecond: times.length / took,
    p50: at(0.5),
    p99: at(0.99),
    bytes,
  };
}

function runCaller(
  host: string,
  port: number,
  { ask, check }: Caller,
  until: number,
  note: (sentAt: number, size: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    let sentAt = 0;
    const answer = createAnswerReader();
    const send = () => {
      const request = performance.now() < until ? ask() : undefined;
      if (request === undefined) return finish(socket, resolve);
      sentAt = performance.now();
      socket.write(request);
    };
    socket.once('connect', send);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.on('data', (chunk: Buffer) => {
      try {
        const whole = answer(chunk);
        if (whole === undefined) return;
        note(sentAt, whole.size);
        check(whole.status, whole.body, whole.head);
        send();
      } catch (error) {
        socket.destroy();
        reject(error as Error);
      }
    });
  });
}

function finish(socket: Socket, resolve: () => void): void {
  socket.removeAllListeners('close');
  socket.destroy();
  resolve();
}

type Answer = { readonly status: number; readonly head: string; readonly body: Buffer; readonly size: number };

/** Of longer bodies only the length is counted. */
const keptBytes = 1024 * 1024;

/** One answer at a time, by content-length or in chunks. */
function createAnswerReader(): (chunk: Buffer) => Answer | undefined {
  let pending: Buffer = Buffer.alloc(0);
  let head = '';
  let length = -1;
  let received = 0;
  return (chunk) => {
    if (head === '') {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const end = pending.indexOf('\r\n\r\n');
      if (end < 0) return undefined;
      head = pending.toString('latin1', 0, end);
      pending = pending.subarray(end + 4);
      received = pending.length;
      const declared = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      length = declared === undefined ? -1 : Number(declared);
    } else {
      received += chunk.length;
      if (length < 0 || received <= keptBytes) pending = Buffer.concat([pending, chunk]);
    }
    const isWhole = length >= 0 ? received >= length : isLastChunk(head, pending);
    if (!isWhole) return undefined;
    const answer = { status: Number(head.slice(9, 12)), head, body: pending, size: received };
    pending = Buffer.alloc(0);
    head = '';
    return answer;
  };
}

function isLastChunk(head: string, body: Buffer): boolean {
  if (/^HTTP\/1\.1 (204|304)/.test(head)) return true;
  return body.subarray(-5).equals(Buffer.from('0\r\n\r\n'));
}

/** A request as text, for callers that build it once. */
export function request(line: string, host: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const all = { host, ...headers, ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
