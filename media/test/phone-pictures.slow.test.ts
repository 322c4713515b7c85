// Stored pictures as other programs see them: ImageMagick decodes the same pixels, and ExifTool finds no place and no device.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { MediaType } from '../src/media-type.ts';
import { readStill, readTopLevel } from '../src/proofs/images/heif.ts';
import { phonePicture } from './helpers/heic-builder.ts';
import { withPictures } from './helpers/jpeg-builder.ts';
import { motionTrailer, samsungTrailer } from './helpers/jpeg-trailers.ts';
import { fixture, inMemory, joined, picture } from './helpers/media-files.ts';
import { strip } from './helpers/strip.ts';

const hasTool = (name: string, ...options: string[]) => spawnSync(name, options).status === 0;
const canDecodeHeic = spawnSync('convert', ['-list', 'format']).stdout?.includes('HEIC') === true;
const hasImageMagick = hasTool('compare', '-version');
const hasExifTool = hasTool('exiftool', '-ver');

/** A real tile, repeated as an iPhone does it. */
function tiledPicture(): Buffer {
  const source = fixture('heif-enc.heic');
  const boxes = readTopLevel(inMemory(source));
  const still = typeof boxes === 'string' ? boxes : readStill(inMemory(source), boxes, ['hvc1']);
  assert.ok(typeof still === 'object');
  const [data] = still.heif.locations.flatMap(({ extents }) => extents);
  const configuration = still.heif.properties.find(({ type }) => type === 'hvcC');
  assert.ok(data !== undefined && configuration !== undefined);
  return phonePicture({
    tile: {
      data: source.subarray(data.start, data.end),
      configuration: source.subarray(configuration.start, configuration.end),
      side: 64,
    },
    gap: 'SecretText',
  });
}

const sources: readonly (readonly [name: string, type: MediaType, bytes: Buffer])[] = [
  ['samsung.jpg', 'image/jpeg', joined(picture('sharp-from-a-phone.jpg'), samsungTrailer())],
  ['motion.jpg', 'image/jpeg', joined(picture('sharp-from-a-phone.jpg'), motionTrailer())],
  ['pair.jpg', 'image/jpeg', withPictures(picture('sharp-baseline.jpg'), [picture('sharp-progressive.jpg')])],
  ['iphone.heic', 'image/heic', tiledPicture()],
  ['phone.heic', 'image/heic', fixture('heif-enc-from-a-phone.heic')],
  ['thumbnail.heic', 'image/heic', fixture('heif-enc-thumbnail.heic')],
  ['phone.avif', 'image/avif', fixture('heif-enc-from-a-phone.avif')],
];

describe('a stored picture', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'pictures-'));
    for (const [name, type, bytes] of sources) {
      writeFileSync(join(folder, `sent-${name}`), bytes);
      writeFileSync(join(folder, `kept-${name}`), strip(type, bytes));
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [name, type] of sources) {
    const needed = hasImageMagick && (type === 'image/jpeg' || canDecodeHeic);
    const skip = needed ? false : 'ImageMagick, or its decoder for this type, is not installed';
    it(`a stored picture has the same pixels, and is read without a warning: ${name}`, { skip }, () => {
      const [sent, kept] = [join(folder, `sent-${name}`), join(folder, `kept-${name}`)];
      const { stderr, status } = spawnSync('compare', ['-metric', 'AE', `${sent}[0]`, `${kept}[0]`, 'null:']);
      assert.deepEqual([String(stderr), status], ['0', 0]);
      const read = spawnSync('identify', ['-regard-warnings', kept]);
      assert.deepEqual([String(read.stderr), read.status], ['', 0]);
    });

    it(`ExifTool finds no place, device or text in a stored picture: ${name}`, {
      skip: hasExifTool ? false : 'ExifTool is not installed',
    }, () => {
      const tags = (file: string) =>
        String(spawnSync('exiftool', ['-a', '-G1', '-s', '-validate', '-warning', join(folder, file), '-all']).stdout);
      const personal = /GPS|Make|Model|Creator|Description|Secret|Thumbnail|XMP|TimeStamp/;
      assert.match(tags(`sent-${name}`), name === 'thumbnail.heic' || name === 'pair.jpg' ? /./ : personal);
      const kept = tags(`kept-${name}`);
      assert.doesNotMatch(kept.replaceAll(/^\[(?:ICC|System).*$/gm, ''), personal);
      // The smallest Exif that keeps the orientation of a JPEG lacks what the standard requires of cameras.
      const warnings = kept.split('\n').filter((line) => /Warning +:/.test(line));
      assert.deepEqual(
        warnings.filter((line) => !line.includes('Missing required JPEG IFD0 tag')),
        [],
      );
    });
  }
});
