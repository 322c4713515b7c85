// Sends a request, and aborts it when nothing has moved for too long. The only time-out of uploads: how long one takes depends on its size.
import { toGatehouseError } from './gatehouse-error.ts';
import type { Answer } from './read-answer.ts';
import { type Send, seesProgress, type Transfer } from './send-bytes.ts';
import type { WireOptions } from './wire.ts';

const tickSeconds = 5;
/** The service may check and copy a large file for minutes. A repeated request joins what runs. */
const checkSeconds = 180;
/** Where nothing is known about the progress of a request, slower is taken for dead. */
const slowestBytesPerSecond = 2 ** 14;

/** How long a request with these bytes may stand still. */
export function patienceFor(send: Send, { size }: Blob, seconds: number): number {
  return seesProgress(send) ? seconds : seconds + size / slowestBytesPerSecond;
}

/** The same for a request that ends with the answer about the whole file. */
export function finishSeconds(send: Send, bytes: Blob): number {
  return patienceFor(send, bytes, checkSeconds);
}

/**
 * Aborts also when the device goes offline: the request would hang for minutes. Counts ticks and not the clock, because a machine that sleeps
 * has not waited. The signal of the transfer is that of the caller.
 */
export async function sendWatched(
  send: Send,
  wire: WireOptions,
  transfer: Transfer & { readonly signal: AbortSignal },
  mostSeconds: number,
): Promise<Answer> {
  const { signal: stopped, onProgress } = transfer;
  const abort = new AbortController();
  let idle = 0;
  const end = () => abort.abort();
  const timer = setInterval(() => {
    idle += tickSeconds;
    if (idle > mostSeconds) end();
  }, tickSeconds * 1000);
  stopped.addEventListener('abort', end);
  globalThis.addEventListener?.('offline', end);
  if (stopped.aborted) end();
  try {
    return await send(wire, {
      ...transfer,
      signal: abort.signal,
      onProgress: (sentBytes) => {
        idle = 0;
        onProgress(sentBytes);
      },
    });
  } catch (error) {
    throw abort.signal.aborted ? toGatehouseError(undefined, stopped.aborted) : error;
  } finally {
    clearInterval(timer);
    stopped.removeEventListener('abort', end);
    globalThis.removeEventListener?.('offline', end);
  }
}
