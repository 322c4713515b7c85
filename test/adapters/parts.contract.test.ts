// One contract for the parts of uploads in every storage: what was flushed is there, whatever happens to the process that wrote it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, describe, it } from 'node:test';
import { createDiskBlobs } from '../../src/adapters/disk/disk-blobs.ts';
import { createS3Blobs } from '../../src/adapters/s3/s3-blobs.ts';
import type { PartStore, UploadPartInfo } from '../../src/files/resumable/part-store.ts';
import { newUploadId } from '../../src/files/resumable/resumable-upload.ts';
import type { BlobStore } from '../../src/files/storage/blob-store.ts';
import { newFileId } from '../../src/files/stored-file.ts';
import type { UploadId } from '../../src/kernel/ids.ts';
import {
  failsWith,
  hexSha256,
  keepBytes,
  listIds,
  makeFolder,
  providerUrl,
  readWhole,
  someBytes,
  spoolsIn,
} from '../helpers/blobs/blobs.ts';
import { startS3Server } from '../helpers/blobs/s3-server.ts';
import { asUploadId } from '../helpers/people/ids.ts';

type Subject = {
  readonly blobs: BlobStore;
  readonly url: string;
  readonly spoolFolder: string;
  /** The parts of the upload that are in the storage. */
  partsOf(uploadId: string): string[];
  /** How much space they take. */
  bytesOf(uploadId: string): number;
  end(): Promise<void>;
};

fulfilsTheContract('disk', async (folder) => {
  const pathsOf = (uploadId: string) => {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true });
    const own = found.filter(({ parentPath }) => parentPath.endsWith(uploadId));
    return own.map(({ parentPath, name }) => join(parentPath, name));
  };
  return {
    blobs: createDiskBlobs(folder),
    url: '',
    spoolFolder: join(folder, 'spool'),
    partsOf: pathsOf,
    bytesOf: (uploadId) => pathsOf(uploadId).reduce((sum, path) => sum + statSync(path).size, 0),
    end: async () => undefined,
  };
});

fulfilsTheContract('S3', async (spoolFolder) => {
  const server = await startS3Server();
  server.pageSize = 2;
  const url = server.url({ query: '&prefix=some/files/' });
  const partsOf = (uploadId: string) =>
    [...server.objects.keys()].filter((key) => key.includes(`uploads/${uploadId}/`));
  return {
    blobs: createS3Blobs(providerUrl(url), spoolFolder),
    url,
    spoolFolder,
    partsOf,
    bytesOf: (uploadId) =>
      partsOf(uploadId).reduce((sum, key) => sum + (server.objects.get(key)?.bytes.length ?? 0), 0),
    end: server.stop,
  };
});

function fulfilsTheContract(name: string, open: (folder: string) => Promise<Subject>): void {
  describe(`parts of uploads: ${name}`, () => {
    const folder = makeFolder();
    let subject: Subject;
    let parts: PartStore;
    before(async () => {
      subject = await open(folder);
      ({ parts } = subject.blobs);
    });
    afterEach(async () => {
      for await (const { id } of parts.list()) await parts.remove(id);
    });
    after(() => subject.end());

    /** Writes the bytes in requests of these sizes. Gives the recorded parts. */
    async function writeWhole(uploadId: UploadId, bytes: Buffer, sizes: readonly number[], length?: number) {
      const recorded = new Map<string, UploadPartInfo>();
      let at = 0;
      for (const size of sizes) {
        const writer = parts.openWriter(uploadId, at, length);
        for (const end = at + size; at < end; ) {
          const chunk = bytes.subarray(at, Math.min(end, at + 70_000));
          await writer.write(chunk);
          at += chunk.length;
          for (const part of await writer.flush()) recorded.set(part.id, part);
        }
        await writer.close(writer.size);
      }
      return [...recorded.values()];
    }

    async function assembled(uploadId: UploadId, recorded: readonly UploadPartInfo[]): Promise<Buffer> {
      const spool = await parts.assemble(uploadId, recorded);
      const bytes = await spool.reader.read(0, spool.size);
      await spool.discard();
      return bytes;
    }

    it('an upload in one or several requests is assembled as it was written, as often as it is needed', async () => {
      const bytes = someBytes(300_000);
      for (const sizes of [[300_000], [1, 99_999, 200_000]])
        for (const length of [300_000, undefined]) {
          const uploadId = newUploadId();
          const recorded = await writeWhole(uploadId, bytes, sizes, length);
          assert.ok((await assembled(uploadId, recorded.toReversed())).equals(bytes));
          assert.ok((await assembled(uploadId, recorded)).equals(bytes), 'its parts are still there');
        }
      assert.deepEqual(await spoolsIn(subject.spoolFolder), []);
      assert.equal((await assembled(newUploadId(), [])).length, 0);
    });

    it('an assembled upload can be kept as a blob, which stays when its parts are removed', async () => {
      const bytes = someBytes(100_000);
      const uploadId = newUploadId();
      const spool = await parts.assemble(uploadId, await writeWhole(uploadId, bytes, [bytes.length], bytes.length));
      const id = newFileId();
      await subject.blobs.keep(spool, id, hexSha256(bytes));
      await spool.discard();
      await parts.remove(uploadId);
      assert.ok((await readWhole(subject.blobs, id, bytes.length)).equals(bytes));
      await subject.blobs.remove(id);
    });

    it('a writer without a byte makes no part, and takes no byte behind the length of the upload', async () => {
      const uploadId = newUploadId();
      const writer = parts.openWriter(uploadId, 5, 7);
      assert.deepEqual(await writer.flush(), []);
      await assert.rejects(writer.write(Buffer.alloc(3)), /more bytes than announced/);
      await writer.close(0);
      assert.deepEqual(subject.partsOf(uploadId), []);
    });

    it('bytes that were written and not flushed are no part of the upload', async () => {
      const uploadId = newUploadId();
      const writer = parts.openWriter(uploadId, 0, undefined);
      await writer.write(Buffer.from('durable'));
      const recorded = await writer.flush();
      assert.deepEqual(await writer.flush(), [], 'nothing is new');
      await writer.write(Buffer.from(' lost'));
      await writer.close(7);
      assert.equal((await assembled(uploadId, recorded)).toString(), 'durable');
      assert.deepEqual(await spoolsIn(subject.spoolFolder), []);
    });

    it('bytes that were not recorded take no space: a closed writer leaves only what may be recorded', async () => {
      const uploadId = newUploadId();
      for (const isFlushed of [true, false]) {
        const writer = parts.openWriter(uploadId, 0, undefined);
        await writer.write(someBytes(10));
        if (isFlushed) await writer.flush();
        await writer.close(0);
        assert.deepEqual(subject.partsOf(uploadId), []);
      }
      const writer = parts.openWriter(uploadId, 0, undefined);
      await writer.write(Buffer.from('recorded'));
      const recorded = await writer.flush();
      await writer.write(Buffer.from(' lost'));
      await writer.flush();
      await writer.close(8);
      assert.equal(subject.bytesOf(uploadId), 8);
      assert.equal((await assembled(uploadId, recorded)).toString(), 'recorded');
    });

    it('an upload is not assembled if a part is too short, or does not follow the one before it', async () => {
      const uploadId = newUploadId();
      const [first, second] = await writeWhole(uploadId, someBytes(20), [10, 10]);
      assert.ok(first && second);
      const bad = [
        [
          { ...first, bytes: 11 },
          { ...second, firstByte: 11 },
        ],
        [{ ...first, bytes: 11 }],
        [second],
        [first, first],
      ];
      for (const recorded of bad) await failsWith('STORAGE_UNAVAILABLE', parts.assemble(uploadId, recorded));
      assert.deepEqual(await spoolsIn(subject.spoolFolder), []);
    });

    it('a part that is gone from a storage that is there ends the upload, because no other attempt can succeed', async () => {
      const uploadId = newUploadId();
      const [first, second] = await writeWhole(uploadId, someBytes(20), [10, 10]);
      assert.ok(first && second);
      const recorded = [first, { ...second, id: 'missing' }];
      await subject.blobs.writeMark('an installation');
      await failsWith('UPLOAD_NOT_FOUND', parts.assemble(uploadId, recorded));
      await subject.blobs.writeMark(undefined);
      assert.deepEqual(await spoolsIn(subject.spoolFolder), []);
      await parts.remove(uploadId);
    });

    it('parts are listed by their upload and no list of blobs has them; removing an upload leaves the others', async () => {
      const ids = [newUploadId(), newUploadId(), newUploadId()].toSorted();
      for (const id of ids) await writeWhole(id, someBytes(30), [10, 10, 10]);
      const blob = await keepBytes(subject.blobs, someBytes(10));
      const listed = await Array.fromAsync(parts.list());
      assert.deepEqual(listed.map(({ id }) => id).toSorted(), ids);
      for (const { modifiedAt } of listed) assert.ok(Math.abs(modifiedAt - Date.now()) < 60_000);
      assert.deepEqual(await listIds(subject.blobs), [blob]);
      assert.equal(await subject.blobs.readMark(), undefined);
      await parts.remove(ids[1] ?? newUploadId());
      await parts.remove(ids[1] ?? newUploadId());
      const left = (await Array.fromAsync(parts.list())).map(({ id }) => id).toSorted();
      assert.deepEqual(left, [ids[0], ids[2]]);
      assert.deepEqual([subject.partsOf(ids[1] ?? '').length, subject.partsOf(ids[0] ?? '').length], [0, 3]);
      await subject.blobs.remove(blob);
    });

    it('only the id of an upload names parts', async () => {
      for (const id of ['..', 'upl_', 'fil_0000000000000000000000', `${newUploadId()}/..`]) {
        assert.throws(() => parts.openWriter(asUploadId(id), 0, undefined), /not the id of an upload/);
        assert.throws(() => parts.remove(asUploadId(id)), /not the id of an upload/);
      }
    });

    it('what a writer has flushed is there after kill -9, and what it has not flushed is not acknowledged', async () => {
      const uploadId = newUploadId();
      const recorded: UploadPartInfo[] = [];
      let offset = 0;
      // Killed after a write, after a flush, and after a write that followed a flush.
      for (const steps of [1, 2, 3]) {
        const flushed = await writeUntilKilled(uploadId, offset, steps);
        for (const part of flushed) recorded.push(part);
        offset = recorded.reduce((sum, { bytes }) => sum + bytes, 0);
      }
      assert.equal(offset, 2000);
      const expected = Buffer.from(Array.from({ length: offset }, (_, index) => index % 251));
      assert.ok((await assembled(uploadId, recorded)).equals(expected));
    });

    async function writeUntilKilled(uploadId: string, firstByte: number, steps: number): Promise<UploadPartInfo[]> {
      const writer = join(import.meta.dirname, '../helpers/blobs/part-writer.ts');
      const child = spawn(process.execPath, [writer, uploadId, folder, subject.url, String(firstByte)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      let flushed: UploadPartInfo[] = [];
      let seen = 0;
      for await (const line of createInterface({ input: child.stdout })) {
        const step: { kind: string; parts?: UploadPartInfo[] } = JSON.parse(line);
        flushed = step.parts ?? flushed;
        seen += 1;
        if (seen === steps) child.kill('SIGKILL');
        else child.stdin.write('on\n');
      }
      return flushed;
    }
  });
}
