// Bodies of S3 answers: streams that end well only when every promised byte came in time, and short texts.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { unavailable } from './s3-outcome.ts';

/**
 * The idle time counts only while bytes are wanted, so a slow reader is not taken for a slow server.
 * Destroying the stream drops the connection; its end hands the connection back for the next request.
 */
export function streamBody(response: IncomingMessage, length: number | undefined, idleMilliseconds: number): Readable {
  let left = length ?? Number.POSITIVE_INFINITY;
  const fail = (reason: string) => body.destroy(unavailable(`S3 body: ${reason}`).failure);
  const watch = createWatch(idleMilliseconds, () => fail('no byte came in time'));
  const body = new Readable({
    read: () => {
      watch.start();
      response.resume();
    },
    destroy: (error, done) => {
      watch.stop();
      if (!response.readableEnded) response.destroy();
      done(error);
    },
  });
  const pause = () => {
    watch.stop();
    response.pause();
  };
  response.pause();
  response.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) return fail('more bytes than promised');
    watch.touch();
    return body.push(chunk) || pause();
  });
  response.on('end', () => {
    watch.stop();
    if (left > 0 && length !== undefined) fail('fewer bytes than promised');
    else body.push(null);
  });
  // Not every lost connection comes with an error.
  response.on('error', () => fail('the connection was lost'));
  response.on('close', () => response.complete || fail('the connection was lost'));
  return body;
}

function createWatch(milliseconds: number, onEnd: () => void): { start(): void; touch(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    start: () => {
      timer ??= setTimeout(onEnd, milliseconds);
    },
    touch: () => timer?.refresh(),
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** Undefined when the text did not arrive whole, or is longer than anyone expects. */
export async function readText(
  response: IncomingMessage,
  idleMilliseconds: number,
  mostBytes = 64 * 1024,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of streamBody(response, undefined, idleMilliseconds) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > mostBytes) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return undefined;
  }
}
