// Room for an upload: if the quota is reached, the oldest files in the trash make way, never more of them than needed.
import type { DatedEvent } from '../../kernel/audit.ts';
import { addToUsage, type Quota, takeFromUsage } from '../quota.ts';
import type { StoredFile } from '../stored-file.ts';

/** A file in the trash that can make way. */
export type Displaceable = Pick<StoredFile, 'id' | 'userId' | 'size'>;

export type Room = {
  /** The stored bytes after the files have gone. */
  readonly used: Quota;
  readonly removed: readonly Displaceable[];
};

type RoomWish = {
  readonly used: Quota;
  /** Other uploads under way. */
  readonly reserved: readonly { readonly bytes: number }[];
  readonly bytes: number;
  readonly quota: Quota;
};

/** For one more file. `trash` is the user's, oldest deletion first. Undefined if even all of it is not enough: then all of it stays. */
export function findRoom({ used, reserved, bytes, quota }: RoomWish, trash: readonly Displaceable[]): Room | undefined {
  const most = {
    bytes: quota.bytes - bytes - reserved.reduce((sum, upload) => sum + upload.bytes, 0),
    files: quota.files - 1 - reserved.length,
  };
  let left = used;
  let count = 0;
  while (left.bytes > most.bytes || left.files > most.files) {
    const oldest = trash[count];
    if (oldest === undefined) return undefined;
    left = takeFromUsage(left, oldest.size);
    count += 1;
  }
  return { used: left, removed: trash.slice(0, count) };
}

/** The part of a room that can be made now: the files up to the first one that must stay for now. */
export function firstOf({ used, removed }: Room, mayGo: (file: Displaceable) => boolean): Room {
  const end = removed.findIndex((file) => !mayGo(file));
  if (end === -1) return { used, removed };
  return {
    used: removed.slice(end).reduce((sum, { size }) => addToUsage(sum, size), used),
    removed: removed.slice(0, end),
  };
}

/** Apps have learnt that the file is deleted when it went to the trash. Now they learn that nothing can bring it back, and why. */
export function displacedEvent({ id, userId }: Displaceable, now: number): DatedEvent {
  return { kind: 'file.deleted', userId, detail: { file: id, reason: 'room' }, now };
}
