// Several ranges in one answer: parts that a client can take apart, and the length of all of them.
import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { multipartRanges } from '../../../src/http/transfer/multipart-ranges.ts';
import { fileId, memoryBlobs, recordOf, unavailable } from '../../helpers/blobs/memory-files.ts';

const file = recordOf(fileId(1), 'hello world');
const ranges = [
  { start: 6, end: 10 },
  { start: 0, end: 0 },
];
const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': '11', etag: '"abc"' };

describe('several ranges of a file', () => {
  it('the ranges are parts in the order in which they were asked, each with its type and place', async () => {
    const {
      status,
      headers: sent,
      content,
    } = multipartRanges(memoryBlobs({ [file.id]: 'hello world' }), file, headers, ranges, false);
    const boundary = /^multipart\/byteranges; boundary=([\w-]{24})$/.exec(sent['content-type'] ?? '')?.[1];
    const body = Buffer.concat(await (content as Readable).toArray()).toString();
    const head = `\r\n--${boundary}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-range: bytes `;
    assert.equal(body, `${head}6-10/11\r\n\r\nworld${head}0-0/11\r\n\r\nh\r\n--${boundary}--\r\n`);
    assert.deepEqual([status, sent['content-length'], sent.etag], [206, String(body.length), '"abc"']);
  });

  it('HEAD has the same headers and no content', () => {
    const answer = multipartRanges(memoryBlobs(), file, headers, ranges, true);
    const { headers: full } = multipartRanges(memoryBlobs(), file, headers, ranges, false);
    assert.equal('content' in answer, false);
    assert.equal(answer.headers['content-length'], full['content-length']);
    assert.notEqual(answer.headers['content-type'], full['content-type'], 'each boundary is new');
  });

  it('a storage that fails breaks the answer off', async () => {
    const blobs = memoryBlobs({}, { read: () => Promise.reject(unavailable()) });
    const { content } = multipartRanges(blobs, file, headers, ranges, false);
    await assert.rejects((content as Readable).toArray(), { code: 'STORAGE_UNAVAILABLE' });
  });
});
