// Stripping: metadata is removed, pixels stay bit for bit, and so do orientation and colour profile.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { readOrientation, writeOrientation } from '../../src/media/exif.ts';
import type { MediaType } from '../../src/media/media-type.ts';
import { planStrip } from '../../src/media/strip-metadata.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';
import { chunk, png } from '../helpers/media/hostile-png-images.ts';
import { riffChunk } from '../helpers/media/hostile-webp-images.ts';
import { find, replace, segment } from '../helpers/media/image-surgery.ts';
import {
  fromPhone,
  makeValidImages,
  memoryReader,
  proveImage,
  secrets,
  still,
  type ValidImage,
} from '../helpers/media/valid-images.ts';

const stripped = ['image/jpeg', 'image/png', 'image/webp'] as const;

let valid: ValidImage[];

before(async () => {
  valid = await makeValidImages();
});

describe('a picture from a phone', () => {
  for (const type of stripped) {
    it(`a picture from a phone loses place, device and text, and nothing else (${type})`, async () => {
      const source = addText(type, find(valid, type, 'from a phone'));
      assert.deepEqual(found(source), secrets, 'the secrets are in the source');
      const result = await strip(type, source);
      assert.deepEqual(found(result), []);
      assert.equal(proveImage(memoryReader(result))?.kind, 'proved');
      await assertSamePicture(source, result);
    });

    it(`a picture from a phone keeps its orientation, in minimal Exif (${type})`, async () => {
      for (let orientation = 1; orientation <= 8; orientation++) {
        const source = await fromPhone(still(), orientation).toFormat(formatOf(type)).toBuffer();
        const result = await strip(type, source);
        const { orientation: kept, exif } = await sharp(result).metadata();
        assert.equal(kept ?? 1, orientation);
        assert.ok(orientation === 1 ? exif === undefined : exif !== undefined && exif.length <= 32, `${exif?.length}`);
        await assertSamePicture(source, result);
      }
    });

    it(`a stripped picture is not changed a second time (${type})`, async () => {
      const once = await strip(type, addText(type, find(valid, type, 'from a phone')));
      assert.equal(planStrip(type, memoryReader(once)), undefined);
    });
  }
});

describe('a large picture', () => {
  it('a large picture is stripped in few pieces, and its pixels stay', async () => {
    const raw = { width: 1000, height: 700, channels: 3 } as const;
    const noise = sharp(randomBytes(raw.width * raw.height * raw.channels), { raw });
    for (const type of stripped) {
      const source = await fromPhone(noise.clone(), 5).toFormat(formatOf(type), { progressive: true }).toBuffer();
      const { width, height } = raw;
      assert.deepEqual(proveImage(memoryReader(source)), { kind: 'proved', type, width, height });
      const pieces = planStrip(type, memoryReader(source));
      assert.ok(pieces !== undefined && pieces.length <= 8, `${pieces?.length} pieces`);
      await assertSamePicture(source, await strip(type, source));
    }
  });
});

describe('a picture without metadata', () => {
  it('a picture without metadata is left as it is', async () => {
    const silent = valid.filter(({ name }) => name !== 'from a phone');
    for (const { type, name, bytes } of silent) {
      assert.equal(planStrip(type, memoryReader(bytes)), undefined, `${type} ${name}`);
    }
  });

  it('a GIF, an AVIF and a file that is not a picture are left as they are', async () => {
    for (const type of ['image/gif', 'image/avif', 'application/pdf', 'text/plain'] as const) {
      assert.equal(planStrip(type, memoryReader(Buffer.from('not looked at'))), undefined);
    }
  });
});

describe('a stripped JPEG', () => {
  it('a stripped JPEG keeps JFIF, the profile and the colour transform of Adobe, and no other APPn, COM or thumbnail', async () => {
    const source = find(valid, 'image/jpeg', 'with a profile');
    const marks = [
      'Exif\0\0SecretText',
      'http://ns.adobe.com/xmp/extension/\0SecretText',
      'MPF\0SecretText',
      'Photoshop 3.0\0SecretText',
    ];
    const segments = [0xe1, 0xe1, 0xe2, 0xed].map((marker, at) => segment(marker, marks[at] ?? ''));
    const others = [segment(0xfe, 'SecretText'), segment(0xe0, 'JFXX\0SecretText'), segment(0xe7, 'SecretText')];
    const noisy = replace(source, 2, 0, Buffer.concat([...segments, ...others]));
    assert.deepEqual(await strip('image/jpeg', noisy), source);
    // This one is left as it is, as the test above shows.
    assert.ok(find(valid, 'image/jpeg', 'CMYK').includes('Adobe'));
  });

  it('a stripped JPEG loses the thumbnail that JFIF can hold', async () => {
    const jfif = segment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\x00\x00');
    const bare = replace(await bareJpeg(), 2, 0, jfif);
    const thumbnail = segment(0xe0, `JFIF\0\x01\x01\0\0\x01\0\x01\x02\x02${'SecretText!!'}`);
    const noisy = replace(bare, 2, jfif.length, thumbnail);
    assert.deepEqual(await strip('image/jpeg', noisy), bare);
  });

  it('a stripped JPEG loses metadata between and after its scans', async () => {
    const source = find(valid, 'image/jpeg', 'progressive');
    const noise = segment(0xe1, 'Exif\0\0SecretText');
    const second = source.indexOf(Buffer.from('ffc4', 'hex'), source.indexOf(Buffer.from('ffda', 'hex')));
    const noisy = replace(replace(source, source.length - 2, 0, noise), second, 0, noise);
    assert.deepEqual(await strip('image/jpeg', noisy), source);
  });
});

describe('a stripped PNG', () => {
  it('a stripped PNG keeps picture, colours and animation, and loses every other chunk', async () => {
    const head = ['IHDR', '00000001000000010803000000'] as const;
    const kept = [
      ...([
        ['gAMA', '0000b18f'],
        ['sRGB', '00'],
        ['PLTE', '000000ffffff'],
        ['tRNS', '00'],
      ] as const),
      ...([
        ['bKGD', '00'],
        ['hIST', '00000001'],
        ['pHYs', '00000b1300000b1301'],
        ['acTL', '0000000100000000'],
      ] as const),
      ...([
        ['fcTL', `00000000000000010000000100000000000000000001000a0000`],
        ['IDAT', '789c63000000010001'],
      ] as const),
    ];
    const lost = (['tEXt', 'zTXt', 'iTXt', 'tIME', 'prVt', 'caBX', 'dSIG'] as const).map(
      (type) => [type, '00'] as const,
    );
    const clean = png(head, ...kept, ['IEND']);
    const noisy = png(head, ...lost, ...kept, ...lost.filter(([type]) => type !== 'tIME'), ['IEND']);
    assert.equal(proveImage(memoryReader(noisy))?.kind, 'proved');
    assert.deepEqual(await strip('image/png', noisy), clean);
    assert.equal(planStrip('image/png', memoryReader(clean)), undefined);
  });
});

describe('a stripped WebP', () => {
  it('a stripped WebP states its new size and flags in its header', async () => {
    const source = find(valid, 'image/webp', 'from a phone');
    const result = await strip('image/webp', source);
    assert.equal(result.readUInt32LE(4), result.length - 8);
    assert.equal(source.readUInt8(20) & 0x0c, 0x0c);
    assert.equal(result.readUInt8(20) & 0x0c, 0x08);
    const upright = await strip('image/webp', await fromPhone(still(), 1).webp().toBuffer());
    assert.equal(upright.readUInt8(20) & 0x0c, 0);
  });

  it('a stripped WebP is still animated', async () => {
    const frames = await sharp(find(valid, 'image/webp', 'animated'), { animated: true })
      .withXmp('<x/>')
      .webp()
      .toBuffer();
    const result = await strip('image/webp', frames);
    assert.ok(!result.includes('XMP '));
    assert.equal((await sharp(result).metadata()).pages, 3);
    await assertSamePicture(frames, result);
  });
});

describe('hostile Exif', () => {
  it('hostile Exif never throws or loops, and counts as upright', () => {
    const upside = writeOrientation(3);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(63), (noise, at) => {
        const tiff = Buffer.concat([upside, Buffer.alloc(64)]);
        tiff.set(noise, Math.min(at, tiff.length - noise.length));
        const orientation = readOrientation(tiff);
        assert.ok(Number.isInteger(orientation) && orientation >= 1 && orientation <= 8);
      }),
      { numRuns: rounds(5000), seed },
    );
    for (let end = 0; end < 22; end++) assert.equal(readOrientation(upside.subarray(0, end)), 1);
    const broken = '4d4d002affffffff 4d4d002a00000007 49492a0008000000ffff 4d4d002a00000000 49494949';
    for (const hex of broken.split(' ')) {
      assert.equal(readOrientation(Buffer.from(hex, 'hex')), 1, hex);
    }
    assert.equal(readOrientation(Buffer.concat([Buffer.from('4d4d002a00000008ffff', 'hex'), Buffer.alloc(70_000)])), 1);
    assert.equal(readOrientation(writeOrientation(9)), 1);
  });

  it('hostile Exif is removed like any other', async () => {
    const source = await bareJpeg();
    for (const body of ['Exif\0\0', 'Exif\0\0MM\0*\xff\xff\xff\xff', 'Exif\0\0II*\0\x08\0\0\0\xff\xff', 'E', '']) {
      assert.deepEqual(await strip('image/jpeg', replace(source, 2, 0, segment(0xe1, body))), source);
    }
  });
});

async function strip(type: MediaType, source: Buffer): Promise<Buffer> {
  const pieces = planStrip(type, memoryReader(source));
  assert.ok(pieces);
  return Buffer.concat(pieces.map((piece) => ('bytes' in piece ? piece.bytes : source.subarray(piece.from, piece.to))));
}

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

function found(bytes: Buffer): string[] {
  return secrets.filter((secret) => bytes.includes(secret, 'latin1'));
}

function formatOf(type: MediaType): 'jpeg' | 'png' | 'webp' {
  return type === 'image/png' ? 'png' : type === 'image/webp' ? 'webp' : 'jpeg';
}

/** Text that the encoder cannot write. It writes no XMP into a PNG either, so that is added here too. */
function addText(type: MediaType, bytes: Buffer): Buffer {
  if (type === 'image/jpeg') return replace(bytes, 2, 0, segment(0xfe, 'SecretText'));
  if (type === 'image/png') return replace(bytes, 33, 0, chunk('iTXt', Buffer.from('a\0\0\0\0\0SecretXmp SecretText')));
  const longer = Buffer.concat([bytes, riffChunk('note', Buffer.from('SecretText'))]);
  longer.writeUInt32LE(longer.length - 8, 4);
  return longer;
}

/** A JPEG without any APPn. */
async function bareJpeg(): Promise<Buffer> {
  const bytes = find(valid, 'image/jpeg', 'baseline');
  const table = bytes.indexOf(Buffer.from('ffdb', 'hex'));
  return replace(bytes, 2, table - 2);
}
