// A spool whose bytes are replaced: if it is discarded in the meantime, neither a file nor a descriptor is left.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openSpool, toFailure } from '../../../src/adapters/disk/spool.ts';
import { makeFolder } from '../../helpers/blobs/blobs.ts';

describe('a spool', () => {
  const folder = makeFolder();
  const skip = process.platform !== 'linux' && 'counts descriptors in /proc';

  it('a spool that is discarded while its bytes are replaced leaves nothing behind', { skip }, async () => {
    const descriptors = () => readdirSync('/proc/self/fd').length;
    await (await openSpool(folder)).discard();
    const before = descriptors();
    for (let round = 0; round < 120; round++) {
      const spool = await openSpool(folder);
      const other = `${spool.path}-stripped`;
      writeFileSync(other, 'others');
      const replacing = spool.replace(other, 6).catch(() => 'too late');
      // Each round a little later.
      for (let turns = 0; turns < round % 20; turns++) await turn();
      await spool.discard();
      // A replacement that was too late is left to the caller.
      if ((await replacing) === 'too late') unlinkSync(other);
      assert.deepEqual(readdirSync(folder), []);
    }
    assert.ok(descriptors() <= before, `${before} descriptors before, ${descriptors()} after`);
  });

  it('a spool with a lasting name keeps its bytes when it is discarded, and another file of its old name stays', async () => {
    const spool = await openSpool(folder);
    const { path } = spool;
    await spool.write(Buffer.from('words'));
    await spool.sync();
    await spool.moveTo(`${path}-kept`);
    writeFileSync(path, 'others');
    await spool.discard();
    assert.deepEqual(
      [`${path}-kept`, path].map((name) => readFileSync(name, 'utf8')),
      ['words', 'others'],
    );
    for (const name of [`${path}-kept`, path]) unlinkSync(name);
  });
});

describe('an error of the disk', () => {
  for (const [code, failure] of [
    ['ENOSPC', 'STORAGE_FULL'],
    ['EDQUOT', 'STORAGE_FULL'],
    ['EFBIG', 'STORAGE_FULL'],
    ['EIO', 'STORAGE_UNAVAILABLE'],
    ['ENOENT', 'STORAGE_UNAVAILABLE'],
    [undefined, 'STORAGE_UNAVAILABLE'],
  ] as const) {
    it(`${code ?? 'an error without a code'} is ${failure}, with the error as its cause`, () => {
      const error = Object.assign(new Error('why'), code === undefined ? {} : { code });
      const made = toFailure(error);
      assert.deepEqual([made.code, made.cause], [failure, error]);
      assert.deepEqual(made.detail, failure === 'STORAGE_FULL' ? {} : { retryAfterSeconds: 5 });
    });
  }
});
