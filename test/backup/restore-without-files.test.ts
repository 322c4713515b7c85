// A restore of a backup without files: only records whose bytes are in the storage are kept.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BackupFiles } from '../../src/backup/backup-files.ts';
import { emptyJournal, type Journal } from '../../src/backup/journal/journal.ts';
import { readManifest } from '../../src/backup/manifest.ts';
import { restoreBackup } from '../../src/backup/restore/restore-backup.ts';
import type { EmptyStore, Page } from '../../src/backup/snapshot.ts';
import { fileId } from '../helpers/blobs/memory-files.ts';
import {
  type BackupContent,
  createMemoryBlobs,
  factsOf,
  fileRow,
  shapes,
  smallSchema,
  userRow,
  useTemporaryFolders,
  writeSmallBackup,
} from './stage/small-backup.ts';

const now = Date.UTC(2031, 4, 6);
const [id1, id2, id3] = [fileId(1), fileId(2), fileId(3)];
const one = factsOf(id1, 'one');
const two = factsOf(id2, 'two!');
const three = factsOf(id3, 'three');
const texts = { [id1]: 'one', [id2]: 'two!', [id3]: 'three' };

const content: BackupContent = {
  pages: [
    { shape: shapes.installation, rows: [['here', 'original', 1]] },
    { shape: shapes.users, rows: [userRow('ann'), userRow('bob', 7), userRow('eve')] },
    { shape: shapes.files, rows: [fileRow('ann', one), fileRow('bob', two), fileRow('eve', three)] },
  ],
  files: [one, two, three],
};

describe('a restore of a backup without files', () => {
  const newFolder = useTemporaryFolders();
  const changes = { files: { count: 3, bytes: 12, areIncluded: false } };

  async function keptIds(stored: Readonly<Record<string, string>>, journal: Partial<Journal> = {}) {
    const folder = newFolder();
    await writeSmallBackup(folder, { ...content, changes });
    const pages: Page[] = [];
    const store: EmptyStore = {
      schema: smallSchema,
      refuseRows: async () => undefined,
      knowsMigration: () => true,
      fill: async (_, all) => {
        for await (const page of all) pages.push(page);
      },
    };
    const files: BackupFiles = { pathOf: ({ id }) => id, viewOf: () => assert.fail('no files to copy') };
    const blobs = createMemoryBlobs(stored, 'original');
    await restoreBackup(
      { clock: { now: () => now }, store, blobs, copies: files, begin: () => undefined },
      {
        folder,
        manifest: await readManifest(folder),
        journal: { ...emptyJournal, ...journal },
        progress: () => undefined,
      },
    );
    return pages.filter(({ shape }) => shape.table === 'files').flatMap(({ rows }) => rows.map(([id]) => id));
  }

  it('records whose bytes are in the storage with their size are kept, and foreign bytes do no harm', async () =>
    assert.deepEqual(await keptIds({ [id1]: 'one', [id2]: 'two', other: 'x' }), [id1]));

  it('records of users that the journal deletes are left out, even if their bytes are there', async () =>
    assert.deepEqual(await keptIds(texts, { deleted: new Set(['bob']) }), [id1, id3]));

  it('a storage with none of the files is refused: it is the wrong one', () =>
    assert.rejects(keptIds({ other: 'x' }), /the storage has none of the files that it names/));
});
