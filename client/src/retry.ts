// Repeats what is safe to repeat: three tries in all, with pauses that grow and differ, and never against Retry-After.
import { type GatehouseError, toGatehouseError } from './gatehouse-error.ts';

const tries = 3;
const firstPauseMilliseconds = 300;
const longestWaitSeconds = 10;

export async function retry<T>(
  work: () => Promise<T>,
  isWorthIt: (error: GatehouseError, round: number) => boolean = isPassing,
): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await work();
    } catch (thrown) {
      const error = toGatehouseError(thrown);
      const waitSeconds = error.retryAfterSeconds ?? 0;
      if (round === tries || waitSeconds > longestWaitSeconds || !isWorthIt(error, round)) throw error;
      const jitter = firstPauseMilliseconds * 2 ** (round - 1) * (0.5 + Math.random());
      await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1000 + jitter));
    }
  }
}

/** What may be gone in a moment: a broken connection, a busy service, a proxy without one. */
export function isPassing({ code, status }: GatehouseError): boolean {
  return (code === 'NETWORK' && status === 0) || [429, 502, 503, 504].includes(status);
}
