// A backup that is read to its last byte: every missing or damaged part is named.
import assert from 'node:assert/strict';
import { appendFileSync, rmSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { BackupFiles } from '../../src/backup/backup-files.ts';
import { databasePath, fileListPath, type Manifest } from '../../src/backup/backup-folder.ts';
import { verifyBackup } from '../../src/backup/verify-backup.ts';
import {
  createMemoryBlobs,
  factsOf,
  fileRow,
  shapes,
  userRow,
  useTemporaryFolders,
  writeSmallBackup,
} from '../helpers/small-backup.ts';

const one = factsOf('file 1', 'one');
const two = factsOf('file 2', 'two');
const pages = [
  { shape: shapes.users, rows: [userRow('ann')] },
  { shape: shapes.files, rows: [fileRow('ann', one), fileRow('ann', two)] },
];
const whole = { 'file 1': 'one', 'file 2': 'two' };

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
    return (await verifyBackup({ copies, base: undefined }, { folder, progress: () => undefined })).troubles;
  }

  it('a whole backup has no troubles', async () => assert.deepEqual(await verify(), []));

  for (const [what, texts] of [
    ['missing', { 'file 1': 'one' }],
    ['damaged', { 'file 1': 'one', 'file 2': 'tow' }],
    ['too short', { 'file 1': 'one', 'file 2': 'tw' }],
  ] as [string, Record<string, string>][]) {
    it(`a file that is ${what} is named and counted`, async () =>
      assert.deepEqual(await verify(texts), [
        'the file file 2 is missing or damaged (files/file 2)',
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
