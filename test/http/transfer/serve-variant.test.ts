// Serving a variant: the headers of a file of its own, and never a redirect or a front proxy.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serveVariant } from '../../../src/http/transfer/serve-variant.ts';
import { clock, fileId, recordOf } from '../../helpers/blobs/memory-files.ts';

const bytes = Buffer.alloc(40_000, 'variant');
const file = recordOf(fileId(1), 'picture', { name: 'my.holiday.jpeg', type: 'image/jpeg' });

function serve(format: 'webp' | 'avif', headers: Record<string, string> = {}, isAttachment = false) {
  const source = { file, variant: { size: '320', format }, maxPixels: 1 };
  const header = (name: string) => headers[name];
  return serveVariant(source, bytes, clock, { header, isHead: false, isAttachment });
}

describe('serving a variant', () => {
  for (const [format, type] of [
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
  ] as const) {
    it(`a variant in ${format} has its own type, name, length and tag`, async () => {
      const { status, headers } = await serve(format);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], type);
      assert.equal(headers['content-length'], '40000');
      assert.equal(headers['content-disposition'], `inline; filename=my.holiday.${format}`);
      assert.equal(headers.vary, 'Accept, Authorization, Cookie, Origin');
      assert.equal(headers['x-accel-redirect'], undefined);
    });
  }

  it('a variant that the caller has is not sent again, and can be read in parts', async () => {
    const { headers } = await serve('webp');
    const known = await serve('webp', { 'if-none-match': headers.etag ?? '' });
    assert.deepEqual([known.status, known.content, known.headers.vary], [304, undefined, headers.vary]);
    const part = await serve('webp', { range: 'bytes=10-19' });
    assert.deepEqual([part.status, part.headers['content-range']], [206, 'bytes 10-19/40000']);
    await assert.rejects(serve('webp', { 'if-match': '"other"' }), { code: 'PRECONDITION_FAILED' });
  });

  it('a variant is saved if the caller wants it', async () => {
    const { headers } = await serve('webp', {}, true);
    assert.equal(headers['content-disposition'], 'attachment; filename=my.holiday.webp');
  });
});
