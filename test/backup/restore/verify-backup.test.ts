// A backup that is read to its last byte: every missing or damaged part is named.
import assert from 'node:assert/strict';
import { appendFileSync, rmSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { BackupFiles } from '../../../src/backup/backup-files.ts';
import { databasePath, fileListPath } from '../../../src/backup/backup-folder.ts';
import { type Manifest, readManifest } from '../../../src/backup/manifest.ts';
import { verifyBackup } from '../../../src/backup/restore/verify-backup.ts';
import { fileId } from '../../helpers/blobs/memory-files.ts';
import {
  createMemoryBlobs,
  factsOf,
  fileRow,
  shapes,
  smallSchema,
  userRow,
  useTemporaryFolders,
  writeSmallBackup,
} from '../stage/small-backup.ts';

const [id1, id2] = [fileId(1), fileId(2)];
const one = factsOf(id1, 'one');
const two = factsOf(id2, 'two');
const pages = [
  { shape: shapes.users, rows: [userRow('ann')] },
  { shape: shapes.files, rows: [fileRow('ann', one), fileRow('ann', two)] },
];
const whole = { [id1]: 'one', [id2]: 'two' };

describe('the verification of a backup', () => {
  const newFolder = useTemporaryFolders();

  async function verify(
    texts: Readonly<Record<string, string>> = whole,
    changes: Partial<Manifest> = {},
    spoil: (folder: string) => void = () => undefined,
  ) {
    const folder = newFolder();
    await writeSmallBackup(folder, { pages, files: [one, two], changes });
    spoil(folder);
    const copies: BackupFiles = { pathOf: ({ id }) => `${folder}/files/${id}`, viewOf: () => createMemoryBlobs(texts) };
    const manifest = await readManifest(folder);
    const deps = { schema: smallSchema, copies, base: undefined };
    return (await verifyBackup(deps, { folder, manifest, progress: () => undefined })).troubles;
  }

  it('a whole backup has no troubles', async () => assert.deepEqual(await verify(), []));

  for (const [what, texts] of [
    ['missing', { [id1]: 'one' }],
    ['damaged', { [id1]: 'one', [id2]: 'tow' }],
    ['too short', { [id1]: 'one', [id2]: 'tw' }],
  ] as [string, Record<string, string>][]) {
    it(`a file that is ${what} is named and counted`, async () =>
      assert.deepEqual(await verify(texts), [
        `the file ${id2} is missing or damaged (files/${id2})`,
        '1 of 2 files are missing or damaged',
      ]));
  }

  it('a number of rows or files that differs from the manifest is named', async () =>
    assert.deepEqual(
      await verify(whole, {
        rows: { users: 2, files: 2, sessions: 1 },
        files: { count: 3, bytes: 6, areIncluded: true },
      }),
      ['users has 1 rows instead of 2', 'sessions has 0 rows instead of 1', '2 files instead of 3'],
    ));

  it('files that are not included are not looked for', async () =>
    assert.deepEqual(await verify({}, { files: { count: 2, bytes: 6, areIncluded: false } }), []));

  for (const [what, spoil, expected] of [
    [
      'a database with one byte more',
      (folder: string) => appendFileSync(databasePath(folder), 'x'),
      ['the database is damaged'],
    ],
    ['no list of files', (folder: string) => rmSync(fileListPath(folder)), ['the list of files is missing']],
  ] as const) {
    it(`${what} is named, and nothing else is read`, async () =>
      assert.deepEqual(await verify({}, {}, spoil), expected));
  }
});
