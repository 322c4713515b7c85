// Signed URLs serve the blob to anyone who has them, with the signed headers, and for a short time only.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createS3Blobs } from '../../../src/adapters/s3/s3-blobs.ts';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import { randomText } from '../../../src/kernel/crypto/random.ts';
import type { FileId } from '../../../src/kernel/ids.ts';
import { keepBytes, makeFolder, providerUrl, someBytes } from '../../helpers/blobs/blobs.ts';
import { startS3Server } from '../../helpers/blobs/s3-server.ts';

const bytes = someBytes(100_000);
const type = 'text/plain; charset=utf-8';
const disposition = `attachment; filename="a b+c.txt"; filename*=UTF-8''%E2%82%AC%20(a)%27b%27!.txt`;
const minute = 60_000;
const realUrl = process.env.TEST_S3_URL;

testSignedUrls('strict server', async () => {
  const server = await startS3Server();
  return { url: server.url({ query: '&prefix=files/' }), end: server.stop };
});

if (realUrl !== undefined) {
  testSignedUrls('TEST_S3_URL', async () => {
    return { url: `${realUrl}&prefix=signed-${randomText(9)}/`, end: async () => undefined };
  });
}

function testSignedUrls(name: string, open: () => Promise<{ url: string; end(): Promise<void> }>): void {
  describe(`signed URLs: ${name}`, () => {
    const folder = makeFolder();
    let blobs: BlobStore;
    let id: FileId;
    let end: () => Promise<void>;
    before(async () => {
      const opened = await open();
      ({ end } = opened);
      blobs = createS3Blobs(providerUrl(opened.url), folder);
      id = await keepBytes(blobs, bytes);
    });
    after(async () => {
      await blobs.remove(id);
      await end();
    });
    const sign = async (now = Date.now(), seconds = 120) => {
      const url = await blobs.signUrl?.(id, { seconds, now, type, disposition });
      assert.ok(url);
      return url;
    };

    it('a signed URL serves the bytes with the signed type, name and caching', async () => {
      const response = await fetch(await sign());
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), type);
      assert.equal(response.headers.get('content-disposition'), disposition);
      assert.equal(response.headers.get('cache-control'), 'private, no-cache');
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes));
    });

    it('a signed URL serves a range', async () => {
      const response = await fetch(await sign(), { headers: { range: 'bytes=10-19' } });
      assert.equal(response.status, 206);
      assert.equal(response.headers.get('content-range'), 'bytes 10-19/100000');
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(10, 20)));
    });

    it('a signed URL is the same within a minute and another in the next', async () => {
      const start = Math.floor(Date.now() / minute) * minute;
      assert.equal(await sign(start), await sign(start + minute - 1));
      assert.notEqual(await sign(start), await sign(start + minute));
      assert.notEqual(await sign(start), await sign(start, 121));
    });

    it('a signed URL expires in time', async () => {
      assert.equal((await fetch(await sign(Date.now() - 50_000))).status, 200);
      assert.equal((await fetch(await sign(Date.now() - 121_000))).status, 403);
    });

    it('a signed URL is valid when it is issued, however short its life', async () => {
      for (const seconds of [5, 10, 59, 60, 61, 119]) {
        assert.equal((await fetch(await sign(Date.now(), seconds))).status, 200, `${seconds} s`);
      }
    });

    it('a signed URL is valid for nothing but what was signed', async () => {
      const url = await sign();
      const changed = [
        url.replace('X-Amz-Expires=120', 'X-Amz-Expires=86400'),
        url.replace(id, `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`),
        url.replace('text%2Fplain', 'text%2Fhtml'),
        url.replace(/Signature=./, (start) => (start.endsWith('0') ? 'Signature=1' : 'Signature=0')),
        url.replace(/\?.*/, ''),
      ];
      for (const other of changed) assert.equal((await fetch(other)).status, 403, other);
      assert.equal((await fetch(url, { method: 'DELETE' })).status, 403);
      assert.equal((await fetch(url, { method: 'PUT', body: 'x' })).status, 403);
      assert.equal((await fetch(url)).status, 200);
    });

    it('a signed URL is refused together with an Authorization header', async () => {
      const response = await fetch(await sign(), { headers: { authorization: 'Bearer abc' } });
      assert.ok(response.status === 400 || response.status === 403);
    });

    it('a signed URL does not contain the secret', async () => {
      assert.ok(!decodeURIComponent(await sign()).includes('secret'));
    });
  });
}
