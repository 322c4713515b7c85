// Asks clamd whether it takes a file of a size: announces the size, and sends none of the bytes.
import { setTimeout as pause } from 'node:timers/promises';
import { type Asking, askClamd } from './clamd-connection.ts';
import type { ClamdPlace } from './clamd-place.ts';
import { chunkLength, instream, longestChunkBytes } from './instream.ts';

/** clamd answers at once if the announced size is over its limit, and waits for the bytes otherwise. */
const silenceMilliseconds = 1000;

/** True if clamd does not refuse the size. It cannot say what its limit is. */
export async function takesSize(place: ClamdPlace, bytes: number, { signal, ...asking }: Asking): Promise<boolean> {
  const done = new AbortController();
  const announced = [instream, chunkLength(Math.min(bytes, longestChunkBytes))];
  const refusal = askClamd(place, announced, { ...asking, signal: AbortSignal.any([signal, done.signal]) }).then(
    ({ text }) => isLimit(text),
    () => false,
  );
  const silence = pause(silenceMilliseconds, false, { signal: done.signal }).catch(() => false);
  try {
    return !(await Promise.race([refusal, silence]));
  } finally {
    done.abort();
  }
}

export function isLimit(answer: string): boolean {
  return answer.startsWith('INSTREAM size limit exceeded');
}
