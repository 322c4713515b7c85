// A strict S3 server and a blob store with short time-outs, for one block of tests. After every test both must work again.

import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { createS3Blobs } from '../../../src/adapters/s3/s3-blobs.ts';
import type { S3Timing } from '../../../src/adapters/s3/s3-transport.ts';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import { newFileId } from '../../../src/files/stored-file.ts';
import type { FileId } from '../../../src/kernel/ids.ts';
import { keepBytes, makeFolder, providerUrl, readWhole, someBytes, spoolsIn } from './blobs.ts';
import { type S3Server, startS3Server } from './s3-server.ts';

/** Time-outs that a busy machine can meet, and very short pauses. */
const patient: S3Timing = {
  connectMilliseconds: 10_000,
  answerMilliseconds: 10_000,
  idleMilliseconds: 10_000,
  retryPausesMilliseconds: [5, 10],
};

type S3Stage = {
  readonly server: S3Server;
  readonly blobs: BlobStore;
  /** Another store on the same server, with other settings and shorter time-outs for tests that wait for them. */
  open(timing: Partial<S3Timing>, changes?: Parameters<S3Server['url']>[0]): BlobStore;
  /** Puts a blob directly into the server. */
  place(bytes: Buffer): FileId;
  /** The number of requests of a method since the start of the test. */
  count(method: string): number;
};

export function setS3Stage(): S3Stage {
  const folder = makeFolder();
  let server: S3Server | undefined;
  let blobs: BlobStore | undefined;
  const up = () => server ?? assert.fail('the stage is not set yet');
  const open: S3Stage['open'] = (timing, changes) =>
    createS3Blobs(providerUrl(up().url(changes)), folder, { ...patient, ...timing });
  const stage: S3Stage = {
    open,
    get server() {
      return up();
    },
    get blobs() {
      return blobs ?? assert.fail('the stage is not set yet');
    },
    place: (bytes) => {
      const id = newFileId();
      up().objects.set(id, { bytes, modifiedAt: Date.now(), type: 'application/octet-stream' });
      return id;
    },
    count: (method) => up().seen.filter((request) => request.method === method).length,
  };
  before(async () => {
    server = await startS3Server();
    blobs = open({});
  });
  afterEach(async () => {
    up().faults.clear();
    await recovers(stage.blobs);
    assert.deepEqual(await spoolsIn(folder), [], 'no spool is left behind');
    up().objects.clear();
    up().seen = [];
  });
  after(() => server?.stop());
  return stage;
}

/** The same store works again as soon as the server does. */
async function recovers(blobs: BlobStore): Promise<void> {
  const bytes = someBytes(1000);
  const id = await keepBytes(blobs, bytes);
  assert.ok((await readWhole(blobs, id, bytes.length)).equals(bytes));
  await blobs.remove(id);
  await blobs.ping();
}
