// The chunks of bodies are freed although V8 sees only small objects.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { noteReadBytes } from '../../../src/kernel/process/young-garbage.ts';

const chunkBytes = 64 * 1024;
const mebibyte = 1024 ** 2;

it('the chunks of a large body never need more than a few times the bound', () => {
  const before = process.memoryUsage().arrayBuffers;
  let highest = 0;
  for (let read = 0; read < 400 * mebibyte; read += chunkBytes) {
    Buffer.allocUnsafeSlow(chunkBytes).fill(1);
    noteReadBytes(chunkBytes);
    highest = Math.max(highest, process.memoryUsage().arrayBuffers - before);
  }
  assert.ok(highest <= 24 * mebibyte, `${Math.round(highest / mebibyte)} MiB`);
});

it('other code sees no collector', () => {
  noteReadBytes(chunkBytes);
  assert.equal('gc' in globalThis, false);
});
