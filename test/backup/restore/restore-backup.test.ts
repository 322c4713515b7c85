// What a restore fills into an empty database and storage: nothing that was deleted, blocks and addresses of the journal, whole files.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { BackupFiles } from '../../../src/backup/backup-files.ts';
import { databasePath } from '../../../src/backup/backup-folder.ts';
import { emptyJournal, type Journal } from '../../../src/backup/journal/journal.ts';
import { readManifest } from '../../../src/backup/manifest.ts';
import { restoreBackup } from '../../../src/backup/restore/restore-backup.ts';
import { BackupError, type EmptyStore, type Page } from '../../../src/backup/snapshot.ts';
import { fileId } from '../../helpers/blobs/memory-files.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import {
  type BackupContent,
  createMemoryBlobs,
  factsOf,
  fileRow,
  type MemoryBlobs,
  shapes,
  smallSchema,
  userRow,
  useTemporaryFolders,
  writeSmallBackup,
} from '../stage/small-backup.ts';

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

type Given = {
  readonly content?: BackupContent;
  readonly journal?: Partial<Journal>;
  readonly blobs?: MemoryBlobs;
  readonly copies?: MemoryBlobs;
  readonly store?: Partial<EmptyStore>;
};

describe('a restore', () => {
  const newFolder = useTemporaryFolders();

  async function restore({ content: given = content, journal = {}, ...parts }: Given = {}) {
    const { blobs = createMemoryBlobs(), copies = createMemoryBlobs(texts), store = {} } = parts;
    const folder = newFolder();
    await writeSmallBackup(folder, given);
    const pages: Page[] = [];
    const filled: string[][] = [];
    const empty: EmptyStore = {
      schema: smallSchema,
      refuseRows: async () => undefined,
      knowsMigration: () => true,
      fill: async (migrations, all) => {
        filled.push([...migrations]);
        for await (const page of all) pages.push(page);
      },
      ...store,
    };
    const files: BackupFiles = { pathOf: ({ id }) => id, viewOf: () => copies };
    const restored = await restoreBackup(
      { clock: { now: () => now }, store: empty, blobs, copies: files, begin: () => undefined },
      {
        folder,
        manifest: await readManifest(folder),
        journal: { ...emptyJournal, ...journal },
        progress: () => undefined,
      },
    );
    const rowsOf = (table: string) => pages.filter(({ shape }) => shape.table === table).flatMap(({ rows }) => rows);
    return { restored, blobs, filled, rowsOf };
  }

  it('all rows and files are restored, with an audit event at the end', async () => {
    const { restored, blobs, filled, rowsOf } = await restore();
    assert.deepEqual(restored, {
      createdAt: '2031-05-05T12:00:00.000Z',
      users: 3,
      files: 3,
      bytes: 12,
      leftOut: { users: 0, files: 0 },
    });
    assert.deepEqual(filled, [['0001-first']]);
    assert.deepEqual(rowsOf('users'), [userRow('ann'), userRow('bob', 7), userRow('eve')]);
    assert.deepEqual(Object.fromEntries(blobs.texts), texts);
    const [[, kind, userId, detail, at] = []] = rowsOf('audit_events');
    assert.deepEqual(
      [kind, userId, JSON.parse(String(detail)), at],
      ['backup.restored', null, { madeAt: '2031-05-05T12:00:00.000Z', users: 3, files: 3 }, now],
    );
  });

  it('a user whom the journal deletes is left out with all files, and so is a deleted file', async () => {
    const { restored, blobs, rowsOf } = await restore({ journal: { deleted: new Set(['ann', id3]) } });
    assert.deepEqual(
      rowsOf('users').map(([id]) => id),
      ['bob', 'eve'],
    );
    assert.deepEqual(
      rowsOf('files').map(([id]) => id),
      [id2],
    );
    assert.deepEqual([...blobs.texts.keys()], [id2]);
    assert.deepEqual(restored.leftOut, { users: 1, files: 2 });
  });

  it('blocks and unblocks of the journal replace those of the backup', async () => {
    const blocks: Journal['blocks'] = new Map([
      ['ann', { kind: 'user.blocked', id: asUserId('ann'), at: 55 }],
      ['bob', { kind: 'user.unblocked', id: asUserId('bob'), at: 56 }],
      ['gone', { kind: 'user.blocked', id: asUserId('gone'), at: 57 }],
    ]);
    const { rowsOf } = await restore({ journal: { blocks } });
    assert.deepEqual(rowsOf('users'), [userRow('ann', 55), userRow('bob'), userRow('eve')]);
  });

  it('an address that the journal removed is restored neither to read nor to sign in with', async () => {
    const addresses: Journal['addresses'] = new Map([['ann', { kind: 'email.removed', id: asUserId('ann'), at: 5 }]]);
    const { rowsOf } = await restore({ journal: { addresses } });
    assert.deepEqual(rowsOf('users')[0], ['ann', '+ann', null, null, null, 1]);
    assert.deepEqual(rowsOf('users')[1], userRow('bob', 7));
  });

  it('a storage that nobody claimed gets a new id, which the database gets too', async () => {
    const { blobs, rowsOf } = await restore();
    const [[, id] = []] = rowsOf('installation');
    assert.ok(typeof id === 'string' && id !== 'original' && blobs.mark === id);
  });

  it('the storage of the backup keeps its id, and a storage of another installation is refused before anything is filled', async () => {
    const kept = await restore({ blobs: createMemoryBlobs({}, 'original') });
    assert.deepEqual(kept.rowsOf('installation'), [['here', 'original', 1]]);
    const blobs = createMemoryBlobs({}, 'another');
    const store = { fill: async () => assert.fail('filled') };
    await assert.rejects(restore({ blobs, store }), /belongs to the installation another, the backup to original/);
    assert.equal(blobs.texts.size, 0);
  });

  it('a file whose bytes are missing or damaged in the backup ends the restore before the database is filled', async () => {
    const store = { fill: async () => assert.fail('filled') };
    for (const copies of [createMemoryBlobs({ ...texts, [id2]: 'tow!' }), createMemoryBlobs({ [id1]: 'one' })])
      await assert.rejects(restore({ copies, store }), (error) => {
        assert.ok(error instanceof BackupError);
        return [id2, id3].some((id) => error.message.includes(id));
      });
  });

  it('files that an interrupted restore has copied are not copied again, unless they are damaged', async () => {
    const blobs = createMemoryBlobs({ [id1]: 'one', [id2]: 'tow!' });
    const copies = createMemoryBlobs({ [id2]: 'two!', [id3]: 'three' });
    await restore({ blobs, copies });
    assert.deepEqual(Object.fromEntries(blobs.texts), texts);
  });

  for (const [what, given, message] of [
    ['a migration that is not known', { store: { knowsMigration: () => false } }, /has the migration 0001-first/],
    [
      'rows in the database',
      { store: { refuseRows: () => Promise.reject(new BackupError('not empty')) } },
      /not empty/,
    ],
    ['foreign files in the storage', { blobs: createMemoryBlobs({ other: 'x' }) }, /The storage is not empty/],
    [
      'more files in the storage than in the backup',
      { blobs: createMemoryBlobs({ ...texts, [fileId(0)]: 'x' }) },
      /The storage is not empty/,
    ],
    [
      'another hash of the database',
      { content: { ...content, changes: { sha256: { database: 'ab'.repeat(32), fileList: 'cd'.repeat(32) } } } },
      /the database is damaged; the list of files is damaged/,
    ],
  ] as [string, Given, RegExp][]) {
    it(`with ${what}, nothing is restored`, async () => {
      const blobs = given.blobs ?? createMemoryBlobs();
      const stored = [...blobs.texts];
      const fill = async () => assert.fail('filled');
      await assert.rejects(restore({ ...given, blobs, store: { fill, ...given.store } }), message);
      assert.deepEqual([...blobs.texts], stored);
      assert.equal(blobs.mark, undefined);
    });
  }

  it('a database part that is missing is named', async () => {
    const folder = newFolder();
    await writeSmallBackup(folder, content);
    writeFileSync(databasePath(folder), '');
    const store = {
      schema: smallSchema,
      refuseRows: async () => undefined,
      knowsMigration: () => true,
      fill: async () => undefined,
    };
    const files: BackupFiles = { pathOf: ({ id }) => id, viewOf: () => createMemoryBlobs() };
    await assert.rejects(
      restoreBackup(
        { clock: { now: () => now }, store, blobs: createMemoryBlobs(), copies: files, begin: () => undefined },
        { folder, manifest: await readManifest(folder), journal: emptyJournal, progress: () => undefined },
      ),
      /the database is damaged/,
    );
  });
});
