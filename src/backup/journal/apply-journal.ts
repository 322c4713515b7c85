// Use case: repeat the entries of the journal that a database lacks. It is idempotent.

import type { BlobStore } from '../../files/storage/blob-store.ts';
import { isFileId } from '../../files/stored-file.ts';
import type { Act, AuditKind, AuditStore } from '../../kernel/audit.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { FileId, UserId } from '../../kernel/ids.ts';
import type { Progress } from '../../kernel/process/progress.ts';
import { inParallel } from '../../kernel/work/in-parallel.ts';
import type { CheckMac } from '../backup-mac.ts';
import { journalOverlapMilliseconds, type LastActs, readDeletions } from './journal.ts';
import type { AddressKind, BlockKind, DeletionKind, JournalEntry } from './journal-kinds.ts';

type ActOn = { readonly userId: UserId; readonly by: Act; readonly now: number };

export type JournalTarget = {
  readonly clock: Clock;
  readonly audit: Pick<AuditStore, 'list'>;
  readonly blobs: Pick<BlobStore, 'remove'>;
  findUser(id: UserId): Promise<unknown>;
  findRecord(id: FileId): Promise<{ readonly userId: UserId } | undefined>;
  deleteUser(input: ActOn): Promise<{ readonly fileIds: readonly FileId[] }>;
  deleteFile(input: ActOn & { readonly id: FileId }): Promise<boolean>;
  actOn(input: ActOn & { readonly act: 'block' | 'unblock' }): Promise<unknown>;
  removeEmail(input: ActOn): Promise<'removed' | 'none' | 'last'>;
};

/** How much was done anew. */
export type Applied = {
  users: number;
  files: number;
  blocks: number;
  addresses: number;
  /** Bytes that could not be removed just now: the service sweeps them. */
  left: number;
};

type Application = {
  readonly path: string;
  readonly acts: LastActs;
  readonly by: Act;
  readonly progress: Progress;
  readonly check?: CheckMac;
};

const atOnce = 16;

export async function applyJournal(
  target: JournalTarget,
  { path, acts, by, progress, check }: Application,
): Promise<Applied> {
  const applied: Applied = { users: 0, files: 0, blocks: 0, addresses: 0, left: 0 };
  let done = 0;
  await inParallel(readDeletions(path, check), atOnce, async (entry) => {
    const fileIds = await removeAgain(target, entry, by, applied);
    for (const id of fileIds.filter(isFileId))
      await target.blobs.remove(id).catch(() => {
        applied.left += 1;
      });
    done += 1;
    progress({ done, total: done, bytes: 0, what: 'entries' });
  });
  for (const entry of acts.blocks.values()) if (await block(target, entry, by)) applied.blocks += 1;
  for (const entry of acts.addresses.values()) if (await removeAddress(target, entry, by)) applied.addresses += 1;
  return applied;
}

type Deletion<Kind extends DeletionKind> = (
  target: JournalTarget,
  id: JournalEntry<Kind>['id'],
  by: Act,
  applied: Applied,
) => Promise<readonly FileId[]>;

/** Each gives the files whose bytes are to be removed. */
const deletions: { readonly [Kind in DeletionKind]: Deletion<Kind> } = {
  'user.deleted': deleteUser,
  'file.deleted': deleteFile,
  'file.removed': deleteFile,
  'file.expired': deleteFile,
};

const blockActs: Readonly<Record<BlockKind, 'block' | 'unblock'>> = {
  'user.blocked': 'block',
  'user.unblocked': 'unblock',
};

function removeAgain<Kind extends DeletionKind>(
  target: JournalTarget,
  { kind, id }: JournalEntry<Kind>,
  by: Act,
  applied: Applied,
): Promise<readonly FileId[]> {
  return deletions[kind](target, id, by, applied);
}

async function deleteUser(target: JournalTarget, userId: UserId, by: Act, applied: Applied) {
  if ((await target.findUser(userId)) === undefined) return [];
  const { fileIds } = await target.deleteUser({ userId, by, now: target.clock.now() });
  applied.users += 1;
  applied.files += fileIds.length;
  return fileIds;
}

async function deleteFile(target: JournalTarget, id: FileId, by: Act, applied: Applied) {
  const file = await target.findRecord(id);
  if (file === undefined) return [];
  const isGone = await target.deleteFile({ userId: file.userId, id, by, now: target.clock.now() });
  if (isGone) applied.files += 1;
  return isGone ? [id] : [];
}

async function block(target: JournalTarget, entry: JournalEntry<BlockKind>, by: Act): Promise<boolean> {
  if (await isKnown(target, entry, ['user.blocked', 'user.unblocked'])) return false;
  await target.actOn({ userId: entry.id, act: blockActs[entry.kind], by, now: target.clock.now() });
  return true;
}

/** The journal does not hold the new address: the user binds it again after signing in by phone. */
async function removeAddress(target: JournalTarget, entry: JournalEntry<AddressKind>, by: Act): Promise<boolean> {
  if (await isKnown(target, entry, ['email.replaced', 'email.bound', 'email.removed'])) return false;
  return (await target.removeEmail({ userId: entry.id, by, now: target.clock.now() })) === 'removed';
}

/** True if the user is gone, or if the database already records this act or a later one. */
async function isKnown(
  target: JournalTarget,
  { id: userId, at }: JournalEntry<BlockKind | AddressKind>,
  kinds: readonly AuditKind[],
) {
  if ((await target.findUser(userId)) === undefined) return true;
  for (const kind of kinds) {
    const [last] = await target.audit.list({ userId, kind, since: at - journalOverlapMilliseconds, most: 1 });
    if (last !== undefined && last.at >= at) return true;
  }
  return false;
}
