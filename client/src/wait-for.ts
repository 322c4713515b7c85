// Waits before the next attempt of an upload: for a time, or until the device is online or the page is visible again.

const firstPauseMilliseconds = 300;
const longestPauseMilliseconds = 30_000;

/** Resolves after the time, when a wake-up comes, or when the caller's `onWake` calls back. A late timer does no harm. */
export type WaitFor = (milliseconds: number, onWake: (wake: () => void) => () => void) => Promise<void>;

/** With jitter, so that many clients do not come back in the same moment. */
export function pauseBefore(attempt: number, retryAfterSeconds: number | undefined): number {
  const backOff = Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** Math.min(attempt, 20));
  const asked = (retryAfterSeconds ?? 0) * 1000;
  return Math.round(asked + (asked > 0 ? firstPauseMilliseconds : backOff) * (0.5 + Math.random() / 2));
}

export const waitFor: WaitFor = (milliseconds, onWake) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopOwn();
      globalThis.removeEventListener?.('online', end);
      if (typeof document === 'object') document.removeEventListener('visibilitychange', show);
      resolve();
    };
    const show = () => {
      if (document.visibilityState === 'visible') end();
    };
    const timer = setTimeout(end, milliseconds);
    const stopOwn = onWake(end);
    globalThis.addEventListener?.('online', end);
    if (typeof document === 'object') document.addEventListener('visibilitychange', show);
  });
