// Low-s signatures: of the two valid forms of a signature, the service writes and accepts only one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isLowS, toLowS } from '../../../src/auth/tokens/low-s.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';

const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const half = order / 2n;
const runs = { numRuns: rounds(300), seed };

const bytes = (number: bigint) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
const signature = (r: bigint, s: bigint) => Buffer.concat([bytes(r), bytes(s)]);
const sOf = (given: Buffer) => BigInt(`0x${given.toString('hex', 32)}`);

describe('a signature', () => {
  const cases: [what: string, Buffer, isLow: boolean][] = [
    ['with the lowest s', signature(5n, 1n), true],
    ['with s of half the order', signature(5n, half), true],
    ['with s one above half the order', signature(5n, half + 1n), false],
    ['with the highest s', signature(5n, order - 1n), false],
    ['with a high r and a low s', signature(order - 1n, 1n), true],
    ['without bytes', Buffer.alloc(0), false],
    ['that is a byte too short', Buffer.alloc(63), false],
    ['that is a byte too long', Buffer.alloc(65), false],
  ];
  for (const [what, given, isLow] of cases) {
    it(`a signature ${what} is ${isLow ? 'low' : 'not low'}`, () => assert.equal(isLowS(given), isLow));
  }

  it('a signature with any s is low exactly if s is at most half the order', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: order - 1n }), (s) => assert.equal(isLowS(signature(7n, s)), s <= half)),
      runs,
    );
  });

  it('a signature with a high s becomes the one with the order minus s, and the given one is not changed', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: order - 1n }), fc.bigInt({ min: 1n, max: order - 1n }), (r, s) => {
        const given = signature(r, s);
        const low = toLowS(given);
        assert.equal(sOf(low), s <= half ? s : order - s);
        assert.deepEqual(low.subarray(0, 32), bytes(r));
        assert.deepEqual(given, signature(r, s));
        assert.ok(isLowS(low));
        assert.deepEqual(toLowS(low), low);
      }),
      {
        ...runs,
        examples: [
          [1n, order - 1n],
          [order - 1n, half + 1n],
          [1n, half + 0x100n],
        ],
      },
    );
  });
});
