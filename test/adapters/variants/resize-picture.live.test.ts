// The real process on pictures that need much memory or have too many pixels, and the decoders that it may use.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import sharp from 'sharp';
import { createVariantMaker } from '../../../src/adapters/variants/create-variant-maker.ts';
import { makeFolder } from '../../helpers/blobs/blobs.ts';
import { memoryLog } from '../../helpers/blobs/memory-files.ts';
import { pngOf } from '../../helpers/browser/pictures.ts';
import { asUserId } from '../../helpers/people/ids.ts';

describe('the process that makes variants', () => {
  const folder = makeFolder();
  const outcomes: string[] = [];
  const maker = createVariantMaker(memoryLog().log, ({ outcome }) => outcomes.push(outcome));
  after(() => maker.stop());
  const make = async (name: string, bytes: Buffer | string, maxPixels = 50_000_000) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const open = async () => ({ path, release: async () => undefined });
    const order = { size: '320x320', format: 'webp', maxPixels, pixels: 1 } as const;
    const made = await maker.make({ owner: asUserId('ann'), caller: 'ann' }, order, open, new AbortController().signal);
    return [made !== undefined, outcomes.at(-1)];
  };
  const black = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#000' } });

  it('a picture that needs too much memory is given up, and the next one is made', async () => {
    const large = await black(8000, 6000).avif({ effort: 0 }).toBuffer();
    assert.deepEqual(await make('large.avif', large), [false, 'memory']);
    assert.deepEqual(await make('small.png', pngOf(9, 9)), [true, 'made']);
  });

  it('a picture of fifty megapixels that is interlaced, and so decoded as a whole, fits', async () => {
    const large = await black(8600, 5800).png({ progressive: true, compressionLevel: 1 }).toBuffer();
    assert.deepEqual(await make('large.png', large), [true, 'made']);
  });

  it('a picture with more pixels than allowed is not decoded, whatever its record says', async () => {
    assert.deepEqual(await make('nine.png', pngOf(30, 30), 899), [false, 'failed']);
    assert.deepEqual(await make('nine.png', pngOf(30, 30), 900), [true, 'made']);
  });

  it('no decoder runs but those of the proved types', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
    assert.deepEqual(await make('drawing.svg', svg), [false, 'failed']);
    assert.deepEqual(await make('scan.tiff', await black(9, 9).tiff().toBuffer()), [false, 'failed']);
  });

  it('the process says which version it has and what it reads', async () => {
    const ability = await maker.probe();
    assert.ok(ability !== undefined && 'version' in ability);
    assert.deepEqual([ability.version, ability.reads], [sharp.versions.sharp, ['JPEG', 'PNG', 'WebP', 'GIF', 'AVIF']]);
  });
});
