// The layout of a backup on disk: rows, lines and the manifest are read back as they were written, or refused.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { databasePath, fileListPath, hashOf, writeLines } from '../../src/backup/backup-folder.ts';
import { readFileList } from '../../src/backup/file-list.ts';
import { linesOf } from '../../src/backup/lines.ts';
import { readManifest, writeManifest } from '../../src/backup/manifest.ts';
import { BackupError, type Page } from '../../src/backup/snapshot.ts';
import { namedRow, readPages, writePages } from '../../src/backup/table-rows.ts';
import { fileId } from '../helpers/blobs/memory-files.ts';
import { seed } from '../helpers/faults/rounds.ts';
import {
  each,
  factsOf,
  shapes,
  smallSchema,
  userRow,
  useTemporaryFolders,
  writeSmallBackup,
} from './stage/small-backup.ts';

describe('lines of a stream', () => {
  it('lines are whole however the bytes are cut, without empty ones', async () => {
    const text = fc.array(fc.string({ unit: fc.constantFrom(...'ab\né\u{1f600}'), maxLength: 8 }), { maxLength: 6 });
    const property = fc.asyncProperty(text, fc.array(fc.nat(5), { maxLength: 20 }), async (parts, cuts) => {
      const bytes = Buffer.from(parts.join('\n'));
      const chunks: Buffer[] = [];
      let at = 0;
      for (const cut of cuts) {
        chunks.push(bytes.subarray(at, at + cut));
        at += cut;
      }
      chunks.push(bytes.subarray(at));
      const lines: string[] = [];
      for await (const line of linesOf(Readable.from(chunks, { objectMode: false }), 100)) lines.push(line);
      assert.deepEqual(
        lines,
        bytes
          .toString()
          .split('\n')
          .filter((line) => line !== ''),
      );
    });
    await fc.assert(property, { seed, numRuns: 60 });
  });

  it('an error of the stream is thrown', async () => {
    const broken = Readable.from(
      (async function* () {
        yield 'a\n';
        throw new Error('no more');
      })(),
      { objectMode: false },
    );
    const read = async () => {
      for await (const _ of linesOf(broken, 100));
    };
    await assert.rejects(read, /no more/);
  });
});

describe('a row by name', () => {
  it('each value gets the name of its column, and a missing one is null', () => {
    const shape = { table: 't', columns: { a: 'text', b: 'int', c: 'text?' } };
    assert.deepEqual(namedRow(shape, ['x', 0]), { a: 'x', b: 0, c: null });
  });
});

describe('a backup folder', () => {
  const newFolder = useTemporaryFolders();

  it('rows are read back in pages of one table each, at most a thousand', async () => {
    const place = newFolder();
    const users = Array.from({ length: 1500 }, (_, index) => userRow(`u${index}`));
    const pages: Page[] = [
      { shape: shapes.installation, rows: [['here', 'id', 1]] },
      { shape: shapes.users, rows: users.slice(0, 700) },
      { shape: shapes.users, rows: users.slice(700) },
      { shape: shapes.files, rows: [] },
    ];
    const counted: [string, number][] = [];
    await writeLines(
      databasePath(place),
      writePages(each(pages), ({ table }, rows) => counted.push([table, rows])),
      true,
    );
    const read: [string, number][] = [];
    const rows: unknown[] = [];
    for await (const page of readPages(place, smallSchema)) {
      read.push([page.shape.table, page.rows.length]);
      if (page.shape.table === 'users') rows.push(...page.rows);
    }
    assert.deepEqual(read, [
      ['installation', 1],
      ['users', 1000],
      ['users', 500],
    ]);
    assert.deepEqual(rows, users);
    assert.deepEqual(counted, [
      ['installation', 1],
      ['users', 700],
      ['users', 800],
      ['files', 0],
    ]);
  });

  it('rows of a file that is cut are an error of the reader, and a reader may leave before the end', async () => {
    const place = newFolder();
    const users = Array.from({ length: 5000 }, (_, index) => userRow(`u${index}`));
    await writeLines(
      databasePath(place),
      writePages(each([{ shape: shapes.users, rows: users }]), () => undefined),
      true,
    );
    for await (const { rows } of readPages(place, smallSchema)) {
      assert.equal(rows.length, 1000);
      break;
    }
    const whole = readFileSync(databasePath(place));
    writeFileSync(databasePath(place), whole.subarray(0, whole.length / 2));
    const read = async () => {
      for await (const _ of readPages(place, smallSchema));
    };
    await assert.rejects(read, /unexpected end of file/);
  });

  it('the hash is that of the written bytes, packed or not, and no file is overwritten', async () => {
    const place = newFolder();
    for (const isPacked of [true, false]) {
      const path = join(place, `${isPacked}`);
      const digest = await writeLines(path, each(['a\n', 'b\n']), isPacked);
      assert.equal(digest, hash('sha256', readFileSync(path)));
      assert.equal(await hashOf(path), digest);
      await assert.rejects(writeLines(path, each(['c\n']), isPacked), { code: 'EEXIST' });
    }
    assert.equal(readFileSync(join(place, 'false'), 'utf8'), 'a\nb\n');
  });

  it('the list of files is read back', async () => {
    const place = newFolder();
    const files = [factsOf(fileId(1), 'one'), factsOf(fileId(2), '')];
    await writeSmallBackup(place, { pages: [], files });
    const read: unknown[] = [];
    for await (const facts of readFileList(place)) read.push(facts);
    assert.deepEqual(read, files);
    assert.equal(fileListPath(place), join(place, 'files.jsonl'));
  });

  it('a manifest is read back with its format', async () => {
    const place = newFolder();
    const manifest = {
      createdAt: '2031-05-05T12:00:00.000Z',
      version: '1',
      migrations: [],
      rows: { users: 1 },
      files: { count: 0, bytes: 0, areIncluded: false },
      sha256: { database: 'ab'.repeat(32), fileList: 'cd'.repeat(32) },
    };
    await writeManifest(place, manifest);
    assert.deepEqual(await readManifest(place), { format: 'gatehouse backup 2', ...manifest });
  });

  for (const [what, text, message] of [
    ['none', undefined, /not a finished backup/],
    ['no JSON', '{', /cannot read/],
    ['another format', '{"format":"gatehouse backup 3"}', /cannot read/],
    ['no format', '{}', /cannot read/],
    ['null', 'null', /cannot read/],
  ] as const) {
    it(`a folder whose manifest is ${what} is refused with its name`, async () => {
      const place = newFolder();
      if (text !== undefined) writeFileSync(join(place, 'manifest.json'), text);
      await assert.rejects(readManifest(place), (error: Error) => {
        assert.ok(error instanceof BackupError);
        assert.match(error.message, message);
        return error.message.includes(place);
      });
    });
  }

  it('a manifest of the first format is read', async () => {
    const place = newFolder();
    await writeSmallBackup(place, { pages: [], files: [] });
    const path = join(place, 'manifest.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('gatehouse backup 2', 'gatehouse backup 1'));
    assert.equal((await readManifest(place)).format, 'gatehouse backup 1');
  });
});
