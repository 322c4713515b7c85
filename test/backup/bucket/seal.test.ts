// Sealed bytes: they open under their name with their key, and under nothing else; whatever is changed, cut, moved or added is noticed.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createBackupKey } from '../../../src/backup/backup-mac.ts';
import { createSealer, openSealed, sealedSize } from '../../../src/backup/bucket/seal.ts';

const [key, previous] = ['now', 'before'].map((name) => createBackupKey(name.repeat(16))) as [
  ReturnType<typeof createBackupKey>,
  ReturnType<typeof createBackupKey>,
];
const chunk = 64 * 1024;
const head = 24;

function seal(bytes: Buffer, name = 'objects/one', cuts: readonly number[] = []): Buffer {
  const sealer = createSealer(key, name);
  const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
  const pieces = edges.slice(1).map((end, index) => sealer.push(bytes.subarray(edges[index], end)));
  return Buffer.concat([...pieces, sealer.end()]);
}

async function open(sealed: Buffer, name = 'objects/one', step = sealed.length, keys = [previous, key]) {
  const pieces: Buffer[] = [];
  for (let at = 0; at < sealed.length; at += step) pieces.push(sealed.subarray(at, at + step));
  const opened: Buffer[] = [];
  for await (const bytes of openSealed(keys, { name }, pieces)) opened.push(bytes);
  return Buffer.concat(opened);
}

describe('sealed bytes', () => {
  for (const size of [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 5])
    it(`${size} bytes open again, and have the expected size`, async () => {
      const bytes = randomBytes(size);
      const sealed = seal(bytes);
      assert.equal(sealed.length, sealedSize(size));
      assert.deepEqual(await open(sealed), bytes);
    });

  it('opens whatever the pieces in which they are sealed and read', async () => {
    const cuts = fc.array(fc.nat(200_000), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.nat(200_000), cuts, fc.integer({ min: 1, max: 90_000 }), async (size, at, step) => {
        const bytes = randomBytes(size);
        assert.deepEqual(await open(seal(bytes, 'objects/one', at), 'objects/one', Math.max(step, 500)), bytes);
      }),
      { numRuns: 50 },
    );
  });

  it('says nothing about the bytes: sealed twice they differ everywhere', () => {
    const bytes = Buffer.alloc(1000, 'a');
    assert.notDeepEqual(seal(bytes).subarray(head), seal(bytes).subarray(head));
    assert.equal(seal(bytes).includes(Buffer.alloc(16, 'a')), false);
  });

  const whole = seal(randomBytes(2 * chunk + 7));
  const step = chunk + 16;
  const forged: readonly (readonly [string, Buffer])[] = [
    ['nothing', Buffer.alloc(0)],
    ['only a head', whole.subarray(0, head)],
    ['cut within a chunk', whole.subarray(0, whole.length - 1)],
    ['cut after a whole chunk', whole.subarray(0, head + 2 * step)],
    ['with a byte more', Buffer.concat([whole, Buffer.from([0])])],
    ['with two chunks exchanged', exchanged()],
    ['with a chunk left out', Buffer.concat([whole.subarray(0, head), whole.subarray(head + step)])],
    ['with a chunk twice', Buffer.concat([whole.subarray(0, head + step), whole.subarray(head)])],
    ['of another form', Buffer.concat([Buffer.from('GHS2'), whole.subarray(4)])],
  ];
  for (const [name, bytes] of forged)
    it(`refuses what is ${name}`, () => assert.rejects(open(bytes), /damaged, or was not sealed with BACKUP_KEY/));

  it('refuses every changed bit', async () => {
    const sealed = seal(randomBytes(40));
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await assert.rejects(open(changed), /sealed with/, `byte ${at}`);
    }
  });

  it('refuses it under another name, and names the key that is missing', async () => {
    await assert.rejects(open(seal(Buffer.from('x')), 'objects/two'), /objects\/two is damaged/);
    await assert.rejects(
      open(seal(Buffer.from('x')), 'objects/one', 100, [previous]),
      /another BACKUP_KEY \([0-9a-f]{8}\)/,
    );
  });

  function exchanged(): Buffer {
    const [first, second] = [whole.subarray(head, head + step), whole.subarray(head + step, head + 2 * step)];
    return Buffer.concat([whole.subarray(0, head), second, first, whole.subarray(head + 2 * step)]);
  }
});
