// How much of one person may be on the way at once on this node: nobody fills the disk with uploads that declare no length.
import { Failure } from '../kernel/failure.ts';

export type SpoolRoom = {
  enter(userId: string): SpoolPlace;
};

/** One upload's share of the room. */
export type SpoolPlace = {
  /** Throws FILE_QUOTA_EXCEEDED where the person's uploads together hold far more than they may keep. */
  take(bytes: number): void;
  leave(): void;
};

/** Far beyond what honest uploads overlap by, so that near a full quota the store alone decides which of them fit. */
const spareBytes = 2 ** 30;

export function createSpoolRoom(quotaBytes: number): SpoolRoom {
  const mostBytes = quotaBytes + spareBytes;
  const held = new Map<string, number>();
  return {
    enter: (userId) => {
      let own = 0;
      return {
        take: (bytes) => {
          const all = (held.get(userId) ?? 0) + bytes;
          if (all > mostBytes) throw new Failure('FILE_QUOTA_EXCEEDED');
          held.set(userId, all);
          own += bytes;
        },
        leave: () => {
          const rest = (held.get(userId) ?? 0) - own;
          own = 0;
          if (rest > 0) held.set(userId, rest);
          else held.delete(userId);
        },
      };
    },
  };
}
