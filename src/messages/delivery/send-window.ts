// How many messages a provider is sent at once: more while it accepts them as quickly as before, fewer when it slows down or fails.

export type SendWindow = {
  readonly size: number;
  /** Smoothed time of accepted sends, in milliseconds. Undefined before the first. */
  readonly latency: number | undefined;
  /** What the latency was when the provider was not busy. */
  readonly calm: number;
};

/** It is more than one caller may cause in an hour, so that nobody's messages alone can fill it. */
export const smallestWindow = 32;
/** Each message in the window costs memory and a connection. */
export const largestWindow = 512;

const stableMilliseconds = 100;

export const firstWindow: SendWindow = { size: smallestWindow, latency: undefined, calm: 0 };

/** `isFull`: the window was nearly full while the message was under way, so that a larger one would have been used. */
export function noteAccepted(
  window: SendWindow,
  milliseconds: number,
  isFull: boolean,
  most = largestWindow,
): SendWindow {
  const latency = window.latency === undefined ? milliseconds : window.latency * 0.9 + milliseconds * 0.1;
  const before = window.latency === undefined ? milliseconds : window.calm;
  // It follows a provider that has become slower for good, but slowly.
  const calm = Math.min(latency, before + (latency - before) * 0.002);
  const isStable = latency <= calm * 2 + stableMilliseconds;
  const isSlow = latency > calm * 4 + stableMilliseconds;
  const size = isStable && isFull ? window.size + 1 : isSlow ? window.size - 1 : window.size;
  return { size: Math.min(most, Math.max(smallestWindow, size)), latency, calm };
}

export function noteNotAccepted(window: SendWindow): SendWindow {
  return { ...window, size: Math.max(smallestWindow, Math.floor(window.size * 0.9)) };
}

/** A send that takes longer than this is late: never before a second has passed. While the latency is unknown, half the usual time. */
export function patienceOf({ latency }: SendWindow, usual: number, longest: number): number {
  return latency === undefined ? usual / 2 : Math.min(longest, Math.max(1000, latency * 4));
}
