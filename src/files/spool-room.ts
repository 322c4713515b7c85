// How much may be on the way at once on this node: neither one person nor all together fill the disk with uploads.
import { waitFor } from '../kernel/deadline.ts';
import { Failure } from '../kernel/failure.ts';

export type SpoolRoom = {
  /** Finds out what is free on the disk, unless that was done a moment ago. */
  look(): Promise<void>;
  /** Holds what is declared from the start, and throws as `take` does. */
  enter(userId: string, declaredBytes?: number): SpoolPlace;
};

/** One upload's share of the room. */
export type SpoolPlace = {
  /**
   * Throws FILE_QUOTA_EXCEEDED where the person's uploads together hold far more than they may keep, and
   * STORAGE_UNAVAILABLE where there is no room now: that passes, as soon as others have ended.
   */
  take(bytes: number): void;
  leave(): void;
};

export type RoomBounds = {
  /** Bytes that are free on the disk of the spools now; asked for once a second at most. */
  readonly freeBytes: () => Promise<number>;
  /** All uploads under way together, whatever is free. */
  readonly mostBytes: number;
  /** Processes that share the disk. */
  readonly processes: number;
  /** One person can always have one upload of this size, if there is room at all. */
  readonly largestBytes: number;
  readonly now: () => number;
};

/** Far beyond what honest uploads overlap by, so that near a full quota the store alone decides which of them fit. */
const spareBytes = 2 ** 30;
/** So much is always taken: on a disk with less than that, the disk itself says when it is full. */
const leastBytes = 64 * 2 ** 20;
/** One person may hold this part of the room for all. */
const userShare = 1 / 4;
const lookEveryMilliseconds = 1000;
const retryAfterSeconds = 30;

export function createSpoolRoom(quotaBytes: number, bounds?: RoomBounds): SpoolRoom {
  const userBytes = quotaBytes + spareBytes;
  const held = new Map<string, number>();
  const space = createSpace(bounds);
  const hold = (userId: string, bytes: number) => {
    if (bytes === 0) return;
    const own = (held.get(userId) ?? 0) + bytes;
    if (own > userBytes) throw new Failure('FILE_QUOTA_EXCEEDED');
    space.hold(bytes, own);
    held.set(userId, own);
  };
  const giveBack = (userId: string, bytes: number) => {
    const rest = (held.get(userId) ?? 0) - bytes;
    space.giveBack(bytes);
    if (rest > 0) held.set(userId, rest);
    else held.delete(userId);
  };
  return {
    look: space.look,
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
          giveBack(userId, own);
          own = 0;
        },
      };
    },
  };
}

/** What all hold together, against what is free: never more than is left, so never more than half of what they found. */
function createSpace(bounds: RoomBounds | undefined) {
  let all = 0;
  let most = (bounds?.mostBytes ?? Number.POSITIVE_INFINITY) / (bounds?.processes ?? 1);
  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = async (): Promise<void> => {
    if (bounds === undefined || bounds.now() - lookedAt < lookEveryMilliseconds) return;
    lookedAt = bounds.now();
    // A disk that cannot be asked says so itself when it is written to.
    const free = await waitFor(bounds.freeBytes(), { milliseconds: lookEveryMilliseconds, late: noRoom }).catch(
      () => undefined,
    );
    if (free !== undefined) most = Math.min(bounds.mostBytes, Math.max(leastBytes, free)) / bounds.processes;
  };
  return {
    look,
    hold: (bytes: number, ofUser: number) => {
      void look();
      const share = Math.max(most * userShare, Math.min(most, bounds?.largestBytes ?? most));
      if (all + bytes > most || ofUser > share) throw noRoom();
      all += bytes;
    },
    giveBack: (bytes: number) => {
      all -= bytes;
    },
  };
}

function noRoom(): Failure {
  const cause = new Error('uploads under way hold as much of the disk as they may');
  return new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds }, cause);
}
