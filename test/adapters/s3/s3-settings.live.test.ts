// What STORAGE_URL accepts for S3, what a wrong key or bucket causes, TLS, and that no error contains a secret.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import { createS3Blobs } from '../../../src/adapters/s3/s3-blobs.ts';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import { failsWith, keepBytes, makeFolder, providerUrl, readWhole, someBytes } from '../../helpers/blobs/blobs.ts';
import { startS3Server } from '../../helpers/blobs/s3-server.ts';
import { setS3Stage } from '../../helpers/blobs/s3-server-stage.ts';
import { localCertificate } from '../../helpers/blobs/s3-server-tls.ts';
import { asFileId } from '../../helpers/people/ids.ts';

describe('a storage URL for S3', () => {
  const unreadable = [
    's3://key:word@/bucket',
    's3://key:word@host',
    's3://key:word@host/',
    's3://key:word@host/bucket/folder',
    's3://key:word@ho st/bucket',
    's3://host/bucket',
    's3://key@host/bucket',
    's3://key:word@host/bucket?prefix=../other/',
    's3://key:word@host/bucket?prefix=/files/',
    's3://key:word@host/bucket?prefix=a//b',
    's3://key:word@host/bucket?prefix=a%20b',
  ];
  for (const text of unreadable) {
    it(`a bad STORAGE_URL for S3 is refused with a cure and without its secret: ${text}`, () => {
      assert.throws(
        () => createS3Blobs(providerUrl(text), '/nowhere'),
        (error: Error) =>
          /^STORAGE_URL cannot be used: .*Write s3:/.test(error.message) && !error.message.includes('word'),
      );
    });
  }

  it('a STORAGE_URL for S3 may omit region, port, prefix and TLS, and may name an IPv6 address', () => {
    for (const text of ['s3://key:word@s3.example.com/bucket', 's3://k:w%2F%40@[::1]:9000/my.bucket/?tls=0&prefix=a']) {
      assert.equal(createS3Blobs(providerUrl(text), '/nowhere').kind, 's3');
    }
  });
});

describe('S3 with wrong settings', () => {
  const stage = setS3Stage();
  const secret = 'wrong-Secret/+=word';
  const wrong: [string, Parameters<typeof stage.open>[1], RegExp][] = [
    ['key', { id: 'SOMEBODY', secret }, /403 InvalidAccessKeyId/],
    ['secret', { secret }, /403 SignatureDoesNotMatch/],
    ['bucket', { bucket: 'another-bucket' }, /404 NoSuchBucket/],
    ['region', { query: '&region=elsewhere' }, /400 AuthorizationHeaderMalformed/],
  ];
  for (const [name, changes, reason] of wrong) {
    it(`S3 with a wrong setting is unavailable, and the error says why: ${name}`, async () => {
      const blobs = stage.open({}, changes);
      assert.match(await failsWith('STORAGE_UNAVAILABLE', blobs.ping()), reason);
      assert.match(await failsWith('STORAGE_UNAVAILABLE', keepBytes(blobs, someBytes(10))), reason);
      assert.equal(stage.server.objects.size, 0);
      assert.ok(stage.server.seen.length <= 2);
    });
  }

  it('S3 is unavailable when the clocks differ too much', async () => {
    stage.server.skew = 20 * 60_000;
    assert.match(await failsWith('STORAGE_UNAVAILABLE', stage.blobs.ping()), /RequestTimeTooSkewed/);
    stage.server.skew = 0;
  });

  it('errors of S3 never contain a secret, a signature or what the server quotes of them', async () => {
    const blobs = stage.open({}, { secret });
    const text = await everyError(blobs);
    assert.ok(text.includes('SignatureDoesNotMatch'));
    for (const hidden of [secret, encodeURIComponent(secret), 'wrong-Secret', 'Signature=', 'AWS4-HMAC']) {
      assert.ok(!text.includes(hidden), hidden);
    }
  });
});

async function everyError(blobs: BlobStore): Promise<string> {
  const tries = [
    () => blobs.ping(),
    () => keepBytes(blobs, someBytes(10)),
    () => blobs.read(asFileId('fil_x'), { start: 0, end: 1 }, 2),
    () => blobs.remove(asFileId('fil_x')),
  ];
  const errors: unknown[] = [];
  for (const attempt of tries) await attempt().catch((error: unknown) => errors.push(error));
  assert.equal(errors.length, tries.length);
  return inspect(errors, { depth: 10, showHidden: true });
}

describe('S3 over TLS', () => {
  it('S3 over TLS is used only if the certificate is trusted', async (test) => {
    const server = await startS3Server(localCertificate);
    test.after(server.stop);
    const blobs = createS3Blobs(providerUrl(server.url()), makeFolder());
    assert.match(await failsWith('STORAGE_UNAVAILABLE', blobs.ping()), /CERT|SELF_SIGNED/);
    assert.deepEqual(server.seen, []);
    setDefaultCACertificates([localCertificate.cert]);
    const bytes = someBytes(3 * 2 ** 20);
    const id = await keepBytes(blobs, bytes);
    assert.ok((await readWhole(blobs, id, bytes.length)).equals(bytes));
    assert.equal((await fetch((await blobs.signUrl?.(id, urlOptions())) ?? '')).status, 200);
  });
});

function urlOptions() {
  return { seconds: 120, now: Date.now(), type: 'image/png', disposition: 'inline' };
}
