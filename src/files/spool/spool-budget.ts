// Limits the bytes of uploads under way on this node, for each user and in total, so that uploads do not fill the disk.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import { waitFor } from '../../kernel/work/deadline.ts';

export type SpoolBudget = {
  /** Updates the free disk space, at most once a second. */
  look(): Promise<void>;
  /** Reserves the declared bytes at once. Throws the errors of `take`. */
  enter(userId: UserId, declaredBytes?: number): SpoolPlace;
};

/** The reservation of one upload. */
export type SpoolPlace = {
  /**
   * Throws FILE_QUOTA_EXCEEDED if the user's uploads together are far larger than the quota, and
   * STORAGE_UNAVAILABLE if there is no space now. Space becomes free when other uploads end.
   */
  take(bytes: number): void;
  leave(): void;
};

export type SpoolBudgetLimits = {
  /** Free bytes on the disk of the spools. Called at most once a second. */
  readonly freeBytes: () => Promise<number>;
  /** The limit for all uploads under way together, even if more is free. */
  readonly mostBytes: number;
  /** The number of processes that share the disk. */
  readonly processes: number;
  /** A user can always have one upload of this size if there is space at all. */
  readonly largestBytes: number;
  readonly now: () => number;
};

/** More than concurrent uploads normally need. So near a full quota only the store decides which uploads fit. */
const spareBytes = 2 ** 30;
/** Uploads may always use this much. On a fuller disk, the write itself fails. */
const minBytes = 64 * 2 ** 20;
/** The share of the total that one user may use. */
const userShare = 1 / 4;
const lookEveryMilliseconds = 1000;
const retryAfterSeconds = 30;

export function createSpoolBudget(quotaBytes: number, bounds?: SpoolBudgetLimits): SpoolBudget {
  const userBytes = quotaBytes + spareBytes;
  const held = new Map<string, number>();
  const total = createTotal(bounds);
  const hold = (userId: UserId, bytes: number) => {
    if (bytes === 0) return;
    const own = (held.get(userId) ?? 0) + bytes;
    if (own > userBytes) throw new Failure('FILE_QUOTA_EXCEEDED');
    total.hold(bytes, own);
    held.set(userId, own);
  };
  const release = (userId: UserId, bytes: number) => {
    const rest = (held.get(userId) ?? 0) - bytes;
    total.release(bytes);
    if (rest > 0) held.set(userId, rest);
    else held.delete(userId);
  };
  return {
    look: total.look,
    enter: (userId, declaredBytes = 0) => {
      let [own, taken] = [declaredBytes, 0];
      hold(userId, own);
      return {
        take: (bytes) => {
          const more = Math.max(0, taken + bytes - own);
          hold(userId, more);
          own += more;
          taken += bytes;
        },
        leave: () => {
          release(userId, own);
          own = 0;
        },
      };
    },
  };
}

/** All uploads together. They may hold as much as is still free, so at most half of the space that was free before them. */
function createTotal(bounds: SpoolBudgetLimits | undefined) {
  let all = 0;
  let most = (bounds?.mostBytes ?? Number.POSITIVE_INFINITY) / (bounds?.processes ?? 1);
  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = async (): Promise<void> => {
    if (bounds === undefined || bounds.now() - lookedAt < lookEveryMilliseconds) return;
    lookedAt = bounds.now();
    // If the free space is unknown, keep the last limit. Writes to a broken disk fail anyway.
    const free = await waitFor(bounds.freeBytes(), { milliseconds: lookEveryMilliseconds, late: noSpace }).catch(
      () => undefined,
    );
    if (free !== undefined) most = Math.min(bounds.mostBytes, Math.max(minBytes, free)) / bounds.processes;
  };
  return {
    look,
    hold: (bytes: number, ofUser: number) => {
      void look();
      const share = Math.max(most * userShare, Math.min(most, bounds?.largestBytes ?? most));
      if (all + bytes > most || ofUser > share) throw noSpace();
      all += bytes;
    },
    release: (bytes: number) => {
      all -= bytes;
    },
  };
}

function noSpace(): Failure {
  const cause = new Error('uploads under way hold as much of the disk as they may');
  return new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds }, cause);
}
