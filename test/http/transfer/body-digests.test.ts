// The digests of a body (Content-Digest), however it is read: as it comes, kept, iterated, or as a form.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { eachChunk } from '../../../src/files/spool/chunks.ts';
import { uploadTimes } from '../../../src/files/uploads/upload-times.ts';
import { withDigests } from '../../../src/http/transfer/body-digests.ts';
import { type Body, bodyOf } from '../../../src/http/transfer/upload-body.ts';
import { requestOf } from '../../helpers/requests/request-of.ts';
import { formOf, formResult, readForm } from '../../helpers/requests/upload-form.ts';

const digestsOf = (content: string | Buffer) =>
  (['sha256', 'sha512'] as const).map((algorithm) => ({ algorithm, value: hash(algorithm, content, 'buffer') }));

describe('a body with digests', () => {
  const readings: Readonly<Record<string, (body: Body) => Promise<unknown>>> = {
    'as it comes': (body) => eachChunk(body, () => undefined),
    'and kept': (body) => body.give(() => undefined),
    'and awaited chunk by chunk': (body) => body.each(async () => undefined),
    'by iteration': (body) => Array.fromAsync(body),
  };
  for (const [how, read] of Object.entries(readings))
    it(`read ${how} fails at its end if one of them is of other bytes`, async () => {
      const bodyWith = (digests: ReturnType<typeof digestsOf>) =>
        withDigests(bodyOf(requestOf([Buffer.from('who'), Buffer.from('le')]), 100, uploadTimes), digests);
      await read(bodyWith(digestsOf('whole')));
      const [right] = digestsOf('whole');
      const [, wrong] = digestsOf('wholE');
      assert.ok(right && wrong);
      await assert.rejects(read(bodyWith([right, wrong])), { code: 'FILE_DIGEST_MISMATCH' });
    });

  it('counts what follows the end of a form', async () => {
    const file = Buffer.from('words');
    const [form, rest] = [formOf('B', file), Buffer.from('\r\nmore')];
    assert.equal(await readForm('B', [form, rest], digestsOf(Buffer.concat([form, rest]))), formResult(file));
    assert.match(await readForm('B', [form, rest], digestsOf(form)), / FILE_DIGEST_MISMATCH$/);
  });
});
