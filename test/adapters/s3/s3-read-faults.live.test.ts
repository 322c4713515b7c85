// Reading from S3 when it fails: the right bytes or a failure, never a short or wrong body that looks complete.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import type { FileId } from '../../../src/kernel/ids.ts';
import { failsWith, readBytes, readWhole, someBytes } from '../../helpers/blobs/blobs.ts';
import type { S3Fault } from '../../helpers/blobs/s3-server-faults.ts';
import { setS3Stage } from '../../helpers/blobs/s3-server-stage.ts';
import { asFileId } from '../../helpers/people/ids.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const bytes = someBytes(2 ** 20);
const size = bytes.length;

describe('reading from S3', () => {
  const stage = setS3Stage();

  const passing: S3Fault[] = [
    { kind: 'status', status: 500, code: 'InternalError' },
    { kind: 'status', status: 503, code: 'SlowDown' },
  ];
  for (const fault of passing) {
    it(`reading from S3 retries twice and gives up at the third failure: ${describeFault(fault)}`, async () => {
      const id = stage.place(bytes);
      stage.server.faults.add('GET', fault, 2);
      assert.ok((await readWhole(stage.blobs, id, size)).equals(bytes));
      stage.server.faults.add('GET', fault);
      await failsWith('STORAGE_UNAVAILABLE', stage.blobs.read(id, { start: 0, end: size - 1 }, size));
      assert.equal(stage.count('GET'), 6);
    });
  }

  const wrong: S3Fault[] = [
    { kind: 'wrong length', difference: -1 },
    { kind: 'wrong length', difference: 1 },
    { kind: 'no length' },
    { kind: 'status', status: 403, code: 'AccessDenied' },
    { kind: 'status', status: 404, code: 'NoSuchKey' },
    { kind: 'status', status: 302 },
    { kind: 'slow first byte', milliseconds: 800 },
  ];
  for (const fault of wrong) {
    it(`reading from S3 fails before the first byte, whole and by range: ${describeFault(fault)}`, async () => {
      const id = stage.place(bytes);
      stage.server.faults.add('GET', fault);
      const blobs = fault.kind === 'slow first byte' ? stage.open({ answerMilliseconds: 200 }) : stage.blobs;
      await failsWith('STORAGE_UNAVAILABLE', blobs.read(id, { start: 0, end: size - 1 }, size));
      await failsWith('STORAGE_UNAVAILABLE', blobs.read(id, { start: 5, end: 500_000 }, size));
      assert.ok(stage.count('GET') <= 2);
    });
  }

  for (const kind of ['range ignored', 'range moved'] as const) {
    it(`reading from S3 fails before the first byte when another range arrives: ${kind}`, async () => {
      const id = stage.place(bytes);
      stage.server.faults.add('GET', { kind });
      await failsWith('STORAGE_UNAVAILABLE', stage.blobs.read(id, { start: 5, end: 9 }, size));
      await failsWith('STORAGE_UNAVAILABLE', stage.blobs.read(id, { start: 0, end: size - 2 }, size));
    });
  }

  const broken: S3Fault[] = [0, 1, 100_000, size - 2].flatMap((count): S3Fault[] => [
    { kind: 'truncated body', bytes: count },
    { kind: 'stalled body', bytes: count },
  ]);
  for (const fault of broken) {
    it(`reading from S3 ends in an error when the body is incomplete: ${describeFault(fault)}`, async () => {
      const id = stage.place(bytes);
      stage.server.faults.add('GET', fault);
      const blobs = fault.kind === 'stalled body' ? stage.open({ idleMilliseconds: 200 }) : stage.blobs;
      await breaksOff(blobs, id, 0, size - 1);
      await breaksOff(blobs, id, 1, size - 1);
    });
  }

  it('reading from S3 ends in an error when the server dies in the middle of a body', async () => {
    const id = stage.place(someBytes(32 * 2 ** 20));
    const stream = await stage.blobs.read(id, { start: 0, end: 32 * 2 ** 20 - 1 }, 32 * 2 ** 20);
    let isStopped: Promise<void> | undefined;
    await failsWith(
      'STORAGE_UNAVAILABLE',
      (async () => {
        for await (const _chunk of stream) isStopped ??= stage.server.stop();
      })(),
    );
    await isStopped;
    await stage.server.start();
  });

  it('reading from S3 does not mistake a slow reader for a slow server', async () => {
    const large = someBytes(16 * 2 ** 20);
    const id = stage.place(large);
    const blobs = stage.open({ idleMilliseconds: 1000 });
    const stream = await blobs.read(id, { start: 0, end: large.length - 1 }, large.length);
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (chunks.length === 3) await sleep(1500);
      chunks.push(chunk);
    }
    assert.ok(Buffer.concat(chunks).equals(large));
  });

  it('reading from S3 keeps a complete body for a slow reader', async () => {
    const id = stage.place(bytes.subarray(0, 1000));
    const stream = await stage.open({ idleMilliseconds: 200 }).read(id, { start: 0, end: 999 }, 1000);
    await once(stream, 'readable');
    await sleep(500);
    assert.ok(Buffer.concat(await stream.toArray()).equals(bytes.subarray(0, 1000)));
  });

  it('reading from S3 tolerates a server that is slow but makes progress', async () => {
    const id = stage.place(bytes.subarray(0, 8000));
    stage.server.faults.add('GET', { kind: 'dripping body', parts: 40, pauseMilliseconds: 50 });
    const found = await readWhole(stage.open({ idleMilliseconds: 1500 }), id, 8000);
    assert.ok(found.equals(bytes.subarray(0, 8000)));
  });

  it('reading from S3 closes the connections of readers that never start', async () => {
    const id = stage.place(bytes.subarray(0, 1000));
    const streams = await Promise.all(
      Array.from({ length: 10 }, () => stage.blobs.read(id, { start: 0, end: 999 }, 1000)),
    );
    const { open } = stage.server.connections;
    for (const stream of streams) stream.destroy();
    await waitUntil('ten connections are closed', () => stage.server.connections.open <= open - 10);
    assert.equal(stage.server.connections.open, open - 10);
  });

  it('reading from S3 closes the connection of a reader that stops while the server is silent', async () => {
    const id = stage.place(bytes);
    stage.server.faults.add('GET', { kind: 'stalled body', bytes: 10 }, 1);
    const stream = await stage.blobs.read(id, { start: 0, end: size - 1 }, size);
    for await (const _chunk of stream) break;
    await waitUntil('the server has noticed the closed connection', () => stage.count('GET') > 0);
    assert.equal(stage.count('GET'), 1, 'the server has noticed the closed connection');
    assert.ok((await readBytes(stage.blobs, id, 3, 4, size)).equals(bytes.subarray(3, 5)));
  });

  it('reading from S3 reuses its connection after a complete body and after a refusal', async () => {
    const id = stage.place(bytes);
    const before = stage.server.connections.opened;
    for (let round = 0; round < 10; round++) {
      await readWhole(stage.blobs, id, size);
      await failsWith('STORAGE_UNAVAILABLE', stage.blobs.read(asFileId('fil_none'), { start: 0, end: 0 }, 1));
    }
    assert.equal(stage.server.connections.opened, before);
  });
});

/** All received bytes are right, and the stream ends in an error. */
async function breaksOff(blobs: BlobStore, id: FileId, start: number, end: number): Promise<void> {
  const stream = await blobs.read(id, { start, end }, size);
  const chunks: Buffer[] = [];
  const read = async () => {
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  };
  const error = await read().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Failure && error.code === 'STORAGE_UNAVAILABLE');
  const came = Buffer.concat(chunks);
  assert.ok(came.length < end - start + 1);
  assert.ok(came.equals(bytes.subarray(start, start + came.length)));
}

function describeFault(fault: S3Fault): string {
  return Object.values(fault).join(' ');
}
