// The body of an upload, chunk by chunk: a client that stops, drips or never ends is told so instead of being waited for.
import type { IncomingMessage } from 'node:http';
import { longestOf, type UploadTimes } from '../../files/upload-times.ts';
import { waitFor } from '../../kernel/deadline.ts';
import { Failure } from '../../kernel/failure.ts';
import { watchFraming } from '../server/body-framing.ts';
import { allowContinue } from '../server/expect-continue.ts';

export type BodyTimes = UploadTimes & {
  /** Milliseconds that only go forward. */
  readonly now?: () => number;
};

/** `mostBytes`: what the body may hold; its declared length, where that is less. */
export async function* bodyOf(request: IncomingMessage, mostBytes: number, times: BodyTimes): AsyncIterable<Buffer> {
  allowContinue(request);
  const { now = () => performance.now(), idleMilliseconds: milliseconds } = times;
  const chunks = request[Symbol.asyncIterator]();
  const isTooSlow = createPace(times);
  const isTooFine = watchFraming(request);
  const end = now() + longestOf(times, Math.min(mostBytes, declaredBytes(request)));
  let waited = 0;
  let taken = 0;
  for (;;) {
    const begin = now();
    const next = await waitFor(chunks.next(), { milliseconds, late: tooSlow }).catch(toFailure);
    if (next.done === true) {
      if (!request.complete) throw new Failure('FILE_INCOMPLETE');
      return;
    }
    const chunk = withBuffered(next.value as Buffer, request);
    // Only what the client makes us wait for counts against it, never the time that our own disk takes.
    waited += now() - begin;
    taken += chunk.length;
    if (isTooFine(taken)) throw new Failure('FILE_MALFORMED');
    if (isTooSlow(waited, chunk.length) || now() > end) throw tooSlow();
    yield chunk;
  }
}

/** All that has come: each chunk costs a write, and a client may send a byte in each. */
function withBuffered(chunk: Buffer, request: IncomingMessage): Buffer {
  const rest = request.readableLength > 0 ? (request.read(request.readableLength) as Buffer | null) : null;
  return rest === null ? chunk : Buffer.concat([chunk, rest]);
}

function tooSlow(): Failure {
  return new Failure('REQUEST_TIMEOUT');
}

function toFailure(error: unknown): never {
  throw error instanceof Failure ? error : new Failure('FILE_INCOMPLETE');
}

function declaredBytes({ headers }: IncomingMessage): number {
  return Number(headers?.['content-length'] ?? Number.POSITIVE_INFINITY);
}

/** Bytes over the last stretch, in sixty steps; before the first stretch is over nobody is too slow. */
function createPace({ paceMilliseconds, slowestBytesPerSecond }: UploadTimes) {
  const owed = (paceMilliseconds / 1000) * slowestBytesPerSecond;
  const marks: { at: number; bytes: number }[] = [];
  let held = 0;
  return (at: number, bytes: number): boolean => {
    const last = marks.at(-1);
    held += bytes;
    if (last !== undefined && at - last.at < paceMilliseconds / 60) last.bytes += bytes;
    else marks.push({ at, bytes });
    while ((marks[0]?.at ?? at) < at - paceMilliseconds) held -= marks.shift()?.bytes ?? 0;
    return at > paceMilliseconds && held < owed;
  };
}
