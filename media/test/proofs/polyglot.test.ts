// Polyglots: a proved file that an unpacker or a PDF reader would also open as its own format.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import type { MediaType } from '../../src/media-type.ts';
import type { Prover } from '../../src/proof.ts';
import { proveMp3 } from '../../src/proofs/audio/mp3.ts';
import { proveOgg } from '../../src/proofs/audio/ogg.ts';
import { proveWav } from '../../src/proofs/audio/wav.ts';
import { proveGif } from '../../src/proofs/images/gif.ts';
import { proveJpeg } from '../../src/proofs/images/jpeg.ts';
import { provePng } from '../../src/proofs/images/png.ts';
import { proveWebp } from '../../src/proofs/images/webp.ts';
import { findPolyglot } from '../../src/proofs/polyglot.ts';
import { proveMp4 } from '../../src/proofs/video/mp4.ts';
import { proveWebm } from '../../src/proofs/video/webm.ts';
import { ids } from '../../src/proofs/video/webm-elements.ts';
import { extension, gif, pixel } from '../helpers/gif-builder.ts';
import { frame, jpeg, scan, segment, tables } from '../helpers/jpeg-builder.ts';
import { box, buildZip, chunk, element, format, mp3Frame, oggPage, opusHead, riff } from '../helpers/media-builders.ts';
import { fixtures, inMemory, joined, type Part, pictures, u16le } from '../helpers/media-files.ts';
import { movie, mp4, track } from '../helpers/mp4-builder.ts';
import { plainPdf } from '../helpers/pdf-builder.ts';
import { end, grey, pixels, png } from '../helpers/png-builder.ts';
import { cluster, entry, info, tracks, webm } from '../helpers/webm-builder.ts';
import { extended, flags, lossless, webp } from '../helpers/webp-builder.ts';

const zip = buildZip([{ name: 'a', content: 'x' }]);

function find(type: MediaType, ...parts: Part[]): string | undefined {
  return findPolyglot(inMemory(joined(...parts)), type);
}

const falseEnds = joined('PK\x05\x06', Buffer.alloc(8), [0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0])
  .toString('latin1')
  .repeat(101);

const filler = (bytes: number) => Buffer.alloc(bytes, 'x');

const mebibyte = 2 ** 20;
const sevenZip = joined('7z\xbc\xaf\x27\x1c');

describe('a polyglot', () => {
  for (const [what, parts, expected] of [
    ['an archive at the end', ['picture', zip], 'also a ZIP archive'],
    ['an archive with 60,000 bytes behind it', ['picture', zip, filler(60_000)], 'also a ZIP archive'],
    ['an archive with more bytes behind it than a comment has', ['picture', zip, filler(69_000)], 'also a ZIP archive'],
    ['an archive with many bytes behind it', ['picture', zip, filler(300_000)], 'also an archive'],
    ['an archive behind which are a hundred false ends', ['picture', zip, falseEnds], 'also an archive'],
    [
      'an archive behind many beginnings of its mark',
      ['picture', 'PK'.repeat(100), zip, filler(300_000)],
      'also an archive',
    ],
    ['an archive behind beginnings of other marks', ['picture', 'ob%%7zRa', sevenZip], 'also an archive'],
    ['only beginnings of marks', ['picture', 'PKob%%7zRa'.repeat(10_000)], undefined],
    ['a RAR archive', ['picture', 'Rar!\x1a\x07\x01\0'], 'also an archive'],
    ['a 7-Zip archive', ['picture', sevenZip], 'also an archive'],
    ['a 7-Zip archive in the last place where unpackers look', [filler(8 * mebibyte - 6), sevenZip], 'also an archive'],
    ['the header of a PDF and an object', ['x%PDF-1.4\n1 0 obj\n'], 'also a PDF'],
    [
      'a header without a version where strict readers look',
      [filler(1_023), '%PDF-', filler(5_000), '1 0 obj '],
      'also a PDF',
    ],
    ['a header far in', [filler(3 * mebibyte), '%PDF-1', filler(5_000), '1 0 obj '], 'also a PDF'],
    ['an object far behind the header', ['%PDF-1', filler(3 * mebibyte), '1 0 obj<<', filler(5_000)], 'also a PDF'],
    ['an object before the header', ['1 0 obj ', filler(5_000), '%PDF-1.4'], 'also a PDF'],
    ['an end mark before the header', ['%%EOF', filler(5_000), '%PDF-1.4'], 'also a PDF'],
    ['an object in an odd notation', ['%PDF-1.4', '1\0\t0\n\f\r obj\0'], 'also a PDF'],
    ['an object with many blanks', ['%PDF-1.4\n1 0', ' '.repeat(99), 'obj<<>>'], 'also a PDF'],
    ['an object with a comment', ['%PDF-1.4\n1 0%x\nobj<<>>'], 'also a PDF'],
    ['an object without blanks', ['%PDF-1.4\n1 0obj<<>>'], 'also a PDF'],
    ['a header and an end mark', ['%PDF-1.4', filler(5_000), '%%EOF', filler(5_000)], 'also a PDF'],
    ['an object behind words that are none', ['%PDF-1.4 obj object', filler(99), '9 obj '], 'also a PDF'],
    ['a second header that has a version', [filler(2_000), '%PDF-x %PDF-1', filler(99), '9 obj '], 'also a PDF'],
    ['an object and a table without a header', ['1 0 obj<<>>', filler(5_000), 'trailer\n<<'], 'also a PDF'],
    ['an object and a table behind a comment', ['1 0 obj<<>>', filler(5_000), 'trailer%\n<<'], 'also a PDF'],
    ['an object and the place of a table', ['1 0 obj<<>>', filler(5_000), 'startxref'], 'also a PDF'],
    ['a table behind blanks', ['1 0 obj<<>>', 'trailer', ' '.repeat(99_999), '<<'], 'also a PDF'],
  ] as [string, Part[], string][]) {
    it(`a file is a polyglot: ${what}`, () => assert.equal(find('image/png', ...parts), expected));
  }

  for (const [what, parts] of [
    ['nothing', []],
    ['words', ['words']],
    ['the header of a PDF alone', ['%PDF-1.4', filler(5_000)]],
    ['the header of a PDF and words', ['%PDF-1.4', filler(5_000), ' object xobj obj']],
    ['an object alone', ['1 0 obj ', filler(5_000), '%%EOF']],
    ['an object and a film', ['1 0 obj ', 'the trailer (2020)']],
    ['a header without a version where only lenient readers look', [filler(1_024), '%PDF-', filler(5_000), '1 0 obj ']],
    ['a table without objects', ['trailer <<', filler(5_000), 'startxref']],
    ['the mark of a ZIP archive alone', ['picture', 'PK\x03\x04words words']],
    ['a ZIP archive farther in than unpackers look', [filler(8 * mebibyte - 9), zip, filler(80_000)]],
    ['a 7-Zip archive farther in than unpackers look', [filler(8 * mebibyte - 5), sevenZip]],
    ['half the mark of an archive', ['picture', sevenZip.subarray(0, 5)]],
    ['the end of an archive without its directory', ['picture', zip.subarray(-22)]],
  ] as [string, Part[]][]) {
    it(`a file is no polyglot: ${what}`, () => assert.equal(find('image/png', ...parts), undefined));
  }

  it('a PDF is a polyglot only if an archive ends with it', () => {
    const ended = joined(zip.subarray(0, -2), u16le(5), '%%EOF');
    assert.equal(find('application/pdf', '%PDF-', ended), 'also a ZIP archive');
    assert.equal(find('application/pdf', '%PDF-', zip, '%%EOF'), undefined);
    assert.equal(find('image/png', 'picture', zip, 'words'), 'also a ZIP archive');
  });

  it('a mark is found wherever the pieces are cut', () => {
    for (let before = 64 * 1024 - 16; before <= 64 * 1024 + 2; before++) {
      assert.equal(find('image/png', filler(before), '%PDF-1.4 9 obj '), 'also a PDF', `${before}`);
      assert.equal(find('image/png', '%PDF-1.4 ', filler(before), '9 obj '), 'also a PDF', `${before}`);
      assert.equal(find('image/png', '9 obj ', filler(before), 'trailer <<'), 'also a PDF', `${before}`);
      assert.equal(find('image/png', '9 obj ', filler(before), 'startxref'), 'also a PDF', `${before}`);
      assert.equal(find('image/png', filler(before), zip, filler(80_000)), 'also an archive', `${before}`);
      assert.equal(find('image/png', filler(before), sevenZip), 'also an archive', `${before}`);
    }
  });

  it('a PDF may contain other PDFs and archives', () => {
    assert.equal(find('application/pdf', '%PDF-1.4 ', plainPdf, sevenZip, '%%EOF'), undefined);
  });
});

describe('a whole PDF inside another format', () => {
  const sound = chunk('data', Buffer.alloc(8));
  const tag = (frame: Part) => {
    const bytes = joined(frame);
    return joined('ID3', [4, 0, 0, 0, 0, bytes.length >> 7, bytes.length & 0x7f], bytes);
  };
  const frames = Array<Buffer>(3).fill(mp3Frame());
  const page = (flags: number, sequence: number, payload: Part) =>
    oggPage({ flags, sequence, payload: joined(payload) });
  const film = mp4(movie(track()));
  for (const [what, prove, bytes] of [
    [
      'the colour profile of a JPEG',
      proveJpeg,
      jpeg(segment(0xe2, joined('ICC_PROFILE\0\x01\x01', plainPdf)), tables, frame(), scan()),
    ],
    ['a chunk of a PNG that is kept', provePng, png(grey, ['sPLT', plainPdf], pixels, end)],
    ['a comment of a GIF', proveGif, gif(extension(0xfe, plainPdf), pixel)],
    ['an application extension of a GIF', proveGif, gif(extension(0xff, 'NETSCAPE2.0', plainPdf), pixel)],
    [
      'the colour profile of a WebP',
      proveWebp,
      webp(extended(1, 1, flags.profile), ['ICCP', plainPdf], lossless(1, 1)),
    ],
    ['a text of an ID3 tag', proveMp3, joined(tag(joined('TIT2', plainPdf)), ...frames)],
    ['the padding of an ID3 tag', proveMp3, joined(tag(joined(Buffer.alloc(20), plainPdf)), ...frames)],
    ['a free box of an MP4', proveMp4, joined(film, box('free', plainPdf))],
    ['a box of an MP4 with a name of its own', proveMp4, joined(film, box('uuid', Buffer.alloc(16), plainPdf))],
    ['the notes of an MP4', proveMp4, mp4(box('moov', box('mvhd', Buffer.alloc(100)), track(), box('udta', plainPdf)))],
    ['the samples of an MP4', proveMp4, joined(film, box('mdat', plainPdf))],
    ['a list of a WAV', proveWav, riff(format(), sound, chunk('LIST', joined('INFO', plainPdf)))],
    [
      'a comment of Ogg',
      proveOgg,
      joined(page(2, 0, opusHead), page(0, 1, joined('OpusTags', plainPdf)), page(4, 2, 'x')),
    ],
    ['padding of a WebM', proveWebm, webm(info, tracks(entry()), cluster, element(ids.void, plainPdf))],
    [
      'a tag of a WebM',
      proveWebm,
      webm(
        info,
        tracks(entry()),
        cluster,
        element(ids.tags, element(ids.tag, element(ids.simpleTag, element(0x4487, plainPdf)))),
      ),
    ],
  ] as [string, Prover, Buffer][]) {
    it(`a file is a polyglot: a PDF in ${what}`, () => {
      const proof = prove(inMemory(bytes));
      assert.equal(proof?.kind, 'proved');
      assert.equal(findPolyglot(inMemory(bytes), proof.type), 'also a PDF');
    });
  }

  it('a compressed colour profile of a PNG hides nothing that a reader finds', () => {
    const profile = joined('profile\0\0', deflateSync(plainPdf));
    assert.equal(find('image/png', png(grey, ['iCCP', profile], pixels, end)), undefined);
  });

  it('no file of a real program is a polyglot', () => {
    for (const { name, type, bytes } of [...fixtures(), ...pictures()])
      if (!/zip|office|opendocument|text/.test(type))
        assert.equal(findPolyglot(inMemory(bytes), type), undefined, name);
  });
});
