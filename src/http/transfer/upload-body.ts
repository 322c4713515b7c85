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
  const isTooSlow = createPace(times);
  const isTooFine = watchFraming(request);
  const end = now() + longestOf(times, Math.min(mostBytes, declaredBytes(request)));
  const chunks = listen(request, times.idleMilliseconds);
  let waited = 0;
  try {
    for (;;) {
      const waitStart = now();
      const chunk = chunks.take() ?? (await chunks.next());
      if (chunk === undefined) {
        if (!request.complete) throw cutShort();
        return;
      }
      const arrival = now();
      // Only the time spent waiting for the client counts, not the time of our own disk.
      waited += arrival - waitStart;
      if (isTooFine(chunks.arrived)) throw new Failure('FILE_MALFORMED');
      if (isTooSlow(waited, chunk.length) || arrival > end) throw tooSlow();
      yield chunk;
    }
  } finally {
    chunks.end();
  }
}

/** Read ahead while a chunk is processed. A socket gives at most 64 KiB at once. */
const aheadBytes = 128 * 1024;
/** A chunk of one byte takes two hundred bytes of memory. */
const aheadChunks = 4096;
/** Larger chunks are taken one by one, as they are. */
const smallBytes = 16 * 1024;

/** By events: the iterator of a stream needs several promises for each chunk. */
function listen(request: IncomingMessage, idleMilliseconds: number) {
  let waiting: Buffer[] = [];
  let [ahead, arrived] = [0, 0];
  let [isOver, isWaiting] = [request.readableEnded, false];
  let failure = request.destroyed && !isOver ? cutShort : undefined;
  let wake: () => void = () => undefined;
  const isFull = () => ahead >= aheadBytes || waiting.length >= aheadChunks;
  const onData = (chunk: Buffer) => {
    waiting.push(chunk);
    ahead += chunk.length;
    arrived += chunk.length;
    if (isFull()) request.pause();
    wake();
  };
  // Made only if it is thrown: every request closes in the end.
  const fail = (reason: () => Failure) => {
    failure ??= reason;
    wake();
  };
  const onEnd = () => {
    isOver = true;
    wake();
  };
  // The client is gone, unless the body has ended before.
  const onCut = () => fail(cutShort);
  // One timer for all waits of a body: a large body has thousands of them.
  const timer = setTimeout(() => isWaiting && fail(tooSlow), idleMilliseconds);
  request.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);

  /** Undefined if nothing waits. Joins small chunks: each may cost a write, and a client may send chunks of one byte. */
  function take(): Buffer | undefined {
    const [first] = waiting;
    if (first === undefined) return undefined;
    const isAlone = waiting.length === 1 || first.length > smallBytes;
    const taken = isAlone ? first : Buffer.concat(waiting);
    waiting = isAlone ? waiting.slice(1) : [];
    ahead -= taken.length;
    if (!isFull() && request.isPaused()) request.resume();
    return taken;
  }

  return {
    /** All bytes, also those that were not taken yet. */
    get arrived() {
      return arrived;
    },
    take,
    /** Undefined at the end of the body. */
    next: async (): Promise<Buffer | undefined> => {
      timer.refresh();
      isWaiting = true;
      while (waiting.length === 0 && !isOver) {
        if (failure !== undefined) throw failure();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isWaiting = false;
      return take();
    },
    /** Stops reading. */
    end: () => {
      clearTimeout(timer);
      // An error may still be on its way, and would end the process if nobody listened.
      request.off('data', onData).off('end', onEnd).off('close', onCut);
      if (!isOver) request.pause();
    },
  };
}

function cutShort(): Failure {
  return new Failure('FILE_INCOMPLETE');
}

function tooSlow(): Failure {
  return new Failure('REQUEST_TIMEOUT');
}

/** Any other error means that the client is gone. */
export function toFailure(error: unknown): never {
  throw error instanceof Failure ? error : cutShort();
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
