// The id of a request: a well-formed one of a proxy is kept, any other is replaced.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestId } from '../../../src/http/server/request-id.ts';

describe('the id of a request', () => {
  for (const given of ['a1B2c3D4', 'trace_id-9', 'x'.repeat(64)])
    it(`the id ${given.slice(0, 12)} (${given.length} characters) is kept`, () =>
      assert.equal(requestId(given), given));

  for (const given of [
    undefined,
    '',
    'a1B2c3D',
    'x'.repeat(65),
    'a1B2c3D4 ',
    'a1B2c3\n4',
    'a1B2c3D4é',
    '<script>',
    `gks_3fa94c1be07d_${'S'.repeat(43)}`,
    'my-gks_3fa94c1be07d',
    ['a1B2c3D4', 'a1B2c3D5'],
  ])
    it(`the id ${JSON.stringify(given)?.slice(0, 20)} is replaced by a new one each time`, () => {
      const [one, two] = [requestId(given), requestId(given)];
      assert.match(one, /^[\da-f]{8}-[\da-f-]{27}$/);
      assert.notEqual(one, two);
    });
});
