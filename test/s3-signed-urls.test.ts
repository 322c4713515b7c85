// Signed URLs give the blob to whoever has them, with the headers that were signed, and for a short while only.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createS3Blobs } from '../src/adapters/s3/s3-blobs.ts';
import type { BlobStore } from '../src/files/blob-store.ts';
import { randomText } from '../src/kernel/random.ts';
import { keepBytes, makeFolder, providerUrl, someBytes } from './support/blobs.ts';
import { startS3Server } from './support/s3-server.ts';

const bytes = someBytes(100_000);
const type = 'text/plain; charset=utf-8';
const disposition = `attachment; filename="a b+c.txt"; filename*=UTF-8''%E2%82%AC%20(a)%27b%27!.txt`;
const minute = 60_000;
const realUrl = process.env.TEST_S3_URL;

givesSignedUrls('strict server', async () => {
  const server = await startS3Server();
  return { url: server.url({ query: '&prefix=files/' }), end: server.stop };
});

if (realUrl !== undefined) {
  givesSignedUrls('TEST_S3_URL', async () => {
    return { url: `${realUrl}&prefix=signed-${randomText(9)}/`, end: async () => undefined };
  });
}

function givesSignedUrls(name: string, open: () => Promise<{ url: string; end(): Promise<void> }>): void {
  describe(`signed URLs: ${name}`, () => {
    const folder = makeFolder();
    let blobs: BlobStore;
    let id: string;
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

    it('give the bytes with the type, name and caching that were signed', async () => {
      const response = await fetch(await sign());
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), type);
      assert.equal(response.headers.get('content-disposition'), disposition);
      assert.equal(response.headers.get('cache-control'), 'private, no-cache');
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes));
    });

    it('give a range', async () => {
      const response = await fetch(await sign(), { headers: { range: 'bytes=10-19' } });
      assert.equal(response.status, 206);
      assert.equal(response.headers.get('content-range'), 'bytes 10-19/100000');
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(10, 20)));
    });

    it('are the same within a minute and others in the next', async () => {
      const start = Math.floor(Date.now() / minute) * minute;
      assert.equal(await sign(start), await sign(start + minute - 1));
      assert.notEqual(await sign(start), await sign(start + minute));
      assert.notEqual(await sign(start), await sign(start, 121));
    });

    it('end in time', async () => {
      assert.equal((await fetch(await sign(Date.now() - 50_000))).status, 200);
      assert.equal((await fetch(await sign(Date.now() - 121_000))).status, 403);
    });

    it('are alive when they are given, however short they live', async () => {
      for (const seconds of [5, 10, 59, 60, 61, 119]) {
        assert.equal((await fetch(await sign(Date.now(), seconds))).status, 200, `${seconds} s`);
      }
    });

    it('hold for nothing but what was signed', async () => {
      const url = await sign();
      const changed = [
        url.replace('X-Amz-Expires=120', 'X-Amz-Expires=86400'),
        url.replace(id, `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`),
        url.replace('text%2Fplain', 'text%2Fhtml'),
        url.replace(/Signature=.{4}/, 'Signature=0000'),
        url.replace(/\?.*/, ''),
      ];
      for (const other of changed) assert.equal((await fetch(other)).status, 403, other);
      assert.equal((await fetch(url, { method: 'DELETE' })).status, 403);
      assert.equal((await fetch(url, { method: 'PUT', body: 'x' })).status, 403);
      assert.equal((await fetch(url)).status, 200);
    });

    it('are refused together with an Authorization header', async () => {
      const response = await fetch(await sign(), { headers: { authorization: 'Bearer abc' } });
      assert.ok(response.status === 400 || response.status === 403);
    });

    it('do not hold the secret', async () => {
      assert.ok(!decodeURIComponent(await sign()).includes('secret'));
    });
  });
}
