// How long an upload may take: each wait has an end, and so has the whole.

export type UploadTimes = {
  /** Without a byte from the client. */
  readonly idleMilliseconds: number;
  /** Over each stretch of this length the client must have sent at the slowest pace at least. */
  readonly paceMilliseconds: number;
  readonly slowestBytesPerSecond: number;
  /** The end of an upload, whatever its pace; later only where the largest body needs longer at the slowest pace. */
  readonly longestMilliseconds: number;
  /** For one step of the disk that holds the spool, or of the parser that reads a form. */
  readonly stepMilliseconds: number;
  /** From the end of the body until the storage has the file: proof, removal of metadata, storing. */
  readonly keepMilliseconds: number;
  /** For giving back what an upload held. */
  readonly releaseMilliseconds: number;
};

/**
 * A phone whose line is throttled to 64 kbit/s (8 KiB/s) and stands still for as long as `idle` allows keeps exactly the slowest pace.
 * `keep` and the commit behind it, which the database bounds, end before the 60 seconds after which proxies give up.
 */
export const uploadTimes: UploadTimes = {
  idleMilliseconds: 30_000,
  paceMilliseconds: 60_000,
  slowestBytesPerSecond: 4 * 1024,
  longestMilliseconds: 3_600_000,
  stepMilliseconds: 20_000,
  keepMilliseconds: 40_000,
  releaseMilliseconds: 2000,
};

/** A body that keeps the slowest pace is never cut off, however large it may be. */
export function longestOf(times: UploadTimes, mostBytes: number): number {
  return Math.max(times.longestMilliseconds, (mostBytes / times.slowestBytesPerSecond) * 1000);
}
