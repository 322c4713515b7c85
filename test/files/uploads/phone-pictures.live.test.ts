// Pictures as phones and cameras write them, from upload to download: what is stored is the picture alone.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ftyp, movie } from '../../../media/test/helpers/avif-builder.ts';
import { phonePicture } from '../../../media/test/helpers/heic-builder.ts';
import { withPictures } from '../../../media/test/helpers/jpeg-builder.ts';
import { motionTrailer, samsungTrailer } from '../../../media/test/helpers/jpeg-trailers.ts';
import { buildZip } from '../../../media/test/helpers/media-builders.ts';
import { fixture, joined, picture } from '../../../media/test/helpers/media-files.ts';
import { nestedJpeg } from '../../../media/test/helpers/worst-jpeg-files.ts';
import { newPhone, signIn } from '../../helpers/requests/api.ts';
import { upload } from '../../helpers/requests/upload.ts';
import { setStage } from '../../helpers/services/stage.ts';

const first = picture('sharp-baseline.jpg');
const second = picture('sharp-progressive.jpg');
const size = { width: 24, height: 16 };

describe('a picture from a phone', () => {
  const stage = setStage('sqlite');
  let token: string;
  before(async () => {
    token = (await signIn(stage.url, newPhone())).JWT;
  });

  const send = (bytes: Buffer, type: string, name: string, purpose = 'image') =>
    upload(stage.url, { bytes, type, name, purpose, token });

  async function download(url: string) {
    const response = await fetch(`${stage.url}${url}`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(response.status, 200);
    return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  for (const [what, bytes] of [
    ['the blocks of a Samsung phone after its end', joined(first, samsungTrailer())],
    ['the film of a motion photo after its end', joined(first, motionTrailer())],
    ['a second picture, as cameras with two lenses write it', withPictures(first, [second])],
    ['padding before its second picture', joined(withPictures(first, [joined([0], second)]), Buffer.alloc(45))],
    ['an archive after its end', joined(first, buildZip([{ name: 'a' }]))],
  ] as const) {
    it(`a JPEG is stored up to its end marker: ${what}`, async () => {
      const { status, body } = await send(bytes, 'image/jpeg', 'photo.jpg');
      assert.equal(status, 201, JSON.stringify(body));
      const { url, size: length, width, height } = body.data as { url: string; size: number } & typeof size;
      assert.deepEqual({ width, height, length }, { ...size, length: first.length });
      assert.deepEqual((await download(url)).bytes, first);
    });
  }

  for (const [what, bytes, type, name, expected] of [
    ['an iPhone', phonePicture(), 'image/heic', 'IMG_1.HEIC', { type: 'image/heic', width: 4096, height: 3072 }],
    ['an encoder', fixture('heif-enc-from-a-phone.heic'), '', 'a.heic', { type: 'image/heic', width: 64, height: 48 }],
    [
      'a camera, by its other name',
      phonePicture(),
      'image/heif',
      'DSC1.HIF',
      { type: 'image/heic', width: 4096, height: 3072 },
    ],
    [
      'an encoder',
      fixture('heif-enc-from-a-phone.avif'),
      'image/avif',
      'a.avif',
      { type: 'image/avif', width: 64, height: 48 },
    ],
  ] as const) {
    it(`a picture of ${what} loses its place and its device: ${name}`, async () => {
      const { status, body } = await send(bytes, type, name);
      assert.equal(status, 201, JSON.stringify(body));
      const record = body.data as { url: string; name: string; type: string; width: number; height: number };
      assert.deepEqual({ type: record.type, width: record.width, height: record.height }, expected);
      assert.equal(record.name, name);
      const answer = await download(record.url);
      assert.ok(bytes.includes('Secret') && !answer.bytes.includes('Secret'));
      assert.equal(answer.headers.get('content-type'), expected.type);
      // The purpose serves pictures inline, but browsers cannot show these.
      const disposition = answer.headers.get('content-disposition') ?? '';
      assert.match(disposition, expected.type === 'image/heic' ? /^attachment;/ : /^inline;/);
    });
  }

  it('an HEIC is not for an avatar', async () => {
    const { status, body } = await send(phonePicture(), 'image/heic', 'a.heic', 'avatar');
    assert.deepEqual([status, body.codeError], [415, 'FILE_TYPE_NOT_ALLOWED']);
  });

  it('a sequence of pictures is refused as a moving picture', async () => {
    const bytes = joined(ftyp('hevc', 'msf1'), movie([2, 2]));
    const { status, body } = await send(bytes, 'image/heic-sequence', 'a.heic');
    assert.deepEqual([status, body.codeError], [415, 'FILE_TYPE_NOT_ALLOWED']);
    assert.match(JSON.stringify(body), /Only still pictures/);
  });

  it('a JPEG with pictures inside pictures is refused as damaged', async () => {
    const { status, body } = await send(nestedJpeg(1_000), 'image/jpeg', 'photo.jpg');
    assert.deepEqual([status, body.codeError], [422, 'FILE_CORRUPT']);
  });
});
