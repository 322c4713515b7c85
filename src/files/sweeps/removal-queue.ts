// The queue of bytes that must go, written by every commit that forgets a file or an upload, and the notes of files in the making.
import type { FileId, UploadId } from '../../kernel/ids.ts';
import { isUploadId } from '../resumable/resumable-upload.ts';
import { mayHaveVariants } from '../variants/variant.ts';

export type RemovalId = FileId | UploadId;

/** The bytes of a file with its variants, or those of an upload in several requests, by id. An id is never used again. */
export type QueuedRemoval = {
  readonly id: RemovalId;
  /** When a worker may take it. Until then, another one works on it, or its last attempt is too recent. */
  readonly dueAt: number;
  readonly tries: number;
  /** How many times the bytes are still to be removed. */
  readonly looks: number;
};

/**
 * Bytes may come late. A request that was appending when its upload was deleted learns of it after at most 8 MiB, and then removes
 * what it wrote; so does one that was making a variant of a picture. If its node is killed before, a second look finds what it
 * wrote late. At the slowest pace that is allowed, 8 MiB take 34 minutes.
 */
const secondLookMilliseconds = 3_600_000;
const firstPauseMilliseconds = 15_000;
const longestPauseMilliseconds = 300_000;

/** By a commit. With `heldSince`, its time, the process that committed removes the bytes right after, and workers leave them alone for a while. */
export function queueRemoval(
  id: RemovalId,
  heldSince: number | undefined,
  mayComeLate = isUploadId(id),
): QueuedRemoval {
  return { id, dueAt: heldSince === undefined ? 0 : heldUntil(heldSince), tries: 0, looks: mayComeLate ? 2 : 1 };
}

/** Of a file that had a record: a variant of it may be in the making. */
export function queueFileRemoval(
  { id, type }: { readonly id: FileId; readonly type: string },
  heldSince: number | undefined,
): QueuedRemoval {
  return queueRemoval(id, heldSince, mayHaveVariants(type));
}

/**
 * After this, a note may be of a database that was set back: the file may have got its record since, in a state that comes back. Or
 * the service, or its database, was away for so long. So the bytes go, but after as long as the sweep would take: for ever is too long.
 */
const oldNoteMilliseconds = 3_600_000;
const oldNotePauseMilliseconds = 86_400_000;

/** Of a file in the making whose time is over. Its node was killed or is away, and the storage may still store what it sent. */
export function queuePending(id: FileId, dueAt: number, now: number): QueuedRemoval {
  const isOld = dueAt < now - oldNoteMilliseconds;
  return { ...queueRemoval(id, undefined, true), dueAt: isOld ? now + oldNotePauseMilliseconds : dueAt };
}

/** Until then the process that committed removes the bytes. Workers take the rest. */
export function heldUntil(heldSince: number): number {
  return heldSince + pauseAfter(0);
}

/** A worker takes it. If the worker does not say that it is done, it is due again after a pause that grows. */
export function takeRemoval(removal: QueuedRemoval, now: number): QueuedRemoval {
  return { ...removal, dueAt: now + pauseAfter(removal.tries), tries: removal.tries + 1 };
}

function pauseAfter(tries: number): number {
  return Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** Math.min(tries, 10));
}

/**
 * Whoever has had it since then has removed the bytes. Undefined if that was the last time; unchanged if another one has it now, or
 * has had it since.
 */
export function endRemoval(
  removal: QueuedRemoval,
  { heldSince, now }: { readonly heldSince: number; readonly now: number },
): QueuedRemoval | undefined {
  if (removal.dueAt !== heldSince + pauseAfter(Math.max(0, removal.tries - 1))) return removal;
  if (removal.looks <= 1) return undefined;
  return { ...removal, dueAt: now + secondLookMilliseconds, tries: 0, looks: removal.looks - 1 };
}

/** Ids for files in the making. */
export type PendingIds = {
  readonly ids: readonly FileId[];
  /** Only a settlement before that makes a file of one of them. After it, its bytes are due. */
  readonly until: number;
  /** Ids that were noted before, and that no bytes were stored under: they are forgotten. */
  readonly unused: readonly FileId[];
};

export type RemovalQueue = {
  /** Before any bytes are stored under the ids. A settlement takes its id out of the notes, or makes no file. */
  note(pending: PendingIds): Promise<void>;
  /** Whether anything is due. It costs less than to ask for it. */
  isDue(now: number): Promise<boolean>;
  /**
   * The ids that are due, at most so many, files in the making among them. Two nodes never get the same. One that has a record is
   * taken off the queue instead.
   */
  take(input: { readonly now: number; readonly most: number }): Promise<RemovalId[]>;
  /** The bytes of these ids are removed, by whoever took them, or committed their removal, at `heldSince`. */
  end(input: { readonly ids: readonly RemovalId[]; readonly heldSince: number; readonly now: number }): Promise<void>;
};
