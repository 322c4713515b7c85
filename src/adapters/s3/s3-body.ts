// Reads the bodies of S3 responses: streams that fail unless every announced byte arrives in time, and short texts.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { unavailable } from './s3-outcome.ts';

/**
 * The idle time runs only while the reader wants bytes, so a slow reader does not look like a slow server.
 * Destroying the stream closes the connection. Its normal end returns the connection to the pool.
 */
export function streamBody(response: IncomingMessage, length: number | undefined, idleMilliseconds: number): Readable {
  let left = length ?? Number.POSITIVE_INFINITY;
  const fail = (reason: string) => body.destroy(unavailable(`S3 body: ${reason}`).failure);
  const watch = createWatch(idleMilliseconds, () => fail('no byte arrived in time'));
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
    if (left < 0) return fail('more bytes than announced');
    watch.touch();
    return body.push(chunk) || pause();
  });
  response.on('end', () => {
    watch.stop();
    if (left > 0 && length !== undefined) fail('fewer bytes than announced');
    else body.push(null);
  });
  // Not every lost connection emits an error.
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

/** Undefined if the text is incomplete or longer than the limit. */
export async function readText(
  response: IncomingMessage,
  idleMilliseconds: number,
  maxBytes = 64 * 1024,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of streamBody(response, undefined, idleMilliseconds) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return undefined;
  }
}
