// Gathering the chunks of an upload: every byte arrives in order, in few pieces, and no buffer is shared by two uploads.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createGathered } from '../../src/files/gather.ts';
import { seed } from '../helpers/faults/rounds.ts';

const bufferBytes = 512 * 1024;
const mostBuffers = 32;

/** Copies each piece, because its buffer is used again. */
function stage(now?: () => number) {
  const pieces: Buffer[] = [];
  const gathered = createGathered(async (bytes) => void pieces.push(Buffer.from(bytes)), now);
  return { pieces, gathered };
}

describe('the chunks of an upload', () => {
  it('chunks arrive in their order, however they are cut, in pieces as large as a buffer', async () => {
    const source = randomBytes(3 * bufferBytes);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: bufferBytes + 9 }), { maxLength: 6 }), async (sizes) => {
        const { pieces, gathered } = stage();
        let at = 0;
        for (const size of sizes) {
          await gathered.write(source.subarray(at, at + size));
          at = Math.min(at + size, source.length);
        }
        await gathered.flush();
        gathered.end();
        assert.ok(Buffer.concat(pieces).equals(source.subarray(0, at)));
        assert.ok(pieces.slice(0, -1).every(({ length }) => length === bufferBytes));
      }),
      { numRuns: 60, seed },
    );
  });

  it('a chunk that fits is only copied, and nothing waits for it', () => {
    const { pieces, gathered } = stage();
    const chunk = Buffer.from('words');
    assert.equal(gathered.write(chunk), undefined);
    gathered.end();
    assert.deepEqual(pieces, []);
  });

  it('the chunks of a slow client are written after a second', async () => {
    let now = 0;
    const { pieces, gathered } = stage(() => now);
    await gathered.write(Buffer.from('a'));
    now = 999;
    await gathered.write(Buffer.from('b'));
    assert.equal(pieces.length, 0);
    now = 1000;
    await gathered.write(Buffer.from('c'));
    assert.deepEqual(pieces.map(String), ['abc']);
    now = 1500;
    await gathered.write(Buffer.from('d'));
    assert.equal(pieces.length, 1);
    gathered.end();
  });

  it('uploads beyond the bound of memory write each chunk at once, until another upload ends', async () => {
    const others = Array.from({ length: mostBuffers }, () => stage());
    for (const { gathered } of others) await gathered.write(Buffer.from('x'));
    const { pieces, gathered } = stage();
    await gathered.write(Buffer.from('one'));
    await gathered.write(Buffer.from('two'));
    assert.deepEqual(pieces.map(String), ['one', 'two']);
    others[0]?.gathered.end();
    await gathered.write(Buffer.from('three'));
    assert.equal(pieces.length, 2);
    await gathered.flush();
    assert.deepEqual(pieces.map(String), ['one', 'two', 'three']);
    for (const each of [...others, { gathered }]) each.gathered.end();
  });

  it('the buffer of a write that failed is never used again, and makes room for another', async () => {
    for (let round = 0; round < 2 * mostBuffers; round++) {
      let given: Buffer = Buffer.alloc(0);
      const failing = createGathered((bytes) => {
        given = bytes;
        return Promise.reject(new Error('too late'));
      });
      await failing.write(Buffer.from('mine'));
      await assert.rejects(failing.flush());
      failing.end();
      const { gathered } = stage();
      assert.equal(gathered.write(Buffer.from('others')), undefined, 'there is a buffer');
      gathered.end();
      assert.equal(String(given), 'mine');
    }
  });
});
