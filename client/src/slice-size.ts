// How many bytes of a file go into one request: few at first and on slow lines, up to what the service allows on fast ones.

export const firstSlice = 8 * 2 ** 20;
export const smallestSlice = 2 ** 20;
/** If the service announces no limit. */
const usualLimit = 32 * 2 ** 20;

const quickMilliseconds = 5_000;
const slowMilliseconds = 20_000;

/** `Upload-Limit: max-size=…, max-append-size=50000000`. */
export function appendLimitOf(uploadLimit: string | null): number {
  const announced = Number(/(?:^|[,\s])max-append-size=(\d{1,15})\b/.exec(uploadLimit ?? '')?.[1] ?? 0);
  return announced > 0 ? announced : usualLimit;
}

/** After a request of `size` bytes that took so long. */
export function nextSlice(size: number, milliseconds: number, limit: number): number {
  const wanted = milliseconds < quickMilliseconds ? size * 2 : milliseconds > slowMilliseconds ? size / 2 : size;
  return Math.min(limit, Math.max(smallestSlice, Math.floor(wanted)));
}

/** After a request that a proxy refused as too large, or of which nothing arrived. */
export function smallerSlice(size: number): number {
  return Math.min(size, Math.max(smallestSlice, Math.floor(size / 2)));
}
