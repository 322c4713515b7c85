// Signed URLs of blobs: the time is rounded down, so that a browser can cache them, and never reaches beyond the asked end.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createS3Blobs } from '../../../src/adapters/s3/s3-blobs.ts';
import { parseProviderUrl } from '../../../src/kernel/net/provider-url.ts';
import { asFileId } from '../../helpers/people/ids.ts';

const place = parseProviderUrl('s3://KEY:SECRET@s3.example.com/bucket?prefix=files/', 'host') ?? assert.fail();
const blobs = createS3Blobs(place, '/nowhere');
const noon = Date.UTC(2031, 4, 5, 12);

async function sign(now: number, seconds: number): Promise<URL> {
  const url = await blobs.signUrl?.(asFileId('fil_1'), { seconds, now, type: 'text/plain', disposition: 'inline' });
  return new URL(url ?? assert.fail());
}

describe('the signed URL of a blob', () => {
  for (const [now, seconds, date] of [
    [noon, 120, '20310505T120000Z'],
    [noon + 59_999, 120, '20310505T120000Z'],
    [noon + 60_000, 120, '20310505T120100Z'],
    [noon + 29_999, 60, '20310505T120000Z'],
    [noon + 30_000, 60, '20310505T120030Z'],
    [noon + 1999, 3, '20310505T120001Z'],
    [noon + 999, 1, '20310505T120000Z'],
    [noon + 59_999, 3600, '20310505T120000Z'],
  ] as const) {
    it(`for ${seconds} s at noon and ${now - noon} ms is dated ${date}`, async () => {
      const { searchParams } = await sign(now, seconds);
      assert.equal(searchParams.get('X-Amz-Date'), date);
      assert.equal(searchParams.get('X-Amz-Expires'), String(seconds));
    });
  }

  it('names the blob behind the prefix, with type, disposition and caching', async () => {
    const { pathname, searchParams } = await sign(noon, 120);
    assert.equal(pathname, '/bucket/files/fil_1');
    assert.equal(searchParams.get('response-content-type'), 'text/plain');
    assert.equal(searchParams.get('response-content-disposition'), 'inline');
    assert.equal(searchParams.get('response-cache-control'), 'private, no-cache');
  });
});
