// Placing files in batches: each gets its name and its folder, and an error of one is not the error of the others.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { createPlaceFiles, type PlaceOrder } from '../../../src/adapters/disk/place-files.ts';
import { giveBack, type Segment, segmentMemory, takeSegment } from '../../../src/files/spool/segments.ts';
import { makeFolder } from '../../helpers/blobs/blobs.ts';

describe('a batch of files', () => {
  const segment = takeSegment() as Segment;
  after(() => giveBack(segment));
  let root = '';
  beforeEach(() => {
    root = join(makeFolder(), 'files');
  });

  /** An order for a file in memory. */
  function held(folder: string, name: string): PlaceOrder {
    segment.bytes.write('bytes');
    return { held: { at: segment.at, size: 5 }, temporary: join(root, 'spool', name), path: join(root, folder, name) };
  }

  it('gets its names and folders, with nothing left under the temporary names', () => {
    const place = createPlaceFiles(segmentMemory);
    assert.deepEqual(place([held('aaa', '1'), held('aaa', '2'), held('bbb', '3')]), [undefined, undefined, undefined]);
    for (const path of ['aaa/1', 'aaa/2', 'bbb/3']) assert.equal(readFileSync(join(root, path), 'utf8'), 'bytes');
    assert.deepEqual(readdirSync(join(root, 'spool')), []);
  });

  it('takes files that are on the disk already', () => {
    mkdirSync(join(root, 'spool'), { recursive: true });
    const temporary = join(root, 'spool', '1');
    writeFileSync(temporary, 'on disk');
    assert.deepEqual(createPlaceFiles(segmentMemory)([{ held: undefined, temporary, path: join(root, 'aaa', '1') }]), [
      undefined,
    ]);
    assert.equal(readFileSync(join(root, 'aaa', '1'), 'utf8'), 'on disk');
  });

  it('an error ends only its own file, which leaves nothing behind', () => {
    mkdirSync(root, { recursive: true });
    // No folder.
    writeFileSync(join(root, 'bbb'), '');
    const missing = { held: undefined, temporary: join(root, 'spool', 'missing'), path: join(root, 'aaa', '3') };
    const place = createPlaceFiles(segmentMemory);
    const errors = place([held('aaa', '1'), held('bbb', '2'), missing]);
    assert.deepEqual(
      errors.map((error) => error?.code),
      [undefined, 'ENOTDIR', 'ENOENT'],
    );
    assert.equal(readFileSync(join(root, 'aaa', '1'), 'utf8'), 'bytes');
    assert.deepEqual(readdirSync(join(root, 'spool')), []);
  });

  it('a file that cannot be synced or renamed does not get its name', () => {
    const closed = () => 2 ** 30;
    const place = createPlaceFiles(segmentMemory, closed);
    assert.equal(place([held('aaa', '1')])[0]?.code, 'EBADF');
    assert.ok(!existsSync(join(root, 'aaa', '1')));
  });

  it('a folder that was removed while the service runs is made again after one error', () => {
    const place = createPlaceFiles(segmentMemory);
    assert.deepEqual(place([held('aaa', '1')]), [undefined]);
    rmSync(root, { recursive: true });
    assert.equal(place([held('aaa', '2')])[0]?.code, 'ENOENT');
    assert.deepEqual(place([held('aaa', '3')]), [undefined]);
    assert.equal(readFileSync(join(root, 'aaa', '3'), 'utf8'), 'bytes');
  });

  it('no file gets its name in a new folder that is not durable, and the others do', () => {
    mkdirSync(join(root, 'aaa'), { recursive: true });
    const synced: string[] = [];
    const place = createPlaceFiles(segmentMemory, undefined, (folder) => {
      if (folder === root) throw Object.assign(new Error('bad disk'), { code: 'EIO' });
      synced.push(folder);
    });
    const errors = place([held('aaa', '1'), held('bbb', '2'), held('bbb', '3')]);
    assert.deepEqual(
      errors.map((error) => error?.code),
      [undefined, 'EIO', 'EIO'],
    );
    assert.deepEqual(synced, [join(root, 'aaa')]);
    assert.deepEqual(readdirSync(join(root, 'bbb')), []);
  });
});
