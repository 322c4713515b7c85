// The type of a file from its bytes alone: the first bytes select the prover, other files are text or nothing.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type MediaType, mediaTypeNames, mediaTypes } from '../src/media-type.ts';
import { corrupt, excluded, type Prover, proved, provedText } from '../src/proof.ts';
import { proveZip } from '../src/proofs/archives/zip.ts';
import { proveMp3 } from '../src/proofs/audio/mp3.ts';
import { proveOgg } from '../src/proofs/audio/ogg.ts';
import { proveWav } from '../src/proofs/audio/wav.ts';
import { provePdf } from '../src/proofs/documents/pdf.ts';
import { proveAvif } from '../src/proofs/images/avif.ts';
import { proveGif } from '../src/proofs/images/gif.ts';
import { proveHeic } from '../src/proofs/images/heic.ts';
import { proveJpeg } from '../src/proofs/images/jpeg.ts';
import { provePng } from '../src/proofs/images/png.ts';
import { proveWebp } from '../src/proofs/images/webp.ts';
import { proveText } from '../src/proofs/text/text.ts';
import { proveMp4 } from '../src/proofs/video/mp4.ts';
import { proveWebm } from '../src/proofs/video/webm.ts';
import { isContainer, proveMediaType } from '../src/prove-media-type.ts';
import { proofOf } from './helpers/assert-proofs.ts';
import { av1C, avif, properties, size } from './helpers/avif-builder.ts';
import { pixel, screen, trailer } from './helpers/gif-builder.ts';
import { frame, jpeg, scan, tables } from './helpers/jpeg-builder.ts';
import { buildZip, chunk, format, mp3Frame, riff } from './helpers/media-builders.ts';
import { fixture, fixtures, hex, inMemory, joined, type Part, patched, pictures } from './helpers/media-files.ts';
import { end, grey, header, pixels, png } from './helpers/png-builder.ts';
import { lossless, webp } from './helpers/webp-builder.ts';

const documents: Prover[] = [provePdf, proveText, proveZip, proveMp3, proveOgg, proveWav, proveMp4, proveWebm];
const images: Prover[] = [proveJpeg, provePng, proveGif, proveWebp, proveAvif, proveHeic];

function judge(...parts: Part[]) {
  return proofOf(proveMediaType, joined(...parts));
}

describe('the type of a file', () => {
  for (const { name, type, bytes } of [...fixtures(), ...pictures()]) {
    it(`a file of a real program is proved as its type: ${name}`, () => {
      const proof = judge(bytes);
      assert.equal(proof?.kind, 'proved');
      // The caller decides on the subtype of a text.
      assert.equal(proof.type, type === 'text/csv' ? 'text/plain' : type);
    });
  }

  it('exactly one prover recognises each file', () => {
    for (const { name, type, bytes } of [...fixtures(), ...pictures()]) {
      // A PDF may be a text in an 8-bit encoding too. The prover of its opening comes first.
      const provers = [...documents, ...images].filter((prove) => prove !== proveText || type.startsWith('text/'));
      const proofs = provers.map((prove) => prove(inMemory(bytes)));
      assert.equal(proofs.filter((proof) => proof !== undefined).length, 1, name);
    }
  });

  it('there are three files of real programs for each type', () => {
    const count = Map.groupBy([...fixtures(), ...pictures()], ({ type }) => type);
    // Programs write HEIF in HEVC, which is HEIC.
    assert.deepEqual(
      mediaTypeNames.filter((type) => !count.has(type)),
      ['image/heif'],
    );
    for (const [type, files] of count) assert.ok(files.length >= 3, type);
  });

  for (const [text, what] of [
    ['GIF8 is a format', 'a GIF'],
    ['RIFF1234WAVE of words', 'a WAV'],
    ['RIFF1234WEBP of words', 'a WebP'],
    ['1234ftyp of words', 'an MP4'],
    ['PK is an abbreviation', 'an archive'],
    ['OggS is a mark', 'Ogg'],
    ['ID3 is a format', 'an MP3'],
  ] as const) {
    it(`a text that begins like ${what} is a text, or broken if no text begins like this`, () => {
      const proof = judge(text);
      if (text.startsWith('RIFF')) assert.equal(proof?.kind, 'corrupt');
      else assert.deepEqual(proof, provedText('utf-8'));
    });
  }

  for (const [what, bytes] of [
    ['an empty file', hex('')],
    ['an unknown format', hex('7f454c4602010100')],
    ['the mark of a JPEG and nothing else', hex('ffd8')],
    ['half the mark of a PNG', hex('89504e47')],
    ['half the mark of WebM', hex('1a45dfa3')],
    ['bytes before an archive', joined('MZ\0', buildZip([{ name: 'a' }]))],
    ['the mark of a JPEG before letters of an 8-bit encoding', joined(hex('ffd8'), 'caf\xe9')],
    ['words of an 8-bit encoding that begin like a GIF', joined('GIF8 caf\xe9')],
  ] as const) {
    it(`a file has no known type: ${what}`, () => assert.equal(judge(bytes), undefined));
  }

  it('a page has no known type, because text with markup is excluded', () =>
    assert.deepEqual(judge('<html>'), excluded(undefined, 'active-text')));

  it('a text in UTF-16 or windows-1251 may begin like a frame of an MP3', () => {
    assert.deepEqual(judge(hex('fffe61006200')), provedText('utf-16le'));
    assert.deepEqual(judge(hex('ffe1ebeeeaee3bf1eeea')), provedText('windows-1252'));
  });

  it('the mark of another format inside the first bytes of a file does not change its type', () => {
    // A ZIP archive has a date there, which may be anything, and a tag of an MP3 has its content.
    const zip = buildZip([{ name: 'a' }]);
    for (const mark of ['\xff\xd8\xff', '\x89PNG', 'GIF8', 'ftyp', 'OggS', 'xE\xdf\xa3'])
      assert.deepEqual(judge(patched(zip, 10, mark)), proved('application/zip'), mark);
    const tagged = (mark: string) =>
      judge('ID3', [4, 0, 0, 0, 0, 0, mark.length], mark, ...Array<Buffer>(3).fill(mp3Frame()));
    for (const mark of ['PK\x03\x04', '%PDF-', 'OggS', 'xE\xdf\xa3'])
      assert.deepEqual(tagged(mark), proved('audio/mpeg'), mark);
  });

  it('a file keeps the type that it begins like when it is broken', () => {
    assert.deepEqual(judge(png(grey, pixels)), corrupt('image/png', 'truncated before a chunk'));
    assert.deepEqual(
      judge(fixture('ffmpeg-alac.m4a').subarray(0, -1)),
      corrupt('video/mp4', 'boxes do not fill the file'),
    );
  });

  it('a picture or a video is chosen by its brand, although both begin alike', () => {
    assert.equal(judge(fixture('ffmpeg-dash.mp4'))?.type, 'video/mp4');
    assert.equal(
      judge(
        ...pictures()
          .filter(({ name }) => name === 'sharp-lossy.avif')
          .map(({ bytes }) => bytes),
      )?.type,
      'image/avif',
    );
  });
});

describe('a file inside a file', () => {
  it('a broken file is refused for its own defect', () =>
    assert.deepEqual(
      judge(png(grey, ['prVt', buildZip([{ name: 'a' }])], pixels)),
      corrupt('image/png', 'truncated before a chunk'),
    ));

  it('an archive and a text may contain whole files of other formats, and other types may not', () => {
    const containers = mediaTypeNames.filter(isContainer);
    assert.deepEqual(
      containers.map((type) => mediaTypes[type].extensions[0]),
      ['txt', 'csv', 'docx', 'xlsx', 'odt', 'zip'],
    );
  });
});

describe('the work of a proof', () => {
  const side = 65_535;
  for (const [type, bytes, sides = side] of [
    ['image/jpeg', jpeg(tables, frame({ width: side, height: side }), scan())],
    ['image/png', png(header({ width: side, height: side }), pixels, end)],
    ['image/gif', joined(screen(side, side), pixel, trailer)],
    ['image/webp', webp(lossless(16_384, 16_384)), 16_384],
    ['image/avif', avif({ meta: { iprp: properties([size(side, side), av1C], [1, 2]) } })],
  ] as [MediaType, Buffer, number?][]) {
    it(`the size of a ${sides} by ${sides} picture is read, and nothing is decoded: ${type}`, () => {
      const file = counted(bytes);
      assert.deepEqual(proveMediaType(file), proved(type, { width: sides, height: sides }));
      assert.ok(bytes.length < 500 && file.loaded <= bytes.length, `${file.loaded} of ${bytes.length} bytes`);
    });
  }

  it('a proof reads a file of many small parts in few pieces', () => {
    const notes = Buffer.alloc(8 * 900, chunk('note', Buffer.alloc(0)));
    const file = counted(riff(format(), chunk('data', Buffer.alloc(8)), notes));
    assert.deepEqual(proveMediaType(file), proved('audio/wav'));
    assert.ok(file.reads < 10, `${file.reads} reads`);
  });
});

function counted(bytes: Buffer) {
  const file = inMemory(bytes);
  const counts = {
    size: file.size,
    reads: 0,
    loaded: 0,
    read: (position: number, length: number) => {
      const piece = file.read(position, length);
      counts.reads += 1;
      counts.loaded += piece.length;
      return piece;
    },
  };
  return counts;
}
