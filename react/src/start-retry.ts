// Tries again after a pause that grows with the failures, or as soon as the device is online again.

const firstPauseMilliseconds = 1000;
const longestPauseMilliseconds = 60_000;

/** Returns a function that stops it. */
export function startRetry(failures: number, retryAfterSeconds: number | undefined, work: () => void): () => void {
  const pause = Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** Math.min(failures, 10));
  // With jitter, so that many pages do not come back in the same moment.
  const timer = setTimeout(end, (retryAfterSeconds ?? 0) * 1000 + pause * (0.5 + Math.random() / 2));
  globalThis.addEventListener?.('online', end);
  return stop;

  function stop(): void {
    clearTimeout(timer);
    globalThis.removeEventListener?.('online', end);
  }
  function end(): void {
    stop();
    work();
  }
}
