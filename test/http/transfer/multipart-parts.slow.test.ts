// Forms cut at every position, and in chunks of every size.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  boundaries,
  cut,
  findBadCuts,
  findBadSteps,
  formOf,
  formResult,
  readForm,
} from '../../helpers/requests/upload-form.ts';

describe('a form cut anywhere', () => {
  for (const boundary of boundaries) {
    it(`a form is read completely at every position of one cut, boundary of ${boundary.length} characters`, async () => {
      assert.deepEqual(await findBadCuts(boundary, () => true), []);
    });

    it(`a form is read completely in chunks of 1 to 70 bytes, boundary of ${boundary.length} characters`, async () => {
      const steps = Array.from({ length: 70 }, (_, index) => index + 1);
      assert.deepEqual(await findBadSteps(boundary, steps), []);
    });
  }

  it('a form is read completely when chunks end with any number of bytes of a false delimiter', async () => {
    const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
    const delimiter = Buffer.from(`\r\n--${boundary}`);
    for (let length = 1; length < delimiter.length; length++) {
      const file = Buffer.alloc(200_000, 'x');
      const before = formOf(boundary, Buffer.alloc(0)).indexOf('\r\n\r\n\r\n') + 4;
      // Each chunk but the last ends in that many bytes of the delimiter.
      for (let end = 65_536; end - before < file.length; end += 65_536)
        delimiter.copy(file, end - before - length, 0, length);
      assert.equal(
        await readForm(boundary, cut(formOf(boundary, file), 65_536)),
        formResult(file),
        `${length} bytes of it`,
      );
    }
  });
});
