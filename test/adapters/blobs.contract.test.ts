// One contract for every blob store: disk, the strict S3 server of the tests, and a real one if TEST_S3_URL names it.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { createDiskBlobs } from '../../src/adapters/disk/disk-blobs.ts';
import { createS3Blobs } from '../../src/adapters/s3/s3-blobs.ts';
import type { BlobStore } from '../../src/files/storage/blob-store.ts';
import { foreignMark } from '../../src/files/storage/installation.ts';
import { newFileId } from '../../src/files/stored-file.ts';
import { randomText } from '../../src/kernel/crypto/random.ts';
import type { FileId } from '../../src/kernel/ids.ts';
import {
  failsWith,
  hexSha256,
  holdBytes,
  keepBytes,
  listIds,
  makeFolder,
  providerUrl,
  pumpBytes,
  readBytes,
  readWhole,
  someBytes,
  spoolOf,
  spoolsIn,
} from '../helpers/blobs/blobs.ts';
import { startS3Server } from '../helpers/blobs/s3-server.ts';
import { asFileId, installationIdOf } from '../helpers/people/ids.ts';

type Subject = { readonly blobs: BlobStore; readonly spoolFolder: string; end(): Promise<void> };

const mebibyte = 2 ** 20;
const realUrl = process.env.TEST_S3_URL;

fulfilsTheContract('disk', async (folder) => {
  return { blobs: createDiskBlobs(folder), spoolFolder: join(folder, 'spool'), end: async () => undefined };
});

fulfilsTheContract('S3, strict server', async (spoolFolder) => {
  const server = await startS3Server();
  server.pageSize = 7;
  const blobs = createS3Blobs(providerUrl(server.url({ query: '&prefix=some/files/' })), spoolFolder);
  return { blobs, spoolFolder, end: server.stop };
});

if (realUrl !== undefined) {
  fulfilsTheContract('S3 of TEST_S3_URL', async (spoolFolder) => {
    const prefix = `contract-${randomText(9)}/`;
    const blobs = createS3Blobs(providerUrl(`${realUrl}&prefix=${prefix}`), spoolFolder);
    return { blobs, spoolFolder, end: async () => undefined };
  });
}

function fulfilsTheContract(name: string, open: (folder: string) => Promise<Subject>): void {
  describe(`blobs: ${name}`, () => {
    const folder = makeFolder();
    let subject: Subject;
    let blobs: BlobStore;
    before(async () => {
      subject = await open(folder);
      ({ blobs } = subject);
    });
    afterEach(async () => {
      for (const id of await listIds(blobs)) await blobs.remove(id);
      assert.deepEqual(await spoolsIn(subject.spoolFolder), [], 'every test finishes its spools');
    });
    after(() => subject.end());

    it('a blob store answers a ping', () => blobs.ping());

    for (const size of [1, 256 * 1024 + 1, mebibyte, mebibyte + 1]) {
      it(`a blob store keeps ${size} bytes of an upload, in memory up to 1 MiB`, async () => {
        const bytes = someBytes(size);
        const id = newFileId();
        const held = await holdBytes(blobs, bytes);
        assert.equal(held.spooled.held !== undefined, size <= mebibyte);
        await blobs.keep(held.spooled, id, hexSha256(bytes));
        await held.discard();
        assert.ok((await readWhole(blobs, id, size)).equals(bytes));
      });
    }

    for (const size of [1, 1000, 256 * 1024 - 1, 256 * 1024 + 1, 5 * mebibyte]) {
      it(`a blob store keeps ${size} bytes and returns them whole and by range`, async () => {
        const bytes = someBytes(size);
        const id = await keepBytes(blobs, bytes);
        const ranges = [
          [0, size - 1],
          [0, 0],
          [size - 1, size - 1],
          [size >> 1, size >> 1],
          [size >> 2, size - 1 - (size >> 2)],
          [Math.max(0, size - 300_000), size - 1],
        ] as const;
        for (const [start, end] of ranges) {
          const found = await readBytes(blobs, id, start, end, size);
          assert.ok(found.equals(bytes.subarray(start, end + 1)), `${start}-${end}`);
          const pumped = await pumpBytes(blobs, id, start, end, size);
          assert.ok(pumped?.equals(found) ?? true, `${start}-${end}, pumped`);
        }
      });
    }

    it('a blob store keeps an empty blob and returns it', async () => {
      const id = await keepBytes(blobs, Buffer.alloc(0));
      assert.equal((await readWhole(blobs, id, 0)).length, 0);
      await failsWith('STORAGE_UNAVAILABLE', readWhole(blobs, newFileId(), 0));
    });

    it('a blob store returns an empty range of a blob that is not empty', async () => {
      const id = await keepBytes(blobs, someBytes(10));
      assert.equal((await readBytes(blobs, id, 4, 3, 10)).length, 0);
    });

    it('a spool reports its size and returns its bytes', async () => {
      const bytes = someBytes(300_001);
      const spool = await spoolOf(blobs, bytes, 1001);
      assert.equal(spool.size, bytes.length);
      assert.ok((await spool.reader.read(299_999, 100)).equals(bytes.subarray(299_999)));
      await spool.discard();
    });

    it('a blob store keeps the replacement of a spool and deletes the spool itself', async () => {
      const spool = await spoolOf(blobs, someBytes(2 * mebibyte));
      const wanted = someBytes(mebibyte);
      const other = `${spool.path}-other`;
      await writeFile(other, wanted);
      await spool.replace(other, wanted.length);
      assert.equal(spool.size, wanted.length);
      assert.deepEqual(await spoolsIn(subject.spoolFolder), [basename(other)]);
      const id = newFileId();
      await blobs.keep(spool, id, hexSha256(wanted));
      await spool.discard();
      assert.ok((await readWhole(blobs, id, wanted.length)).equals(wanted));
      assert.deepEqual(await spoolsIn(subject.spoolFolder), []);
    });

    it('a spool stays as it was if its replacement does not exist', async () => {
      const bytes = someBytes(1000);
      const spool = await spoolOf(blobs, bytes);
      await failsWith('STORAGE_UNAVAILABLE', spool.replace(`${spool.path}-nothing`, 5));
      assert.equal(spool.size, bytes.length);
      assert.ok((await spool.reader.read(0, 1000)).equals(bytes));
      await spool.discard();
    });

    it('a discarded spool leaves nothing behind, even when it is discarded twice', async () => {
      const spool = await spoolOf(blobs, someBytes(100_000));
      assert.equal((await spoolsIn(subject.spoolFolder)).length, 1);
      await spool.discard();
      await spool.discard();
      assert.deepEqual(await spoolsIn(subject.spoolFolder), []);
      assert.deepEqual(await listIds(blobs), []);
    });

    it('a blob is listed and readable only once it is whole', async () => {
      const bytes = someBytes(5 * mebibyte);
      const id = newFileId();
      const spool = await spoolOf(blobs, bytes);
      assert.deepEqual(await listIds(blobs), []);
      await failsWith('STORAGE_UNAVAILABLE', blobs.read(id, { start: 0, end: 0 }, bytes.length));
      let isKept = false;
      const keeping = blobs.keep(spool, id, hexSha256(bytes)).then(() => {
        isKept = true;
      });
      while (!isKept) {
        for await (const blob of blobs.list()) assert.equal(blob.size, bytes.length);
      }
      await keeping;
      await spool.discard();
      assert.ok((await readWhole(blobs, id, bytes.length)).equals(bytes));
    });

    it('a read fails before the first byte if the blob is missing or has another size', async () => {
      const id = await keepBytes(blobs, someBytes(1000));
      const reads = [
        [newFileId(), 0, 999, 1000],
        [id, 0, 1000, 1001],
        [id, 990, 1000, 1001],
        [id, 0, 998, 999],
        [id, 5, 6, 999],
        [id, 2000, 2001, 3000],
      ] as const;
      for (const [wanted, start, end, size] of reads) {
        await failsWith('STORAGE_UNAVAILABLE', blobs.read(wanted, { start, end }, size));
        const pump = blobs.pump?.(wanted, { start, end }, size);
        if (pump !== undefined) await failsWith('STORAGE_UNAVAILABLE', pump);
      }
    });

    it('a blob store survives readers that stop in the middle', async () => {
      const bytes = someBytes(5 * mebibyte);
      const id = await keepBytes(blobs, bytes);
      for (let round = 0; round < 20; round++) {
        const stream = await blobs.read(id, { start: round, end: bytes.length - 1 }, bytes.length);
        for await (const _chunk of stream) break;
        assert.ok(stream.destroyed);
      }
      assert.ok((await readWhole(blobs, id, bytes.length)).equals(bytes));
    });

    it('a blob store removes a blob, and removing it again is harmless', async () => {
      const id = await keepBytes(blobs, someBytes(10));
      await blobs.remove(id);
      await blobs.remove(id);
      await blobs.remove(newFileId());
      await failsWith('STORAGE_UNAVAILABLE', blobs.read(id, { start: 0, end: 9 }, 10));
      assert.deepEqual(await listIds(blobs), []);
    });

    it('a blob store lists every blob once, with size and time', async () => {
      const ids: FileId[] = [];
      for (let size = 1; size <= 25; size++) ids.push(await keepBytes(blobs, someBytes(size)));
      const found = await Array.fromAsync(blobs.list());
      assert.deepEqual(found.map((blob) => blob.id).toSorted(), ids.toSorted());
      for (const { id, size, modifiedAt } of found) {
        assert.equal(size, ids.indexOf(id) + 1);
        assert.ok(Math.abs(modifiedAt - Date.now()) < 600_000);
      }
    });

    it('a blob store lists blobs in order of their ids, starting after any given id', async () => {
      const ids: FileId[] = [];
      for (let count = 0; count < 40; count++) ids.push(await keepBytes(blobs, someBytes(1)));
      // Two in the same folder on disk, and the first and last of all.
      for (const end of ['--', 'zz', '__', '-0'])
        for (const first of ['-', 'z', '_'])
          ids.push(await keepBytes(blobs, someBytes(1), asFileId(`fil_${first.repeat(20)}${end}`)));
      ids.sort();
      const listed = async (after?: string) => {
        const found = await Array.fromAsync(blobs.list(after === undefined ? {} : { after }));
        return found.map((blob) => blob.id);
      };
      assert.deepEqual(await listed(), ids);
      const own = [0, 20, -1].flatMap((at) => ids.at(at) ?? []);
      const places = ['', 'fil_', ...own, 'fil_zzzzzzzzzzzzzzzzzzzzzy', 'fil_a', 'a', 'g'];
      for (const place of places)
        assert.deepEqual(
          await listed(place),
          ids.filter((id) => id > place),
          place,
        );
      // A removed blob is still a valid place to continue from.
      await blobs.remove(ids[20] ?? newFileId());
      assert.deepEqual(await listed(ids[20]), ids.slice(21));
    });

    it('a blob store has a mark that no list shows and that can be replaced and removed', async () => {
      const [one, two] = [installationIdOf('one'), installationIdOf('two')];
      assert.equal(await blobs.readMark(), undefined);
      for (const mark of [one, two, undefined, installationIdOf('three'), undefined, undefined]) {
        await blobs.writeMark(mark);
        assert.equal(await blobs.readMark(), mark);
        assert.deepEqual(await listIds(blobs), []);
      }
      await Promise.all(Array.from({ length: 8 }, () => blobs.writeMark(one)));
      assert.equal(await blobs.readMark(), one);
      await blobs.writeMark(undefined);
    });

    it('a blob store gives no text for the mark of another program', async () => {
      for (const text of ['ins_x', '\u001b[2J', `${installationIdOf('one')}\nDone.`, 'x'.repeat(60_000)]) {
        await blobs.writeMark(text);
        assert.equal(await blobs.readMark(), foreignMark);
      }
      await blobs.writeMark(' \n');
      assert.equal(await blobs.readMark(), undefined, 'an empty one is none');
      await blobs.writeMark(undefined);
    });

    it('a blob store keeps variants beside a blob, and lists only the blob', async () => {
      const id = await keepBytes(blobs, someBytes(10));
      const [small, large] = [someBytes(900), someBytes(700_000)];
      assert.equal(await blobs.readVariant(id, '320x320-1.webp'), undefined);
      await blobs.keepVariant(id, '320x320-1.webp', small);
      await blobs.keepVariant(id, '1600-1.avif', large);
      assert.deepEqual(await blobs.readVariant(id, '320x320-1.webp'), small);
      assert.deepEqual(await blobs.readVariant(id, '1600-1.avif'), large);
      assert.equal(await blobs.readVariant(id, '1600-1.webp'), undefined);
      const [listed, ...others] = await Array.fromAsync(blobs.list());
      assert.deepEqual([listed?.id, listed?.size, others.length], [id, 10, 0]);
      for (const bytes of [large, Buffer.alloc(0)]) {
        await blobs.keepVariant(id, '320x320-1.webp', bytes);
        assert.deepEqual(await blobs.readVariant(id, '320x320-1.webp'), bytes);
      }
    });

    it('a blob store removes the variants with their blob, and none of another', async () => {
      const [id, other] = [await keepBytes(blobs, someBytes(10)), await keepBytes(blobs, someBytes(10))];
      const names = Array.from({ length: 9 }, (_, at) => `${100 + at}-1.webp`);
      for (const name of names) for (const one of [id, other]) await blobs.keepVariant(one, name, someBytes(50));
      await blobs.remove(id);
      for (const name of names) {
        assert.equal(await blobs.readVariant(id, name), undefined);
        assert.equal((await blobs.readVariant(other, name))?.length, 50);
      }
      assert.deepEqual(await listIds(blobs), [other]);
    });

    it('a blob store lists an id that has only variants left with size 0, and removes them', async () => {
      const ids = Array.from({ length: 24 }, newFileId).toSorted();
      const [strays, whole] = [ids.filter((_, at) => at % 3 > 0), ids.filter((_, at) => at % 3 !== 1)];
      for (const id of whole) await keepBytes(blobs, someBytes(5), id);
      for (const id of strays)
        for (const name of ['16-1.webp', '16-1.avif']) await blobs.keepVariant(id, name, someBytes(7));
      const listed = await Array.fromAsync(blobs.list());
      assert.deepEqual(
        listed.map(({ id, size }) => [id, size]),
        ids.map((id) => [id, whole.includes(id) ? 5 : 0]),
      );
      for (const { modifiedAt } of listed) assert.ok(Math.abs(modifiedAt - Date.now()) < 600_000);
      for (const after of ids)
        assert.deepEqual(
          (await Array.fromAsync(blobs.list({ after }))).map(({ id }) => id),
          ids.filter((id) => id > after),
        );
      for (const id of strays) await blobs.remove(id);
      assert.deepEqual(
        await listIds(blobs),
        whole.filter((id) => !strays.includes(id)),
      );
    });

    it('two writers of one variant leave the whole bytes of one of them', async () => {
      const id = await keepBytes(blobs, someBytes(10));
      const versions = Array.from({ length: 6 }, (_, at) => Buffer.alloc(90_000 + at, at));
      await Promise.all(versions.map((bytes) => blobs.keepVariant(id, '320-1.webp', bytes)));
      const found = await blobs.readVariant(id, '320-1.webp');
      assert.ok(versions.some((bytes) => found?.equals(bytes)));
    });

    it('a blob store makes no path and no key of a text that is not the name of a blob', async () => {
      for (const text of ['../../../escaped/authorized_keys', '..', '', 'fil_/../../x']) {
        const name = asFileId(text);
        const spool = await spoolOf(blobs, someBytes(3));
        await assert.rejects(
          async () => blobs.keep(spool, name, hexSha256(someBytes(3))),
          /not the (?:name|key)|STORAGE/,
        );
        await spool.discard();
        await assert.rejects(async () => blobs.read(name, { start: 0, end: 2 }, 3));
        await assert.rejects(async () => blobs.openLocally(name, 3));
        await assert.rejects(async () => blobs.remove(name));
      }
      assert.deepEqual(await listIds(blobs), []);
    });

    it('a blob store takes no other name for a variant', async () => {
      const id = newFileId();
      for (const [wrongId, name] of [
        [id, '../16-1.webp'],
        [id, id],
        ['..', '16-1.webp'],
        [`${id}/..`, '16-1.webp'],
      ] as const) {
        await assert.rejects(async () => blobs.keepVariant(asFileId(wrongId), name, someBytes(1)));
        await assert.rejects(async () => blobs.readVariant(asFileId(wrongId), name));
      }
    });

    it('a blob can be read by a path on the local disk until it is released', async () => {
      const bytes = someBytes(300_000);
      const id = await keepBytes(blobs, bytes);
      const copy = await blobs.openLocally(id, bytes.length);
      assert.ok((await readFile(copy.path)).equals(bytes));
      await copy.release();
      assert.ok((await readWhole(blobs, id, bytes.length)).equals(bytes));
      await failsWith('STORAGE_UNAVAILABLE', blobs.openLocally(id, bytes.length - 1));
      await failsWith('STORAGE_UNAVAILABLE', blobs.openLocally(newFileId(), 5));
    });

    it('a blob store keeps fifty blobs at once', async () => {
      const all = Array.from({ length: 50 }, (_, index) => someBytes(20_000 + index));
      const ids = await Promise.all(all.map((bytes) => keepBytes(blobs, bytes)));
      assert.deepEqual(await listIds(blobs), ids.toSorted());
      const found = await Promise.all(ids.map((id, index) => readWhole(blobs, id, 20_000 + index)));
      for (const [index, bytes] of all.entries()) assert.ok(found[index]?.equals(bytes));
    });

    it('a blob store sweeps abandoned spools and leaves recent ones', async () => {
      const spool = await spoolOf(blobs, someBytes(10));
      assert.equal(await blobs.sweepSpools(Date.now() - 60_000), 0);
      assert.equal((await spoolsIn(subject.spoolFolder)).length, 1);
      assert.equal(await blobs.sweepSpools(Date.now() + 60_000), 1);
      assert.deepEqual(await spoolsIn(subject.spoolFolder), []);
      await spool.discard();
    });
  });
}
