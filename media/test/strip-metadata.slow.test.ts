// Stripping as a decoder sees it: pixels stay bit for bit, and so do orientation, colour profile and animation.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, it } from 'node:test';
import sharp from 'sharp';
import type { MediaType } from '../src/media-type.ts';
import { proveMediaType } from '../src/prove-media-type.ts';
import { planStrip } from '../src/strip-metadata.ts';
import { segment, withPictures } from './helpers/jpeg-builder.ts';
import { inMemory, joined } from './helpers/media-files.ts';
import { chunk } from './helpers/png-builder.ts';
import { secrets } from './helpers/secrets.ts';
import { piecesOf, strip } from './helpers/strip.ts';
import { fromPhone, makeValidImages, still, type ValidImage } from './helpers/valid-images.ts';
import { riffChunk, sized } from './helpers/webp-builder.ts';

const formats = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/webp': 'webp' } as const;
const stripped = Object.keys(formats) as (keyof typeof formats)[];

let valid: ValidImage[];

before(async () => {
  valid = await makeValidImages();
});

describe('a picture from a phone', () => {
  for (const type of stripped) {
    it(`a picture from a phone loses place, device and text, and nothing else (${type})`, async () => {
      const source = addText(type, find(type, 'from a phone'));
      assert.deepEqual(found(source), secrets, 'the secrets are in the source');
      const result = strip(type, source);
      assert.deepEqual(found(result), []);
      assert.equal(proveMediaType(inMemory(result))?.kind, 'proved');
      assert.equal(planStrip(type, inMemory(result)), undefined, 'a second time, nothing changes');
      await assertSamePicture(source, result);
    });

    it(`a picture from a phone keeps its orientation, in minimal Exif (${type})`, async () => {
      for (let orientation = 1; orientation <= 8; orientation++) {
        const source = await fromPhone(still(), orientation).toFormat(formats[type]).toBuffer();
        const result = strip(type, source);
        const { orientation: kept, exif } = await sharp(result).metadata();
        assert.equal(kept ?? 1, orientation);
        assert.ok(orientation === 1 ? exif === undefined : exif !== undefined && exif.length <= 32, `${exif?.length}`);
        await assertSamePicture(source, result);
      }
    });

    it(`a large picture is stripped in few pieces, and its pixels stay (${type})`, async () => {
      const raw = { width: 1000, height: 700, channels: 3 } as const;
      const noise = sharp(randomBytes(raw.width * raw.height * raw.channels), { raw });
      const source = await fromPhone(noise, 5).toFormat(formats[type], { progressive: true }).toBuffer();
      const { width, height } = raw;
      assert.deepEqual(proveMediaType(inMemory(source)), { kind: 'proved', type, width, height });
      const pieces = piecesOf(type, source);
      assert.ok(pieces !== undefined && pieces.length <= 8, `${pieces?.length} pieces`);
      await assertSamePicture(source, strip(type, source));
    });
  }

  it('a picture without metadata is left as it is', () => {
    for (const { type, name, bytes } of valid.filter(({ name }) => name !== 'from a phone'))
      assert.equal(planStrip(type, inMemory(bytes)), undefined, `${type} ${name}`);
  });

  it('a stripped WebP is still animated', async () => {
    const animated = sharp(find('image/webp', 'animated'), { animated: true });
    const source = await animated.withXmp('<x/>').webp().toBuffer();
    const result = strip('image/webp', source);
    assert.ok(!result.includes('XMP '));
    assert.equal((await sharp(result).metadata()).pages, 3);
    await assertSamePicture(source, result);
  });

  it('a JPEG with further pictures is stored without them', async () => {
    const first = find('image/jpeg', 'with a profile');
    const source = withPictures(first, [find('image/jpeg', 'baseline'), find('image/jpeg', 'progressive')]);
    assert.equal(proveMediaType(inMemory(source))?.kind, 'proved');
    assert.deepEqual(strip('image/jpeg', source), first);
  });
});

/** Compares what a decoder returns, before and after the orientation is applied. */
async function assertSamePicture(source: Buffer, result: Buffer): Promise<void> {
  for (const animated of [false, true]) {
    const [before, after] = [sharp(source, { animated }), sharp(result, { animated })];
    assert.deepEqual(await before.clone().raw().toBuffer(), await after.clone().raw().toBuffer());
    assert.deepEqual((await after.metadata()).icc, (await before.metadata()).icc);
    if (animated) continue;
    assert.deepEqual(await before.autoOrient().raw().toBuffer(), await after.autoOrient().raw().toBuffer());
  }
}

function find(type: MediaType, name: string): Buffer {
  const image = valid.find((each) => each.type === type && each.name === name);
  assert.ok(image, `${type} ${name}`);
  return image.bytes;
}

function found(bytes: Buffer): string[] {
  return secrets.filter((secret) => bytes.includes(secret, 'latin1'));
}

/** Text that the encoder cannot write. It writes no XMP into a PNG either, so that is added here too. */
function addText(type: MediaType, bytes: Buffer): Buffer {
  const [after, text] =
    type === 'image/jpeg'
      ? [2, segment(0xfe, 'SecretText')]
      : [33, chunk('iTXt', joined('a\0\0\0\0\0SecretXmp SecretText'))];
  if (type === 'image/webp') return sized(joined(bytes, riffChunk('note', joined('SecretText'))));
  return joined(bytes.subarray(0, after), text, bytes.subarray(after));
}
