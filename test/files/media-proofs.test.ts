// Proofs of audio and video, and the rules of all provers: cut files fail, nothing throws, the event loop stays free.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Prover } from '../../src/media/media-type.ts';
import { proveAvif } from '../../src/media/proofs/avif.ts';
import { proveGif } from '../../src/media/proofs/gif.ts';
import { proveJpeg } from '../../src/media/proofs/jpeg.ts';
import { proveMp3 } from '../../src/media/proofs/mp3.ts';
import { proveMp4 } from '../../src/media/proofs/mp4.ts';
import { proveOgg } from '../../src/media/proofs/ogg.ts';
import { provePdf } from '../../src/media/proofs/pdf.ts';
import { provePng } from '../../src/media/proofs/png.ts';
import { proveText } from '../../src/media/proofs/text.ts';
import { proveWav } from '../../src/media/proofs/wav.ts';
import { proveWebm } from '../../src/media/proofs/webm.ts';
import { proveWebp } from '../../src/media/proofs/webp.ts';
import { proveZip } from '../../src/media/proofs/zip.ts';
import { proveMediaType } from '../../src/media/prove-media-type.ts';
import { hostileMedia } from '../helpers/media/hostile-media.ts';
import type { Hold } from '../helpers/media/measure-media-holds.ts';
import { box, mp3Frame, oggPage, opusHead } from '../helpers/media/media-builders.ts';
import { fixture, fixtures, inMemory, joined } from '../helpers/media/media-files.ts';
import { slowMedia } from '../helpers/media/slow-media-files.ts';

const documents: Prover[] = [provePdf, proveText, proveZip, proveMp3, proveOgg, proveWav, proveMp4, proveWebm];
const pictures: Prover[] = [proveJpeg, provePng, proveGif, proveWebp, proveAvif];

describe('proofs of audio and video', () => {
  for (const { name, type, bytes } of fixtures().filter((file) => /^(?:audio|video)/.test(file.type))) {
    it(`the media file ${name} is proved`, async () => {
      const hasPicture = type.startsWith('video') && !name.includes('audio-only');
      const size = hasPicture ? { width: 64, height: 48 } : {};
      assert.deepEqual(proveMediaType(inMemory(bytes)), { kind: 'proved', type, ...size });
    });
  }

  for (const { name, bytes, refusal } of hostileMedia().filter((file) => /^(?:MP3|Ogg|WAV|MP4|WebM)/.test(file.name))) {
    it(`the hostile media file is refused: ${name}`, async () => {
      const proof = proveMediaType(inMemory(bytes));
      assert.notEqual(proof?.kind, 'proved');
      if (refusal === 'unknown') return assert.equal(proof, undefined);
      assert.match(proof?.kind === 'corrupt' ? proof.reason : 'not taken for its own', refusal);
    });
  }

  it('an MP4 with data of open length at the end is proved, and refused when it is cut', async () => {
    const mp4 = fixture('ffmpeg-faststart.mp4');
    const open = Buffer.from(mp4);
    open.writeUInt32BE(0, mp4.indexOf('mdat') - 4);
    assert.equal(proveMediaType(inMemory(open))?.kind, 'proved');
    assert.equal(proveMediaType(inMemory(open.subarray(0, -1)))?.kind, 'corrupt');
  });

  it('the page number of an Ogg stream wraps around after its largest value', async () => {
    const pages = [
      oggPage({ flags: 2, sequence: 0xffffffff, payload: opusHead }),
      oggPage({ flags: 4, sequence: 0, payload: 'x' }),
    ];
    assert.deepEqual(proveMediaType(inMemory(joined(...pages))), { kind: 'proved', type: 'audio/ogg' });
  });

  it('unknown boxes of an MP4 are skipped', async () => {
    const mp4 = joined(fixture('ffmpeg-faststart.mp4'), box('sefd', 'of some phone'));
    assert.equal(proveMediaType(inMemory(mp4))?.type, 'video/mp4');
  });
});

describe('every prover', () => {
  it('exactly one prover recognises each file', async () => {
    for (const { name, bytes } of fixtures()) {
      const proofs = [...documents, ...pictures].map((prove) => prove(inMemory(bytes)));
      assert.equal(proofs.filter((proof) => proof !== undefined).length, 1, name);
    }
  });

  it('the fixtures have three files of real programs for each type', () => {
    const count = Map.groupBy(fixtures(), ({ type }) => type);
    assert.equal(count.size, 13);
    for (const [type, files] of count) assert.ok(files.length >= 3, type);
  });

  const whole: [string, endings: (length: number, bytes: Buffer) => boolean][] = [
    // Without its last line feed it is still the whole document.
    ['cairo.pdf', (length, bytes) => length === bytes.length - 1],
    ['infozip.zip', () => false],
    ['libreoffice.docx', () => false],
    ['openpyxl.xlsx', () => false],
    ['libreoffice-text.odt', () => false],
    // A file that ends with a whole frame is a shorter MP3.
    ['ffmpeg-mpeg25-bare.mp3', (length, bytes) => bytes.readUInt16BE(length) >>> 5 === 0x7ff],
    ['ffmpeg-opus.ogg', () => false],
    ['sox-alaw.wav', () => false],
    ['ffmpeg-faststart.mp4', () => false],
    ['ffmpeg-h264-aac.mp4', () => false],
    ['ffmpeg-faststart.m4a', () => false],
    ['ffmpeg-av1.webm', () => false],
  ];
  for (const [name, isWhole] of whole) {
    it(`the file ${name} cut at any byte is refused`, async () => {
      const bytes = fixture(name);
      for (let length = 0; length < bytes.length; length++) {
        const proof = proveMediaType(inMemory(bytes.subarray(0, length)));
        const isRefused = proof?.kind !== 'proved' || proof.type === 'text/plain';
        assert.ok(isRefused || isWhole(length, bytes), `${name} cut to ${length} of ${bytes.length}`);
      }
    });
  }

  it('no prover throws, whatever bytes change', async () => {
    let seed = 20_261_115;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (const { name, bytes } of fixtures()) {
      for (let round = 0; round < 60; round++) {
        const copy = Buffer.from(bytes);
        for (let change = 0; change <= round % 4; change++)
          copy[random(copy.length)] = random(4) === 0 ? 255 : random(256);
        assert.doesNotThrow(() => proveMediaType(inMemory(copy)), `${name}, round ${round}`);
      }
    }
  });

  it('examining the hostile and the slow files holds the event loop for less than 50 ms', async () => {
    const program = fileURLToPath(new URL('../helpers/media/measure-media-holds.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    const holds = JSON.parse(stdout) as Hold[];
    const worst = holds.reduce((most, hold) => (hold.milliseconds > most.milliseconds ? hold : most));
    console.log(`${holds.length} files; longest hold ${worst.milliseconds.toFixed(1)} ms (${worst.name})`);
    assert.ok(worst.milliseconds < 50, worst.name);
    for (const { name, isSound } of slowMedia()) {
      assert.equal(holds.find((hold) => hold.name === name)?.isProved, isSound, name);
    }
  });

  it('an MP3 with an ID3v2 tag with a footer and zeros behind it is proved', async () => {
    const tag = joined('ID3', [4, 0, 0x10, 0, 0, 0, 4], 'TIT2', '3DI', [4, 0, 0x10, 0, 0, 0, 4], Buffer.alloc(100));
    const proof = proveMediaType(inMemory(joined(tag, mp3Frame(), mp3Frame(), mp3Frame())));
    assert.equal(proof?.kind, 'proved');
  });
});
