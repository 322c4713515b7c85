// Time limits of an upload: for each wait, and for the whole upload.

export type UploadTimes = {
  /** The longest time without a byte from the client. */
  readonly idleMilliseconds: number;
  /** In each interval of this length the client must send at least `slowestBytesPerSecond` on average. */
  readonly paceMilliseconds: number;
  readonly slowestBytesPerSecond: number;
  /** The longest upload at any pace. Longer only if the largest body needs more time at the slowest pace. */
  readonly longestMilliseconds: number;
  /** For one disk operation on the spool, or one step of the form parser. */
  readonly stepMilliseconds: number;
  /** From the end of the body until the file is stored: proof, removal of metadata, scan, storing. */
  readonly keepMilliseconds: number;
  /** For the scan of a file, with the wait for its turn: for any file, for each MiB, and at most. It is part of `keep`. */
  readonly scanMilliseconds: number;
  readonly scanMillisecondsPerMebibyte: number;
  readonly longestScanMilliseconds: number;
  /** What an upload in several requests gets besides `keep` for each MiB: its parts are read once more, and it may be large. */
  readonly keepMillisecondsPerMebibyte: number;
  /** For releasing the resources of an upload. */
  readonly releaseMilliseconds: number;
  /**
   * How long quota and Idempotency-Key stay reserved without a renewal, and how long a file counts as being stored. Whoever works renews
   * them three times as often. After a crash nobody does, and clients wait for the rest of it.
   */
  readonly leaseMilliseconds: number;
};

/**
 * A phone with a throttled connection (64 kbit/s, 8 KiB/s) that pauses for `idle` in each interval just keeps the slowest pace.
 * `keep` and the commit after it (limited by the database) end before the usual proxy time-out of 60 seconds.
 */
export const uploadTimes: UploadTimes = {
  idleMilliseconds: 30_000,
  paceMilliseconds: 60_000,
  slowestBytesPerSecond: 4 * 1024,
  longestMilliseconds: 3_600_000,
  stepMilliseconds: 20_000,
  keepMilliseconds: 40_000,
  scanMilliseconds: 10_000,
  scanMillisecondsPerMebibyte: 100,
  longestScanMilliseconds: 30_000,
  keepMillisecondsPerMebibyte: 500,
  releaseMilliseconds: 2000,
  leaseMilliseconds: 15_000,
};

/** A body that keeps the slowest pace is never aborted, whatever its size. */
export function longestOf(times: UploadTimes, maxBytes: number): number {
  return Math.max(times.longestMilliseconds, (maxBytes / times.slowestBytesPerSecond) * 1000);
}

export function scanTimeOf(times: UploadTimes, bytes: number): number {
  const { scanMilliseconds, scanMillisecondsPerMebibyte, longestScanMilliseconds } = times;
  return Math.min(longestScanMilliseconds, scanMilliseconds + (scanMillisecondsPerMebibyte * bytes) / 2 ** 20);
}

/**
 * The times for storing an upload in several requests. They grow with its size: its client repeats the last request if a proxy gives up
 * on it, and then waits for the same work.
 */
export function finishTimesOf(times: UploadTimes, bytes: number): UploadTimes {
  const more = (times.keepMillisecondsPerMebibyte * bytes) / 2 ** 20;
  return {
    ...times,
    keepMilliseconds: times.keepMilliseconds + more,
    longestScanMilliseconds: times.longestScanMilliseconds + more / 2,
  };
}
