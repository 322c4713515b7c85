// The trash: deleted files that their owner can restore, and the port to the store.
import type { FileId, UserId } from '../../kernel/ids.ts';
import type { OwnerRefusal } from '../owner-state.ts';
import type { Quota } from '../quota.ts';
import type { StoredFile } from '../stored-file.ts';

/** A file in the trash, as its owner sees it. */
export type TrashedFile = StoredFile & {
  readonly deletedAt: number;
  /** When it goes for good. */
  readonly removedAt: number;
};

export type TrashStore = {
  /** How much of the user's usage is in the trash. */
  measureTrash(userId: UserId): Promise<Quota>;
  /** The user's trash, newest deletion first. */
  listTrash(input: {
    userId: UserId;
    before: TrashPlace | undefined;
    most: number;
    now: number;
  }): Promise<TrashedFile[]>;
  /** Undefined if the user has no such file, or if its time in the trash is over. Of a restore and a removal, one succeeds. */
  restoreFile(input: OfUser): Promise<StoredFile | OwnerRefusal | undefined>;
  /** True if the file was in the user's trash. It is removed for good. */
  removeFromTrash(input: OfUser): Promise<boolean>;
  /** Removes for good what was deleted up to `now`, at most that many files. Gives their ids. */
  emptyTrash(input: { userId: UserId; now: number; most: number }): Promise<FileId[]>;
  /** Removes for good the files of all users whose time is over, at most that many. Gives their ids; two nodes never get the same. */
  sweepFiles(input: { now: number; most: number }): Promise<FileId[]>;
};

type OfUser = { readonly userId: UserId; readonly id: FileId; readonly now: number };

export type TrashPlace = { readonly deletedAt: number; readonly id: string };
