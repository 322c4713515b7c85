// Reads the body of an upload chunk by chunk, and refuses a client that stalls, sends too slowly or never ends.
import type { IncomingMessage } from 'node:http';
import { longestOf, type UploadTimes } from '../../files/upload-times.ts';
import { Failure } from '../../kernel/failure.ts';
import { watchFraming } from '../server/body-framing.ts';
import { allowContinue } from '../server/expect-continue.ts';

export type BodyTimes = UploadTimes & {
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
};

/** `mostBytes` is the allowed size of the body. The smaller of it and the declared length sets the longest duration. */
export async function* bodyOf(request: IncomingMessage, mostBytes: number, times: BodyTimes): AsyncIterable<Buffer> {
  allowContinue(request);
  const { now = () => performance.now() } = times;
  const chunks = request[Symbol.asyncIterator]();
  const idle = createIdleWait(times.idleMilliseconds);
  const isTooSlow = createPace(times);
  const isTooFine = watchFraming(request);
  const end = now() + longestOf(times, Math.min(mostBytes, declaredBytes(request)));
  let waited = 0;
  let taken = 0;
  try {
    for (;;) {
      const waitStart = now();
      const next = await idle.wait(chunks.next()).catch(toFailure);
      if (next.done === true) {
        if (!request.complete) throw new Failure('FILE_INCOMPLETE');
        return;
      }
      const chunk = withBuffered(next.value as Buffer, request);
      const arrival = now();
      // Only the time spent waiting for the client counts, not the time of our own disk.
      waited += arrival - waitStart;
      taken += chunk.length;
      if (isTooFine(taken)) throw new Failure('FILE_MALFORMED');
      if (isTooSlow(waited, chunk.length) || arrival > end) throw tooSlow();
      yield chunk;
    }
  } finally {
    idle.end();
  }
}

/** One timer for all waits of a body: a large body has thousands of them. */
function createIdleWait(milliseconds: number) {
  let giveUp: (reason: Failure) => void = () => undefined;
  const timer = setTimeout(() => giveUp(tooSlow()), milliseconds);
  return {
    wait: <T>(work: Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        giveUp = reject;
        timer.refresh();
        work.then(resolve, reject);
      }),
    end: () => clearTimeout(timer),
  };
}

/** Adds all buffered bytes: each chunk costs one write, and a client may send chunks of one byte. */
function withBuffered(chunk: Buffer, request: IncomingMessage): Buffer {
  const rest = request.readableLength > 0 ? (request.read(request.readableLength) as Buffer | null) : null;
  return rest === null ? chunk : Buffer.concat([chunk, rest]);
}

function tooSlow(): Failure {
  return new Failure('REQUEST_TIMEOUT');
}

/** Any other error means that the client is gone. */
export function toFailure(error: unknown): never {
  throw error instanceof Failure ? error : new Failure('FILE_INCOMPLETE');
}

export function declaredBytes({ headers }: IncomingMessage): number {
  return Number(headers?.['content-length'] ?? Number.POSITIVE_INFINITY);
}

/** Counts the bytes of the last `paceMilliseconds` in sixty steps. No client is too slow before the first period has passed. */
function createPace({ paceMilliseconds, slowestBytesPerSecond }: UploadTimes) {
  const requiredBytes = (paceMilliseconds / 1000) * slowestBytesPerSecond;
  const marks: { at: number; bytes: number }[] = [];
  let recentBytes = 0;
  return (at: number, bytes: number): boolean => {
    const last = marks.at(-1);
    recentBytes += bytes;
    if (last !== undefined && at - last.at < paceMilliseconds / 60) last.bytes += bytes;
    else marks.push({ at, bytes });
    while ((marks[0]?.at ?? at) < at - paceMilliseconds) recentBytes -= marks.shift()?.bytes ?? 0;
    return at > paceMilliseconds && recentBytes < requiredBytes;
  };
}
