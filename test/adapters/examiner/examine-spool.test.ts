// A large file is examined without its bytes staying in memory.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { examineSpool } from '../../../src/adapters/examiner/examine-spool.ts';
import { segmentMemory } from '../../../src/files/spool/segments.ts';
import { makeFolder } from '../../helpers/blobs/blobs.ts';
import { anyQuestion } from '../../helpers/uploads/examine-bytes.ts';

const mebibyte = 2 ** 20;
const film = readFileSync(new URL('../../../media/test/fixtures/files/ffmpeg-faststart.mp4', import.meta.url));

it('a large file leaves only a bounded part of what was read of it', () => {
  const path = `${makeFolder()}/film`;
  const box = Buffer.alloc(28 * mebibyte, 1);
  box.writeUInt32BE(box.length);
  box.write('free', 4, 'latin1');
  const bytes = Buffer.concat([film, box]);
  writeFileSync(path, bytes);
  const before = process.memoryUsage().arrayBuffers;
  const place = { kind: 'file', path, strippedPath: `${path}-stripped` } as const;
  const { examined } = examineSpool({ place, size: bytes.length, question: anyQuestion }, segmentMemory);
  const left = process.memoryUsage().arrayBuffers - before;
  assert.equal(examined?.type, 'video/mp4');
  assert.ok(left <= 12 * mebibyte, `${Math.round(left / mebibyte)} MiB`);
});
