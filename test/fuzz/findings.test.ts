// What a search has found in readers of requests, each as the smallest input that shows it, built by hand.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanFileName } from '../../src/files/file-name.ts';
import { multipartParts } from '../../src/http/transfer/multipart-parts.ts';
import { Failure } from '../../src/kernel/failure.ts';
import { requestOf } from '../helpers/requests/request-of.ts';

describe('a reader of requests', () => {
  it('a cleaned file name stays the same when a removed character stood between a letter and its accent', () => {
    const name = cleanFileName('e|\u0301.png', 'image/png');
    assert.equal(name, '\u00e9.png');
    assert.equal(cleanFileName(name, 'image/png'), name);
  });

  it('a part of a form without a name is ignored', async () => {
    const body =
      '--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B\r\nContent-Disposition: form-data; name="a"\r\n\r\ny\r\n--B--';
    const headers = { 'content-type': 'multipart/form-data; boundary=B' };
    const request = requestOf([Buffer.from(body)], { headers });
    const parts = await Array.fromAsync(
      multipartParts(request, { bytes: 1000, refusal: new Failure('FILE_TOO_LARGE', { limit: '1 KiB' }) }),
    );
    assert.deepEqual(parts, [{ kind: 'field', name: 'a', value: 'y' }]);
  });
});
