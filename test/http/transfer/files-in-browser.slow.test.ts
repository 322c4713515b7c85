// Stored pictures, audio and video in a real browser: shown and played by cookie, and seekable.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { box } from '../../../media/test/helpers/media-builders.ts';
import { fixture } from '../../../media/test/helpers/media-files.ts';
import { height, makePictures, width } from '../../../media/test/helpers/valid-images.ts';
import { openBrowser, watch } from '../../helpers/browser/browser.ts';
import { eventually } from '../../helpers/browser/page-stage.ts';
import { openBlank, openSignedIn } from '../../helpers/browser/signed-in-page.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { type Gatehouse, isolatedEnv, startGatehouse } from '../../helpers/services/gatehouse.ts';
import { wavFile } from '../../helpers/uploads/sample-files.ts';

const browser = await openBrowser();
const mebibyte = 1024 * 1024;

type Played = { readonly duration: number; readonly position: number; readonly width: number };

describe('a stored file in a browser', { skip: browser === undefined }, () => {
  let service: Gatehouse;
  let dispose: () => Promise<void>;
  let page: Page;
  let token: string;
  /** The origin that the service uses for itself. */
  let origin: string;
  let problems: string[];
  before(async () => {
    const isolated = await isolatedEnv('sqlite');
    dispose = isolated.dispose;
    service = await startGatehouse(isolated.env);
    const context = (await browser?.newContext()) ?? assert.fail();
    context.setDefaultTimeout(60_000);
    origin = `http://localhost:${new URL(service.url).port}`;
    const signedIn = await openSignedIn(context, service.url, origin);
    page = signedIn.page;
    token = signedIn.pair.JWT;
    problems = watch(page, origin).problems;
  });
  beforeEach(() => {
    problems.length = 0;
  });
  after(async () => {
    await browser?.close();
    await service.stop();
    await dispose();
  });

  it('a page can upload a file by form and show it', async () => {
    await page.goto(`${origin}/docs`);
    for (const { name, type, bytes } of await makePictures()) {
      const shown = await page.evaluate(`(async () => {
        const form = new FormData();
        const bytes = Uint8Array.fromBase64('${bytes.toString('base64')}');
        form.append('file', new File([bytes], '${name}', { type: '${type}' }));
        form.append('purpose', 'image');
        const { data, message } = await (await fetch('/api/file/upload', { method: 'POST', body: form })).json();
        if (data === null) throw new Error(message);
        const image = new Image();
        image.src = '/file/' + data.id;
        await image.decode();
        return [data.type, image.naturalWidth, image.naturalHeight];
      })()`);
      assert.deepEqual(shown, [type, width, height]);
    }
    assert.deepEqual(problems, []);
  });

  for (const [name, type, codecs] of [
    ['ffmpeg-h264-aac.mp4', 'video/mp4', 'avc1.42E01E, mp4a.40.2'],
    ['ffmpeg-faststart.mp4', 'video/mp4', 'avc1.42E01E'],
    ['ffmpeg-fragmented.mp4', 'video/mp4', 'avc1.42E01E, mp4a.40.2'],
    ['ffmpeg-vp8.webm', 'video/webm', 'vp8'],
    ['ffmpeg-vp9-opus.webm', 'video/webm', 'vp9, opus'],
    ['ffmpeg-av1.webm', 'video/webm', 'av01.0.00M.08'],
    ['lame-cbr-padded.mp3', 'audio/mpeg', 'mp3'],
    ['ffmpeg-aac.m4a', 'audio/mp4', 'mp4a.40.2'],
    ['oggenc-vorbis.ogg', 'audio/ogg', 'vorbis'],
    ['opusenc.opus', 'audio/ogg', 'opus'],
    ['ffmpeg-flac.oga', 'audio/ogg', 'flac'],
    ['ffmpeg-pcm16.wav', 'audio/wav', '1'],
  ] as const) {
    it(`a stored file plays and seeks: ${name}`, async (test) => {
      await openBlank(page, origin);
      if (!(await canPlay(type, codecs))) return test.skip(`this Chromium does not play ${codecs}`);
      const [family] = type.split('/') as ['audio' | 'video'];
      const { id } = await storeFile(service.url, { token, purpose: family, name, type, bytes: fixture(name) });
      const played = await play(family, id, 0.8);
      assert.ok(played.duration > 0.2 && played.duration < 1.5, `${played.duration} s`);
      assert.ok(Math.abs(played.position - played.duration * 0.8) < 0.01);
      if (family === 'video') assert.equal(played.width, 64);
      assert.deepEqual(problems, []);
    });
  }

  it('a stored file plays in its own tab', async () => {
    for (const [name, type] of [
      ['ffmpeg-vp8.webm', 'video/webm'],
      ['ffmpeg-pcm16.wav', 'audio/wav'],
    ] as const) {
      const family = type.split('/')[0] ?? '';
      const { id } = await storeFile(service.url, { token, purpose: family, name, type, bytes: fixture(name) });
      await page.goto(`${origin}/file/${id}`);
      for (let round = 0; (await page.evaluate('document.querySelector("video")?.readyState ?? 0')) === 0; round++) {
        assert.ok(round < 1200, `${name} never starts`);
        await page.waitForTimeout(50);
      }
    }
    assert.deepEqual(problems, []);
  });

  it('a player fetches only the ranges it seeks to: audio of twenty minutes', async () => {
    await openBlank(page, origin);
    const bytes = wavFile(20 * mebibyte);
    const { id } = await storeFile(service.url, {
      token,
      purpose: 'audio',
      name: 'long.wav',
      type: 'audio/wav',
      bytes,
    });
    const starts = await rangesOf(async () => {
      const played = await play('audio', id, 0.9);
      assert.ok(played.position > 1000);
    });
    await eventually(async () => starts.some((start) => start > 15 * mebibyte && start < 20 * mebibyte));
    assert.deepEqual(problems, []);
  });

  it('a player fetches only the ranges it needs: a video whose index is far behind its pictures', async (test) => {
    await openBlank(page, origin);
    if (!(await canPlay('video/mp4', 'avc1.42E01E'))) return test.skip('this Chromium does not play H.264');
    const film = fixture('ffmpeg-h264-aac.mp4');
    const index = film.indexOf('moov') - 4;
    const gap = box('free', Buffer.alloc(24 * mebibyte));
    const bytes = Buffer.concat([film.subarray(0, index), gap, film.subarray(index)]);
    const { id } = await storeFile(service.url, { token, purpose: 'video', name: 'far.mp4', type: 'video/mp4', bytes });
    const starts = await rangesOf(async () => {
      assert.equal((await play('video', id, 0.9)).width, 64);
    });
    await eventually(async () => starts.some((start) => start > 20 * mebibyte));
    assert.deepEqual(problems, []);
  });

  function canPlay(type: string, codecs: string): Promise<boolean> {
    return page.evaluate(`document.createElement('video').canPlayType('${type}; codecs="${codecs}"') !== ''`);
  }

  /** Plays a little, then seeks to that fraction of the duration. */
  function play(tag: 'audio' | 'video', id: string, part: number): Promise<Played> {
    return page.evaluate(`(async () => {
      const media = document.createElement('${tag}');
      const event = (name) => new Promise((resolve, reject) => {
        media.addEventListener(name, resolve, { once: true });
        media.addEventListener('error', () => reject(new Error(media.error.message)), { once: true });
      });
      const known = event('loadedmetadata');
      media.muted = true;
      media.preload = 'metadata';
      media.src = '/file/${id}';
      document.body.append(media);
      await known;
      const moved = event('timeupdate');
      await media.play();
      await moved;
      media.pause();
      const arrived = event('seeked');
      media.currentTime = media.duration * ${part};
      await arrived;
      return { duration: media.duration, position: media.currentTime, width: media.videoWidth ?? 0 };
    })()`);
  }

  /** The starts of the ranges that were answered meanwhile. The browser may report some of them a moment later. */
  async function rangesOf(act: () => Promise<void>): Promise<number[]> {
    const starts: number[] = [];
    page.on('response', (response) => {
      const range = /^bytes (\d+)-/.exec(response.headers()['content-range'] ?? '')?.[1];
      if (response.status() === 206 && range !== undefined) starts.push(Number(range));
    });
    await act();
    return starts;
  }
});
