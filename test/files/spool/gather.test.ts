// Gathering the chunks of an upload: every byte arrives in order, in few pieces, and no segment is shared by two uploads.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { createGathered } from '../../../src/files/spool/gather.ts';
import { segmentBytes } from '../../../src/files/spool/segments.ts';
import { seed } from '../../helpers/faults/rounds.ts';

const mostSegments = 32;

/** Copies each piece, because its segment is used again. */
function stage(now: () => number = () => 0) {
  const pieces: Buffer[] = [];
  const gathered = createGathered(async (bytes) => void pieces.push(Buffer.from(bytes)), { now });
  return { pieces, gathered };
}

describe('the chunks of an upload', () => {
  it('chunks arrive in their order, however they are cut, in pieces as large as a segment', async () => {
    const source = randomBytes(3 * segmentBytes);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: segmentBytes + 9 }), { maxLength: 6 }), async (sizes) => {
        const { pieces, gathered } = stage();
        let at = 0;
        for (const size of sizes) {
          await gathered.write(source.subarray(at, at + size));
          at = Math.min(at + size, source.length);
        }
        await gathered.flush();
        gathered.end();
        assert.ok(Buffer.concat(pieces).equals(source.subarray(0, at)));
        assert.ok(pieces.slice(0, -1).every(({ length }) => length === segmentBytes));
      }),
      { numRuns: 60, seed },
    );
  });

  it('a large file uses half a segment, so that many of them leave memory free', async () => {
    const pieces: Buffer[] = [];
    const write = async (bytes: Buffer) => void pieces.push(Buffer.from(bytes));
    const gathered = createGathered(write, { now: () => 0, isLarge: true });
    const source = randomBytes(2 * segmentBytes + 5);
    for (let at = 0; at < source.length; at += 65_000) await gathered.write(source.subarray(at, at + 65_000));
    await gathered.flush();
    gathered.end();
    assert.ok(Buffer.concat(pieces).equals(source));
    assert.deepEqual(
      pieces.map(({ length }) => length),
      [...Array.from({ length: 4 }, () => segmentBytes / 2), 5],
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
    const others = Array.from({ length: mostSegments }, () => stage());
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

  it('a slow client leaves its segment to others between its chunks', async () => {
    let now = 0;
    const slow = stage(() => now);
    await slow.gathered.write(Buffer.from('a'));
    now = 1000;
    await slow.gathered.write(Buffer.from('b'));
    const others = Array.from({ length: mostSegments }, () => stage());
    for (const { gathered } of others) assert.equal(gathered.write(Buffer.from('x')), undefined, 'there is a segment');
    for (const { gathered } of [slow, ...others]) gathered.end();
  });

  it('the segment of a write that took too long is used again only after the write has ended', async () => {
    const writing = Promise.withResolvers<void>();
    let given: Buffer = Buffer.alloc(0);
    const late = createGathered(
      (bytes) => {
        given = bytes;
        return writing.promise;
      },
      { inTime: () => Promise.reject(new Error('too late')) },
    );
    await late.write(Buffer.from('mine'));
    await assert.rejects(late.flush(), /too late/);
    late.end();
    const others = Array.from({ length: mostSegments - 1 }, () => stage());
    for (const { gathered } of others) assert.equal(gathered.write(Buffer.from('others')), undefined);
    const last = stage();
    await last.gathered.write(Buffer.from('at once'));
    assert.deepEqual([String(given), last.pieces.map(String)], ['mine', ['at once']]);
    writing.reject(new Error('no disk'));
    await turn();
    assert.equal(last.gathered.write(Buffer.from('in a segment')), undefined, 'there is a segment again');
    for (const { gathered } of [...others, last]) gathered.end();
  });

  it('all bytes are in one segment until the first of them is written', async () => {
    const { gathered } = stage();
    const held = () => gathered.whole?.bytes.subarray(0, gathered.length);
    assert.equal(held(), undefined, 'nothing arrived');
    await gathered.write(Buffer.alloc(segmentBytes, 1));
    assert.deepEqual(held(), Buffer.alloc(segmentBytes, 1));
    await gathered.write(Buffer.from('more'));
    assert.equal(held(), undefined);
    gathered.end();
  });
});
