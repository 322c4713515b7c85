// The rules of the trash and of retention: which files exist for a reader, what a deletion does, what comes back, what goes for good.

import type { DatedEvent } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import { keepSecondsOf, type Purpose } from '../purpose.ts';
import { type Quota, takeFromUsage } from '../quota.ts';
import type { FileDeletion, StoredFile } from '../stored-file.ts';
import type { TrashedFile } from './trash.ts';

/** A file as its record says. `sweepAt`: when the sweep removes it, if ever. */
export type FileState = Pick<StoredFile, 'id' | 'userId' | 'size' | 'keepUntil' | 'deletedAt'> & {
  readonly sweepAt?: number;
};

/** True if the file exists for those who may read it: it is not in the trash, and its time is not over. */
export function isVisible({ keepUntil, deletedAt }: Pick<FileState, 'keepUntil' | 'deletedAt'>, now: number): boolean {
  return deletedAt === undefined && (keepUntil === undefined || keepUntil > now);
}

/** Fixed at the upload: a later change of the purpose does not change it. */
export function retentionOf({ keepFor }: Pick<Purpose, 'keepFor'>, createdAt: number): Pick<StoredFile, 'keepUntil'> {
  const seconds = keepSecondsOf(keepFor);
  return seconds === undefined ? {} : { keepUntil: createdAt + seconds * 1000 };
}

export type Removal = { readonly kind: 'removed'; readonly usage: Quota; readonly event: DatedEvent };

type DeletionOutcome =
  | { readonly kind: 'trashed'; readonly deletedAt: number; readonly sweepAt: number; readonly event: DatedEvent }
  | Removal;

/** Undefined if there is no such file, or if it belongs to another user. A file in the trash still counts in the quota. */
export function judgeDeletion(
  file: FileState | undefined,
  { userId, now, trashUntil, by }: FileDeletion,
  used: Quota,
): DeletionOutcome | undefined {
  if (file?.userId !== userId || (by === undefined && !isVisible(file, now))) return undefined;
  if (by === undefined && trashUntil !== undefined) {
    const event: DatedEvent = { kind: 'file.trashed', userId, detail: { file: file.id }, now };
    return { kind: 'trashed', deletedAt: now, sweepAt: Math.min(trashUntil, file.keepUntil ?? trashUntil), event };
  }
  // An app has already learnt of a file in the trash that it is deleted.
  const kind = file.deletedAt === undefined ? 'file.deleted' : 'file.removed';
  const event: DatedEvent = { kind, userId, detail: { file: file.id, ...by }, now };
  return { kind: 'removed', usage: takeFromUsage(used, file.size), event };
}

/** A file that is not in the trash stays as it is, so that a request may be repeated. Undefined if there is nothing to restore. */
export function judgeRestore(
  file: FileState | undefined,
  { userId, now }: { readonly userId: UserId; readonly now: number },
): 'visible' | { readonly sweepAt: number | undefined; readonly event: DatedEvent } | undefined {
  if (file?.userId !== userId) return undefined;
  if (isVisible(file, now)) return 'visible';
  if (!isInTrash(file, now)) return undefined;
  return { sweepAt: file.keepUntil, event: { kind: 'file.restored', userId, detail: { file: file.id }, now } };
}

/** The owner removes a file from the trash. Undefined if it is not there. */
export function judgeRemoval(
  file: FileState | undefined,
  { userId, now }: { readonly userId: UserId; readonly now: number },
  used: Quota,
): Removal | undefined {
  if (file?.userId !== userId || file.deletedAt === undefined) return undefined;
  return removal('file.removed', file, used, now);
}

/** The time of a file is over. Undefined if it is not, for example because its owner has restored it since it was found. */
export function judgeSweep(file: FileState | undefined, used: Quota, now: number): Removal | undefined {
  if (file?.sweepAt === undefined || file.sweepAt > now) return undefined;
  return removal(file.deletedAt === undefined ? 'file.expired' : 'file.removed', file, used, now);
}

/** As the owner sees it, until its time there is over. */
export function toTrashed(file: StoredFile, sweepAt: number): TrashedFile {
  return { ...file, deletedAt: file.deletedAt ?? sweepAt, removedAt: sweepAt };
}

function isInTrash({ deletedAt, sweepAt }: FileState, now: number): boolean {
  return deletedAt !== undefined && sweepAt !== undefined && sweepAt > now;
}

function removal(
  kind: 'file.removed' | 'file.expired',
  { id, userId, size }: FileState,
  used: Quota,
  now: number,
): Removal {
  return { kind: 'removed', usage: takeFromUsage(used, size), event: { kind, userId, detail: { file: id }, now } };
}
