// What remains of blobs and spools after kill -9, on a full disk, and among foreign files.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { createDiskBlobs } from '../../src/adapters/disk/disk-blobs.ts';
import { createExaminer } from '../../src/adapters/examiner/create-examiner.ts';
import { createS3Blobs } from '../../src/adapters/s3/s3-blobs.ts';
import { type BlobStore, markName } from '../../src/files/storage/blob-store.ts';
import { newFileId } from '../../src/files/stored-file.ts';
import {
  failsWith,
  keepBytes,
  listIds,
  makeFolder,
  providerUrl,
  readWhole,
  someBytes,
  spoolOf,
  spoolsIn,
} from '../helpers/blobs/blobs.ts';
import { type S3Server, startS3Server } from '../helpers/blobs/s3-server.ts';
import { mountSmallDisk } from '../helpers/blobs/small-disk.ts';
import { asUserId } from '../helpers/people/ids.ts';
import { anyQuestion, silentLog } from '../helpers/uploads/examine-bytes.ts';

const mebibyte = 2 ** 20;

describe('blobs after kill -9', () => {
  const disk = new URL('../../src/adapters/disk/disk-blobs.ts', import.meta.url).href;

  it('a spool interrupted by kill -9 leaves one file, which the sweep removes', async () => {
    const root = makeFolder();
    await killWhile(
      `import { createDiskBlobs } from '${disk}';
       const spool = await createDiskBlobs(${JSON.stringify(root)}).spool();
       for (;;) {
         await spool.write(Buffer.alloc(10_000, 1));
         process.stdout.write('.');
       }`,
    );
    const blobs = createDiskBlobs(root);
    assert.deepEqual(filesUnder(root).length, 1);
    assert.equal((await spoolsIn(join(root, 'spool'))).length, 1);
    assert.deepEqual(await listIds(blobs), []);
    assert.equal(await blobs.sweepSpools(Date.now() + 60_000), 1);
    assert.deepEqual(filesUnder(root), []);
  });

  it('every acknowledged blob is whole after kill -9, and no partial blob is listed', async () => {
    const root = makeFolder();
    const output = await killWhile(
      `import { createDiskBlobs } from '${disk}';
       import { hash } from 'node:crypto';
       import { newFileId } from '${new URL('../../src/files/stored-file.ts', import.meta.url).href}';
       const blobs = createDiskBlobs(${JSON.stringify(root)});
       for (;;) {
         const spool = await blobs.spool();
         await spool.write(Buffer.alloc(100_000, 7));
         const id = newFileId();
         await blobs.keep(spool, id, hash('sha256', Buffer.alloc(100_000, 7)));
         process.stdout.write(id + '\\n');
         await spool.discard();
       }`,
      300,
    );
    const blobs = createDiskBlobs(root);
    const acknowledged = output.split('\n').filter((line) => line.length === 26);
    const found = await listIds(blobs);
    assert.ok(acknowledged.length > 0);
    assert.ok(acknowledged.every((id) => found.some((one) => one === id)));
    for (const id of found) assert.ok((await readWhole(blobs, id, 100_000)).every((byte) => byte === 7));
  });
});

/** Runs the code until it has printed enough, kills it without warning, and returns what it printed. */
async function killWhile(code: string, bytesToHear = 5): Promise<string> {
  // A file: threads of a program given with -e would read their own as modules too.
  const program = join(makeFolder(), 'program.mjs');
  writeFileSync(program, code);
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  let heard = '';
  child.stdout.on('data', (chunk: Buffer) => {
    heard += chunk;
    if (heard.length >= bytesToHear) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'close');
  assert.equal(signal, 'SIGKILL');
  return heard;
}

function filesUnder(root: string): string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => statSync(join(root, name)).isFile());
}

describe('blobs on a full disk', () => {
  let server: S3Server;
  before(async () => {
    server = await startS3Server();
  });
  after(() => server.stop());

  const stores: [string, (folder: string) => BlobStore][] = [
    ['disk', createDiskBlobs],
    ['S3', (folder) => createS3Blobs(providerUrl(server.url()), join(folder, 'spool'))],
  ];
  for (const [name, open] of stores) {
    it(`a full disk is reported as STORAGE_FULL, leaves nothing behind, and storage works again once there is space: ${name}`, async (test) => {
      const folder = makeFolder();
      const disk = mountSmallDisk(folder, 1);
      if (disk === undefined) return test.skip('mounting a small disk is not permitted here');
      try {
        await fillAndRecover(open(folder), folder);
      } finally {
        disk.unmount();
      }
    });
  }
});

async function fillAndRecover(blobs: BlobStore, folder: string): Promise<void> {
  const spool = await blobs.spool();
  await failsWith(
    'STORAGE_FULL',
    (async () => {
      for (;;) await spool.write(Buffer.alloc(50_000));
    })(),
  );
  await spool.discard();
  assert.deepEqual(filesUnder(folder), []);
  const bytes = await noisyPicture();
  const large = await spoolOf(blobs, bytes);
  const examiner = createExaminer(silentLog);
  await failsWith('STORAGE_FULL', examiner.examine(asUserId('somebody'), large, anyQuestion));
  await examiner.stop();
  assert.equal(filesUnder(folder).length, 1, 'the spool, and nothing of its copy');
  await large.discard();
  const id = await keepBytes(blobs, bytes);
  assert.ok((await readWhole(blobs, id, bytes.length)).equals(bytes));
}

/** A JPEG of more than half a mebibyte, with a comment to strip. */
async function noisyPicture(): Promise<Buffer> {
  const raw = { width: 1000, height: 800, channels: 3 } as const;
  const noise = someBytes(raw.width * raw.height * raw.channels);
  const jpeg = await sharp(noise, { raw }).jpeg({ quality: 90 }).toBuffer();
  assert.ok(jpeg.length > 550_000 && jpeg.length < 800_000, `${jpeg.length} bytes`);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from('fffe00036d', 'hex'), jpeg.subarray(2)]);
}

describe('a mark on disk that cannot be replaced', () => {
  it('leaves no temporary file', async () => {
    const root = makeFolder();
    mkdirSync(join(root, markName));
    await assert.rejects(createDiskBlobs(root).writeMark('ins_one'));
    assert.deepEqual(readdirSync(root), [markName]);
  });
});

describe('names of blobs', () => {
  it('a blob on disk is named by its id alone, and foreign files are not listed', async () => {
    const root = makeFolder();
    const blobs = createDiskBlobs(root);
    const id = await keepBytes(blobs, someBytes(10));
    mkdirSync(join(root, 'lost+found'));
    writeFileSync(join(root, 'lost+found', newFileId()), 'x');
    writeFileSync(join(root, 'README'), 'x');
    assert.deepEqual(await listIds(blobs), [id]);
    const [path] = filesUnder(root).filter((name) => name.endsWith(id));
    assert.match(path ?? '', new RegExp(`^[0-9a-f]{3}/${id}$`));
    assert.equal(path, blobs.internalPath?.(id));
  });

  it('a blob in S3 is named by prefix and id, and foreign objects in the bucket are not listed', async (test) => {
    const server = await startS3Server();
    test.after(server.stop);
    const blobs = createS3Blobs(providerUrl(server.url({ query: '&prefix=a/b=c/' })), makeFolder());
    const id = await keepBytes(blobs, someBytes(10));
    const stranger = { bytes: someBytes(mebibyte), modifiedAt: Date.now(), type: '' };
    for (const key of ['a/b=c/', 'a/b=c/notes & <things>.txt', `a/b=c/x${id}`, `a/${id}`, id, `a/b=c/old/${id}`]) {
      server.objects.set(key, stranger);
    }
    assert.equal(server.objects.get(`a/b=c/${id}`)?.bytes.length, 10);
    assert.equal(server.objects.get(`a/b=c/${id}`)?.type, 'application/octet-stream');
    assert.deepEqual(await listIds(blobs), [id]);
  });
});
