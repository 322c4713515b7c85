// A database and a storage with files, without a service, and the use cases of the backup commands on them.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskBlobs } from '../../../src/adapters/disk/disk-blobs.ts';
import { openBackupFiles, openBase, shareFile } from '../../../src/backup/backup-files.ts';
import type { BackupKey, CheckMac } from '../../../src/backup/backup-mac.ts';
import { type CreatedBackup, createBackup } from '../../../src/backup/create-backup.ts';
import { emptyJournal } from '../../../src/backup/journal/journal.ts';
import { readManifest } from '../../../src/backup/manifest.ts';
import { type RestoreDeps, type Restored, restoreBackup } from '../../../src/backup/restore/restore-backup.ts';
import { type BackupCheck, verifyBackup } from '../../../src/backup/restore/verify-backup.ts';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import type { BlobInfo } from '../../../src/files/storage/copy-blob.ts';
import type { StoredFile } from '../../../src/files/stored-file.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { backupSchema, openEmptyStore, openSnapshot } from '../../../src/service/choose-snapshots.ts';
import { keepBytes } from '../../helpers/blobs/blobs.ts';
import { newUser, store as storeFile } from '../../helpers/store/file-fixtures.ts';
import { openTestStore } from '../../helpers/store/test-store.ts';

export type BackupRig = Awaited<ReturnType<typeof openBackupRig>>;

/** Another database or storage than SQLite and the disk. */
type Target = Pick<RestoreDeps, 'store' | 'blobs'>;

const progress = () => undefined;
const quota = { bytes: 1e9, files: 1e6 };

export async function openBackupRig() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-rig-'));
  const database = await openTestStore('sqlite');
  const dataDir = join(database.address, '..');
  const storage = createDiskBlobs(join(dataDir, 'files'));
  let reads = 0;
  const blobs: BlobStore = {
    ...storage,
    read: (id, range, size) => {
      reads += 1;
      return storage.read(id, range, size);
    },
  };
  const owner = await newUser(database.ports, systemClock.now());
  const placeOf = (name: string) => join(folder, name);
  const filesIn = (name: string) => createDiskBlobs(join(placeOf(name), 'files'));
  const base = (name: string | undefined) =>
    name === undefined ? Promise.resolve(undefined) : openBase(placeOf(name), filesIn(name));
  return {
    placeOf,
    dataDir,
    storage,
    ports: database.ports,
    owner,
    /** The number of reads of blobs of the storage. */
    reads: () => reads,
    add: async (bytes: Buffer = randomBytes(50)): Promise<StoredFile> => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const changes = { reservation: { bytes: bytes.length, quota }, file: { sha256, size: bytes.length } };
      const file = await storeFile(database.ports, owner, systemClock.now(), changes);
      await keepBytes(storage, bytes, file.id);
      return file;
    },
    create: async (name: string, since?: string, key?: BackupKey): Promise<CreatedBackup> => {
      const earlier = await base(since);
      const place = placeOf(name);
      mkdirSync(place);
      const copies = openBackupFiles(place, filesIn(name));
      const deps = {
        clock: systemClock,
        files: database.ports.files,
        blobs,
        copies,
        share: earlier && ((facts: BlobInfo) => shareFile(earlier, copies, facts)),
        schema: backupSchema,
        key,
        openSnapshot: () => openSnapshot({ databaseUrl: undefined, dataDir }, place),
      };
      return createBackup(deps, { folder: place, version: 'test', progress });
    },
    verify: async (name: string, since?: string): Promise<BackupCheck> => {
      const manifest = await readManifest(placeOf(name));
      const copies = openBackupFiles(placeOf(name), filesIn(name), manifest.format);
      const deps = { schema: backupSchema, copies, base: await base(since) };
      return verifyBackup(deps, { folder: placeOf(name), manifest, progress });
    },
    blobsIn: filesIn,
    restore: async (name: string, to: string, check?: CheckMac, target: Partial<Target> = {}): Promise<Restored> => {
      const manifest = await readManifest(placeOf(name), check);
      const deps = {
        clock: systemClock,
        store: await openEmptyStore({ databaseUrl: undefined, dataDir: placeOf(to) }),
        blobs: filesIn(to),
        copies: openBackupFiles(placeOf(name), filesIn(name), manifest.format),
        begin: () => undefined,
        ...target,
      };
      return restoreBackup(deps, { folder: placeOf(name), manifest, journal: emptyJournal, progress });
    },
    end: async () => {
      await database.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
