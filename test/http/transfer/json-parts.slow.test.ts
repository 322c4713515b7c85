// JSON uploads cut at many more places than the unit tests do, and many more broken bodies.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../helpers/faults/rounds.ts';
import { brokenBodies, parseWhole, readInSteps } from '../../helpers/requests/json-upload.ts';

describe('a JSON upload cut anywhere', () => {
  it('a JSON upload gives the same result as a parser of the whole body, for any bytes and chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(brokenBodies(), async (body) => {
        const got = await readInSteps(body, [1 << 16, 1, 2, 3, 5, 7]);
        assert.equal(typeof got === 'string' ? 'refused' : got.file, parseWhole(body), body);
      }),
      { numRuns: rounds(200), seed },
    );
  });

  it('a long JSON upload returns its bytes in chunks of any size', async () => {
    for (const size of [20_000, 20_001, 20_002, 300_000]) {
      const bytes = randomBytes(size);
      for (const encoding of ['base64', 'base64url'] as const) {
        const got = await readInSteps(JSON.stringify({ content: bytes.toString(encoding) }), [1 << 16, 997, 4099]);
        assert.equal(typeof got === 'string' ? got : got.file, bytes.toString('hex'));
      }
    }
  });
});
