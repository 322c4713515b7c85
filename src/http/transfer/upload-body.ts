// Reads the body of an upload chunk by chunk, and refuses a client that stalls, sends too slowly or never ends.
import type { IncomingMessage } from 'node:http';
import type { Chunks, TakeChunk } from '../../files/spool/chunks.ts';
import { longestOf, type UploadTimes } from '../../files/uploads/upload-times.ts';
import { Failure } from '../../kernel/failure.ts';
import { freeChunk, noteReadBytes } from '../../kernel/process/young-garbage.ts';
import { watchFraming } from '../server/connections/body-framing.ts';
import { allowContinue } from '../server/connections/expect-continue.ts';
import { createPace } from './upload-pace.ts';

export type BodyTimes = UploadTimes & {
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
};

type ReadBody = {
  /** Settles when all chunks were taken, or with the reason why not. */
  readonly read: Promise<void>;
  /** Takes what was read already, and then no more. */
  stop(): void;
  /** Stops reading. */
  end(): void;
};

export type Body = Required<Chunks> & {
  /** Like `each`, but the taker may keep the chunks. */
  give(take: TakeChunk): Promise<void>;
  /** An iteration gives what was read already, and fails unless that was the whole body. */
  stop(): void;
};

/**
 * To be read once. `mostBytes` is the allowed size of the body. The smaller of it and the declared length sets the longest duration.
 */
export function bodyOf(request: IncomingMessage, mostBytes: number, times: BodyTimes): Body {
  let isStopped = false;
  let reading: ReadBody | undefined;
  const open = (take: TakeChunk) => {
    reading = readBody(request, mostBytes, times, take, noteChunk);
    if (isStopped) reading.stop();
    return reading;
  };
  return {
    each: (take) => readBody(request, mostBytes, times, take, freeChunk).read,
    give: (take) => readBody(request, mostBytes, times, take, noteChunk).read,
    [Symbol.asyncIterator]: () => iterate(open),
    stop: () => {
      isStopped = true;
      reading?.stop();
    },
  };
}

function noteChunk({ length }: Buffer): void {
  noteReadBytes(length);
}

/** A chunk counts as taken when the next one is wanted. */
async function* iterate(open: (take: TakeChunk) => ReadBody): AsyncGenerator<Buffer, void> {
  let chunk: Buffer | undefined;
  let isOver = false;
  let wake: () => void = () => undefined;
  let goOn = wake;
  const { read, end } = open((next) => {
    chunk = next;
    wake();
    return new Promise((resolve) => {
      goOn = resolve;
    });
  });
  const over = () => {
    isOver = true;
    wake();
  };
  read.then(over, over);
  try {
    for (;;) {
      if (chunk === undefined && !isOver)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (chunk === undefined) return await read;
      const taken = chunk;
      chunk = undefined;
      yield taken;
      goOn();
    }
  } finally {
    end();
  }
}

/** Read ahead while a chunk is processed. A socket gives at most 64 KiB at once. */
const aheadBytes = 128 * 1024;
/** A chunk of one byte takes two hundred bytes of memory. */
const aheadChunks = 4096;
/** Larger chunks are taken one by one, as they are. */
const smallBytes = 16 * 1024;

/** By events, and a chunk is taken in the event that brings it: an iterator needs several promises for each. */
function readBody(
  request: IncomingMessage,
  mostBytes: number,
  times: BodyTimes,
  take: TakeChunk,
  leave: (chunk: Buffer) => void,
): ReadBody {
  allowContinue(request);
  const { now = () => performance.now() } = times;
  const isTooSlow = createPace(times);
  const isTooFine = watchFraming(request);
  const { promise: read, resolve, reject } = Promise.withResolvers<void>();
  /** Chunks that came while one was processed. */
  let waiting: Buffer[] = [];
  let [ahead, arrived, chunks, waited] = [0, 0, 0, 0];
  let waitStart = now();
  const latest = waitStart + longestOf(times, Math.min(mostBytes, declaredBytes(request)));
  let [isBusy, isOver, isEnded] = [false, request.readableEnded, false];
  let failure: (() => unknown) | undefined;
  const isFull = () => ahead >= aheadBytes || waiting.length >= aheadChunks;

  const onData = (chunk: Buffer) => {
    arrived += chunk.length;
    chunks += 1;
    if (isBusy) keepBack(chunk);
    else accept(chunk);
  };

  function keepBack(chunk: Buffer): void {
    waiting.push(chunk);
    ahead += chunk.length;
    if (isFull()) request.pause();
  }

  function accept(chunk: Buffer): void {
    try {
      const arrival = now();
      // Only the time spent waiting for the client counts, not the time of our own disk.
      waited += arrival - waitStart;
      waitStart = arrival;
      if (isTooFine(chunks, arrived)) throw new Failure('FILE_MALFORMED');
      if (isTooSlow(waited, chunk.length) || arrival > latest) throw tooSlow();
      timer.refresh();
      const taking = take(chunk);
      isBusy = taking !== undefined;
      if (taking === undefined) leave(chunk);
      else taking.then(() => settle(chunk), end);
    } catch (error) {
      end(error);
    }
  }

  function settle(chunk: Buffer): void {
    isBusy = false;
    waitStart = now();
    timer.refresh();
    leave(chunk);
    goOn();
  }

  /** What came meanwhile, then what happened meanwhile. */
  function goOn(): void {
    while (!isBusy && !isEnded && waiting.length > 0) accept(nextOf(waiting));
    if (isBusy || isEnded) return;
    if (isOver) end(request.complete ? undefined : cutShort());
    else if (failure !== undefined) end(failure());
  }

  /** Joins small chunks: each may cost a write, and a client may send chunks of one byte. */
  function nextOf([first, ...rest]: Buffer[]): Buffer {
    const isAlone = first !== undefined && (rest.length === 0 || first.length > smallBytes);
    const next = isAlone ? first : join(waiting);
    waiting = isAlone ? rest : [];
    ahead -= next.length;
    if (!isFull() && request.isPaused()) request.resume();
    return next;
  }

  function end(reason?: unknown): void {
    if (isEnded) return;
    isEnded = true;
    clearTimeout(timer);
    // An error may still be on its way, and would end the process if nobody listened.
    request.off('data', onData).off('end', onEnd).off('close', onCut);
    if (!isOver) request.pause();
    if (reason === undefined) resolve();
    else reject(reason);
  }

  // Made only if it is thrown: every request closes in the end.
  const fail = (reason: () => Failure) => {
    failure ??= reason;
    if (!isBusy) goOn();
  };
  const onEnd = () => {
    isOver = true;
    if (!isBusy) goOn();
  };
  /** No more is read. What the stream holds back has arrived: it may even be the whole body. */
  const stop = () => {
    request.off('data', onData);
    if (isEnded || isOver) return;
    request.pause();
    for (let chunk: Buffer | null = request.read(); chunk !== null; chunk = request.read()) {
      arrived += chunk.length;
      chunks += 1;
      waiting.push(chunk);
      ahead += chunk.length;
    }
    if (request.complete) onEnd();
    else fail(cutShort);
  };
  // The client is gone, unless the body has ended before.
  const onCut = stop;
  // One timer for all waits of a body: a large body has thousands of them.
  const timer = setTimeout(() => !isBusy && fail(tooSlow), times.idleMilliseconds);
  request.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  if (isOver) goOn();
  else if (request.destroyed) stop();
  return { read, stop, end: () => end() };
}

function join(chunks: readonly Buffer[]): Buffer {
  const joined = Buffer.concat(chunks);
  for (const chunk of chunks) freeChunk(chunk);
  return joined;
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
