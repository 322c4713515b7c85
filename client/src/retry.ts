// Retries calls that are safe to repeat: three attempts, exponential back-off with jitter, respecting Retry-After.
import { type GatehouseError, toGatehouseError } from './gatehouse-error.ts';

const maxAttempts = 3;
const firstPauseMilliseconds = 300;
/** A longer Retry-After is left to the caller. */
const maxWaitSeconds = 10;

export async function retry<T>(
  work: () => Promise<T>,
  shouldRetry: (error: GatehouseError, attempt: number) => boolean = isTransient,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (thrown) {
      const error = toGatehouseError(thrown);
      const waitSeconds = error.retryAfterSeconds ?? 0;
      if (attempt === maxAttempts || waitSeconds > maxWaitSeconds || !shouldRetry(error, attempt)) throw error;
      const jitter = firstPauseMilliseconds * 2 ** (attempt - 1) * (0.5 + Math.random());
      await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1000 + jitter));
    }
  }
}

/** Failures that may be over in a moment: a broken connection, a busy service, a proxy without a service. */
export function isTransient({ code, status }: GatehouseError): boolean {
  return (code === 'NETWORK' && status === 0) || [429, 502, 503, 504].includes(status);
}
