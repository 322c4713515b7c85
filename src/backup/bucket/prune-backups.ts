// Use case: remove old backups from a bucket, and the objects that no other backup needs. It removes nothing while a backup is being sent.
import type { Clock } from '../../kernel/clock.ts';
import type { BackupKey } from '../backup-mac.ts';
import { parseJson } from '../lines.ts';
import { parseManifest } from '../manifest.ts';
import { BackupError } from '../snapshot.ts';
import type { Bucket } from './bucket.ts';
import { claimBucket, newClaim } from './bucket-claim.ts';
import { createObjectSizes, type ObjectSizes } from './object-sizes.ts';
import { listedFiles } from './sealed-backup.ts';
import { indexBeginning, listIndexes, readIndex, type SealedIndex } from './sealed-index.ts';
import { isObjectKey, objectKey, objectsBeginning } from './vault.ts';

type BucketBackup = {
  readonly name: string;
  readonly createdAt: string;
  readonly users: number;
  readonly files: number;
  readonly bytes: number;
  readonly areFilesIncluded: boolean;
  /** Of the key that it is sealed with. */
  readonly key: BackupKey;
  readonly index: SealedIndex;
};

/** A finished backup that cannot be opened, and why. It is not known what it needs. */
export type UnreadableBackup = { readonly name: string; readonly trouble: string };

type ListedBackups = {
  /** The newest first. */
  readonly backups: readonly BucketBackup[];
  readonly unreadable: readonly UnreadableBackup[];
};

type Pruned = {
  readonly backups: readonly string[];
  readonly objects: number;
  readonly bytes: number;
  readonly unreadable: readonly UnreadableBackup[];
};

export async function listBackups(bucket: Bucket, keys: readonly BackupKey[]): Promise<ListedBackups> {
  const backups: BucketBackup[] = [];
  const unreadable: UnreadableBackup[] = [];
  for await (const { name } of listIndexes(bucket)) {
    try {
      backups.push(await readBackup(bucket, keys, name));
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      unreadable.push({ name, trouble: error.message });
    }
  }
  return { backups: backups.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)), unreadable };
}

async function readBackup(bucket: Bucket, keys: readonly BackupKey[], name: string): Promise<BucketBackup> {
  const { index, key } = await readIndex(bucket, keys, name);
  const manifest = parseManifest(parseJson(index.manifest));
  if (manifest === undefined) throw new BackupError('Its manifest cannot be read by this version.');
  const { createdAt, rows, files } = manifest;
  const { count, bytes, areIncluded: areFilesIncluded } = files;
  return { name, createdAt, users: rows.users ?? 0, files: count, bytes, areFilesIncluded, key, index };
}

type Prune = { readonly keep: number; readonly isDry: boolean };

/**
 * Keeps the newest. It looks at the backups under its claim: one that ended a moment ago is among them. Removes the indexes first: an
 * interrupted run leaves objects that the next one removes. So does one that finds a backup that it cannot open, which may need any of them.
 * `isDry`: only says what would go.
 */
export async function pruneBackups(
  { bucket, keys, clock }: { bucket: Bucket; keys: readonly BackupKey[]; clock: Clock },
  { keep, isDry }: Prune,
): Promise<Pruned> {
  const release = isDry ? async () => undefined : await claimBucket(bucket, clock, newClaim('pruning', 'backups'));
  try {
    const { backups, unreadable } = await listBackups(bucket, keys);
    const [kept, removed] = [backups.slice(0, keep), backups.slice(keep)];
    const needed = unreadable.length > 0 ? undefined : await namesNeeded(bucket, kept);
    if (!isDry) for (const { name } of removed) await bucket.remove(`${indexBeginning}${name}`);
    let [objects, bytes] = [0, 0];
    for await (const { key, size } of bucket.list(objectsBeginning)) {
      if (needed === undefined || !isObjectKey(key) || needed.get(key) !== undefined) continue;
      if (!isDry) await bucket.remove(key);
      objects += 1;
      bytes += size;
    }
    return { backups: removed.map(({ name }) => name), objects, bytes, unreadable };
  } finally {
    await release();
  }
}

async function namesNeeded(bucket: Bucket, backups: readonly BucketBackup[]): Promise<ObjectSizes> {
  const needed = createObjectSizes();
  for (const { key, index, areFilesIncluded } of backups) {
    for (const content of [...index.database, ...index.fileList]) needed.set(objectKey(key, content), content.size);
    if (!areFilesIncluded) continue;
    for await (const facts of listedFiles(bucket, key, index)) needed.set(objectKey(key, facts), facts.size);
  }
  return needed;
}
