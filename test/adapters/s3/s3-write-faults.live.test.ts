// Storing, removing and listing in S3 when it fails: nothing is acknowledged that is not stored, and every fault ends in the right failure.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { createS3Blobs } from '../../../src/adapters/s3/s3-blobs.ts';
import { newFileId } from '../../../src/files/stored-file.ts';
import {
  failsWith,
  hexSha256,
  keepBytes,
  listIds,
  makeFolder,
  providerUrl,
  readWhole,
  someBytes,
  spoolOf,
} from '../../helpers/blobs/blobs.ts';
import type { S3Fault } from '../../helpers/blobs/s3-server-faults.ts';
import { setS3Stage } from '../../helpers/blobs/s3-server-stage.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const mebibyte = 2 ** 20;

describe('storing in S3', () => {
  const stage = setS3Stage();

  const passing: S3Fault[] = [
    { kind: 'status', status: 500, code: 'InternalError' },
    { kind: 'status', status: 502 },
    { kind: 'status', status: 503, code: 'SlowDown' },
    { kind: 'status', status: 429 },
    { kind: 'status', status: 400, code: 'RequestTimeout' },
    { kind: 'error in 200', code: 'InternalError' },
    { kind: 'reset in request', bytes: 100_000 },
    { kind: 'lost answer' },
  ];
  for (const fault of passing) {
    it(`storing in S3 retries twice from the local spool and gives up at the third failure: ${describeFault(fault)}`, async () => {
      const bytes = someBytes(mebibyte);
      stage.server.faults.add('PUT', fault, 2);
      const id = await keepBytes(stage.blobs, bytes);
      assert.equal(stage.count('PUT'), 3);
      assert.ok((await readWhole(stage.blobs, id, bytes.length)).equals(bytes));
      stage.server.faults.add('PUT', fault);
      await failsWith('STORAGE_UNAVAILABLE', keepBytes(stage.blobs, bytes));
      assert.equal(stage.count('PUT'), 6);
    });
  }

  const full: S3Fault[] = [
    { kind: 'status', status: 507 },
    { kind: 'status', status: 507, code: 'XMinioStorageFull' },
    { kind: 'status', status: 403, code: 'QuotaExceeded' },
    { kind: 'error in 200', code: 'QuotaExceeded' },
    { kind: 'early refusal', status: 507, code: 'InsufficientStorage' },
  ];
  for (const fault of full) {
    it(`storing in S3 reports a full storage at once: ${describeFault(fault)}`, async () => {
      stage.server.faults.add('PUT', fault);
      const id = newFileId();
      await failsWith('STORAGE_FULL', keepBytes(stage.blobs, someBytes(1000), id));
      assert.equal(stage.count('PUT'), 1);
      assert.ok(!stage.server.objects.has(id));
    });
  }

  const lasting: [S3Fault, number][] = [
    [{ kind: 'status', status: 403, code: 'AccessDenied' }, 1000],
    [{ kind: 'status', status: 301, code: 'PermanentRedirect' }, 1000],
    [{ kind: 'status', status: 204 }, 1000],
    [{ kind: 'page in 200' }, 1000],
    [{ kind: 'slow first byte', milliseconds: 800 }, 1000],
    [{ kind: 'stalled request' }, 1000],
    [{ kind: 'stalled request' }, 16 * mebibyte],
  ];
  for (const [fault, size] of lasting) {
    it(`storing in S3 does not retry if that cannot help: ${describeFault(fault)}, ${size} bytes`, async () => {
      stage.server.faults.add('PUT', fault);
      const blobs = stage.open({ idleMilliseconds: 200 });
      await failsWith('STORAGE_UNAVAILABLE', keepBytes(blobs, someBytes(size)));
      assert.ok(stage.count('PUT') <= 1);
    });
  }

  it('storing in S3 does not accept a 200 before the body is sent', async () => {
    const id = newFileId();
    stage.server.faults.add('PUT', { kind: 'hasty 200' });
    await failsWith('STORAGE_UNAVAILABLE', keepBytes(stage.blobs, someBytes(16 * mebibyte), id));
    assert.ok(!stage.server.objects.has(id));
  });

  it('storing in S3 survives a refusal in the middle of a large body', async () => {
    const id = newFileId();
    stage.server.faults.add('PUT', { kind: 'early refusal', status: 403, code: 'AccessDenied' });
    await failsWith('STORAGE_UNAVAILABLE', keepBytes(stage.blobs, someBytes(16 * mebibyte), id));
    assert.ok(!stage.server.objects.has(id));
  });

  it('an object that S3 stores too late is not acknowledged, and can be listed, stored again and removed', async () => {
    const bytes = someBytes(1000);
    const id = newFileId();
    const late = Promise.withResolvers<void>();
    stage.server.faults.add('PUT', { kind: 'late success', until: late.promise }, 1);
    const impatient = stage.open({ idleMilliseconds: 200 });
    await failsWith('STORAGE_UNAVAILABLE', keepBytes(impatient, bytes, id));
    assert.ok(!stage.server.objects.has(id));
    late.resolve();
    await waitUntil('the server has the object', () => stage.server.objects.has(id));
    assert.ok((await listIds(stage.blobs)).includes(id));
    await keepBytes(stage.blobs, bytes, id);
    await stage.blobs.remove(id);
    assert.ok(!(await listIds(stage.blobs)).includes(id));
  });

  it('S3 storage fails while the server is down and works when it is back, over connections that broke in between', async () => {
    const id = await keepBytes(stage.blobs, someBytes(10));
    await stage.server.stop();
    await failsWith('STORAGE_UNAVAILABLE', keepBytes(stage.blobs, someBytes(10)));
    await failsWith('STORAGE_UNAVAILABLE', stage.blobs.read(id, { start: 0, end: 9 }, 10));
    await failsWith('STORAGE_UNAVAILABLE', stage.blobs.remove(id));
    await failsWith('STORAGE_UNAVAILABLE', listIds(stage.blobs));
    await failsWith('STORAGE_UNAVAILABLE', stage.blobs.ping());
    await stage.server.start();
    await Promise.all(Array.from({ length: 10 }, () => keepBytes(stage.blobs, someBytes(10))));
    await stage.server.stop();
    await stage.server.start();
    await keepBytes(stage.blobs, someBytes(10));
  });

  it('a failed store in S3 leaves nothing of the replacement of a spool', async () => {
    stage.server.faults.add('PUT', { kind: 'status', status: 403, code: 'AccessDenied' });
    const spool = await spoolOf(stage.blobs, someBytes(1000));
    const rest = someBytes(490);
    await writeFile(`${spool.path}-rest`, rest);
    await spool.replace(`${spool.path}-rest`, rest.length);
    await failsWith('STORAGE_UNAVAILABLE', stage.blobs.keep(spool, newFileId(), hexSha256(rest)));
    await spool.discard();
    assert.deepEqual(await readdir(dirname(spool.path)), []);
  });

  it('storing in S3 fails if its spool is gone', async () => {
    const id = newFileId();
    const spool = await spoolOf(stage.blobs, someBytes(1000));
    await spool.discard();
    await failsWith('STORAGE_UNAVAILABLE', stage.blobs.keep(spool, id, '0'.repeat(64)));
    assert.ok(!stage.server.objects.has(id));
  });

  it('connecting to S3 times out if the connection is never established', async (test) => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    test.after(() => {
      for (const socket of sockets) socket.destroy();
      mute.close();
    });
    await once(mute, 'listening');
    const place = `127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const timing = { connectMilliseconds: 50, retryPausesMilliseconds: [5, 5] };
    const blobs = createS3Blobs(providerUrl(`s3://id:word@${place}/bucket`), makeFolder(), timing);
    assert.match(await failsWith('STORAGE_UNAVAILABLE', blobs.ping()), /connect time-out/);
    // The client may give up before the server has accepted the connection.
    await waitUntil('three connections', () => sockets.length >= 3);
    assert.equal(sockets.length, 3);
  });
});

describe('removing from S3', () => {
  const stage = setS3Stage();

  it('removing from S3 accepts 404 as success, and no other refusal', async () => {
    stage.server.faults.add('DELETE', { kind: 'status', status: 404, code: 'NoSuchKey' }, 1);
    await stage.blobs.remove(newFileId());
    stage.server.faults.add('DELETE', { kind: 'status', status: 503, code: 'SlowDown' }, 2);
    await stage.blobs.remove(newFileId());
    stage.server.faults.add('DELETE', { kind: 'status', status: 500 }, 3);
    await failsWith('STORAGE_UNAVAILABLE', stage.blobs.remove(newFileId()));
    stage.server.faults.add('DELETE', { kind: 'status', status: 403, code: 'AccessDenied' }, 1);
    await failsWith('STORAGE_UNAVAILABLE', stage.blobs.remove(newFileId()));
  });
});

describe('listing S3', () => {
  const stage = setS3Stage();
  const object = '<Contents><Key>k</Key><Size>1</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>';
  const two = ['b', 'a'].map((end) => object.replace('>k<', `>fil_${'x'.repeat(21)}${end}<`)).join('');
  const odd: [string, string][] = [
    ['nothing', ''],
    ['a page', '<!doctype html><title>Welcome</title>'],
    ['an error', '<Error><Code>InternalError</Code></Error>'],
    ['a list cut off', `<ListBucketResult><IsTruncated>false</IsTruncated>${object}`],
    [
      'a list cut off in an object',
      `<ListBucketResult><IsTruncated>false</IsTruncated>${object.slice(0, 40)}</ListBucketResult>`,
    ],
    ['IsTruncated missing', `<ListBucketResult>${object}</ListBucketResult>`],
    ['further pages without a token', `<ListBucketResult><IsTruncated>true</IsTruncated>${object}</ListBucketResult>`],
    [
      'an object without size',
      `<ListBucketResult><IsTruncated>false</IsTruncated>${object.replace('1', '')}</ListBucketResult>`,
    ],
    [
      'an object without time',
      `<ListBucketResult><IsTruncated>false</IsTruncated>${object.replace('2026', '')}</ListBucketResult>`,
    ],
    [
      'a list cut off behind an object',
      `<ListBucketResult><IsTruncated>false</IsTruncated>${object}${object.slice(0, 10)}`,
    ],
    [
      'IsTruncated twice',
      `<ListBucketResult><IsTruncated>false</IsTruncated><IsTruncated>true</IsTruncated></ListBucketResult>`,
    ],
    ['blobs out of order', `<ListBucketResult><IsTruncated>false</IsTruncated>${two}</ListBucketResult>`],
    [
      'the same token forever',
      '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>eA==</NextContinuationToken></ListBucketResult>',
    ],
  ];
  for (const [name, xml] of odd) {
    it(`listing S3 fails rather than omit a blob: ${name}`, async () => {
      stage.server.faults.add('GET', { kind: 'odd list', xml });
      await failsWith('STORAGE_UNAVAILABLE', listIds(stage.blobs));
    });
  }

  it('listing S3 fails if the server does not start at the requested key', async () => {
    const ids = [stage.place(someBytes(1)), stage.place(someBytes(1))].toSorted();
    const all = ids.map((id) => object.replace('>k<', `>${id}<`)).join('');
    const xml = `<ListBucketResult><IsTruncated>false</IsTruncated>${all}</ListBucketResult>`;
    stage.server.faults.add('GET', { kind: 'odd list', xml });
    await failsWith('STORAGE_UNAVAILABLE', Array.fromAsync(stage.blobs.list({ after: ids[0] ?? '' })));
  });

  it('a failing S3 storage is never taken for an unclaimed one', async () => {
    assert.equal(await stage.blobs.readMark(), undefined);
    for (const [status, code] of [
      [404, 'NoSuchBucket'],
      [404, ''],
      [403, 'AccessDenied'],
    ] as const) {
      stage.server.faults.add('GET', { kind: 'status', status, code });
      await failsWith('STORAGE_UNAVAILABLE', stage.blobs.readMark());
    }
    await failsWith('STORAGE_UNAVAILABLE', stage.open({}, { bucket: 'nowhere' }).readMark());
  });

  it('listing S3 retries a failure between two pages, and fails if it lasts', async () => {
    const ids: string[] = [];
    for (let round = 0; round < 6; round++) ids.push(stage.place(someBytes(round)));
    stage.server.pageSize = 4;
    const found: string[] = [];
    for await (const { id } of stage.blobs.list()) {
      if (found.length === 0) stage.server.faults.add('GET', { kind: 'status', status: 503 }, 2);
      found.push(id);
    }
    assert.deepEqual(found.toSorted(), ids.toSorted());
    stage.server.faults.add('GET', { kind: 'slow first byte', milliseconds: 800 }, 1);
    await failsWith('STORAGE_UNAVAILABLE', listIds(stage.open({ idleMilliseconds: 200 })));
  });
});

function describeFault(fault: S3Fault): string {
  return Object.values(fault).join(' ');
}
