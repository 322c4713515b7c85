// An MP3: optional tags, then frames of layer III of one stream without a gap, then only known tags.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, excluded, proved } from '../../../src/proof.ts';
import { proveMp3 } from '../../../src/proofs/audio/mp3.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/assert-proofs.ts';
import { mp3Frame } from '../../helpers/media-builders.ts';
import { fixture, fixtures, hex, joined, type Part, patched } from '../../helpers/media-files.ts';

const frame = mp3Frame();
const three = joined(frame, frame, frame);
const id3 = joined('ID3', [4, 0, 0, 0, 0, 0, 4], 'TIT2');
const id3v1 = joined('TAG', Buffer.alloc(125));

/** A frame of a free bit rate: its length is known only from the next one. */
function free(padding: 0 | 1): Buffer {
  return mp3Frame(0xfb, padding << 1, 300 + padding);
}

function judge(...parts: Part[]) {
  return proofOf(proveMp3, joined(...parts));
}

/** Kilobits by index, for version 1 and for versions 2 and 2.5. 0 is a free bit rate, and the last index is not allowed. */
const rates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const versions = [
  { name: '1', second: 0xfb, sampleRates: [44_100, 48_000, 32_000], rates: rates[1], bytesPer: 144_000 },
  { name: '2', second: 0xf3, sampleRates: [22_050, 24_000, 16_000], rates: rates[2], bytesPer: 72_000 },
  { name: '2.5', second: 0xe3, sampleRates: [11_025, 12_000, 8_000], rates: rates[2], bytesPer: 72_000 },
];

describe('a whole MP3', () => {
  for (const { name, bytes } of fixtures().filter(({ type }) => type === 'audio/mpeg')) {
    it(`an MP3 of a real program is proved: ${name}`, () =>
      assert.deepEqual(proofOf(proveMp3, bytes), proved('audio/mpeg')));
  }

  for (const { name, second, sampleRates, rates, bytesPer } of versions) {
    it(`frames of MPEG version ${name} have the length that their bit rate and sample rate give`, () => {
      for (let rateIndex = 0; rateIndex < 16; rateIndex++) {
        const rate = rates[rateIndex];
        for (let sampleIndex = 0; sampleIndex < 4; sampleIndex++) {
          for (const padding of [0, 1]) {
            const sampleRate = sampleRates[sampleIndex];
            const third = (rateIndex << 4) | (sampleIndex << 2) | (padding << 1);
            const length =
              sampleRate === undefined || !rate ? 400 + padding : Math.floor((bytesPer * rate) / sampleRate) + padding;
            const proof = judge(...Array(3).fill(mp3Frame(second, third, length)));
            assert.deepEqual(
              proof,
              sampleRate === undefined || rate === undefined ? undefined : proved('audio/mpeg'),
              third.toString(16),
            );
          }
        }
      }
    });
  }

  for (const [what, parts] of [
    ['three frames', [three]],
    ['frames of different bit rates', [frame, mp3Frame(0xfb, 0xa0, 522), frame]],
    ['frames with a checksum', Array(3).fill(mp3Frame(0xfa))],
    [
      'any mode, private bit and emphasis',
      [frame, joined([0xff, 0xfb, 0x91, 0xfd], Buffer.alloc(413)), joined([0xff, 0xfb, 0x90, 0x03], Buffer.alloc(413))],
    ],
    ['a tag before the frames', [id3, three]],
    ['a tag after the frames', [three, id3v1]],
    ['tags before and after', [id3, id3, three, id3v1]],
    ['a tag and 100,000 zeros before the frames', [id3, Buffer.alloc(100_000), three]],
    ['a fourth frame that is cut', [three, frame.subarray(0, 5)]],
    ['a fourth frame that is cut before a tag', [three, frame.subarray(0, -1), id3v1]],
    ['a fourth frame whose header is cut', [three, [0xff, 0xfb, 0x90]]],
    ['a byte of a fourth frame', [three, [0xff]]],
    ['100,000 zeros behind the frames', [three, Buffer.alloc(100_000)]],
    ['zeros and a tag behind the frames', [three, Buffer.alloc(3), id3v1]],
    ['a free bit rate', [free(0), free(1), free(0), free(1)]],
    ['a free bit rate whose first frame is padded', [free(1), free(0), free(1)]],
    ['a free bit rate and a frame that is cut', [free(0), free(0), free(0), free(0).subarray(0, 9)]],
    [
      'a free bit rate with a mark of a header in the sound',
      [patched(free(0), 20, [0xff, 0xfb, 0, 0]), free(0), free(0)],
    ],
    ['the longest frames of a free bit rate', Array(3).fill(mp3Frame(0xfb, 0x00, 6_000))],
    ['the shortest frames of a free bit rate', Array(3).fill(mp3Frame(0xfb, 0x00, 13))],
  ] as [string, Part[]][]) {
    it(`an MP3 is proved: ${what}`, () => assert.deepEqual(judge(...parts), proved('audio/mpeg')));
  }
});

describe('a broken MP3', () => {
  for (const [what, parts, reason] of [
    ['one frame', [frame], 'too few frames'],
    ['two frames', [frame, frame], 'too few frames'],
    ['a tag and nothing else', [id3], 'no frame after the tag'],
    ['a tag and zeros', [id3, Buffer.alloc(100)], 'no frame after the tag'],
    ['a tag and a text', [id3, 'words'], 'no frame after the tag'],
    ['one frame of a free bit rate', [free(0)], 'no second frame of a free bit rate'],
    [
      'frames of a free bit rate that are too long',
      Array(3).fill(mp3Frame(0xfb, 0x00, 6_001)),
      'no second frame of a free bit rate',
    ],
    [
      'frames of a free bit rate that are too short',
      Array(3).fill(mp3Frame(0xfb, 0x00, 12)),
      'no second frame of a free bit rate',
    ],
    [
      'frames of a free bit rate and of another length',
      [free(0), free(0), free(0), 'x', free(0)],
      'unknown data between frames',
    ],
    ['a free bit rate and then another', [free(0), free(0), free(0), frame], 'two streams in one file'],
    ['a bit rate and then a free one', [three, free(0)], 'two streams in one file'],
    ['layer III and then layer II', [three, mp3Frame(0xfd)], 'two streams in one file'],
    ['the third frame cut', [three.subarray(0, -1)], 'too few frames'],
    ['a third frame that reaches into a tag', [three.subarray(0, -1), id3v1], 'too few frames'],
    ['zeros before the frames without a tag', [frame, Buffer.alloc(4), three], 'unknown data between frames'],
    ['a byte between frames', [frame, 'x', three], 'unknown data between frames'],
    ['a page behind the frames', [three, '<script>alert(1)</script>'], 'unknown data between frames'],
    ['three bytes behind the frames', [three, [0xff, 0xdf, 0x90]], 'unknown data between frames'],
    ['four bytes behind the frames', [three, [0xff, 0xff, 0xff, 0xff]], 'unknown data between frames'],
    ['zeros and a byte behind the frames', [three, Buffer.alloc(70_000), 'x'], 'unknown data between frames'],
    ['bytes behind the last tag', [three, id3v1, 'x'], 'unknown data between frames'],
    ['another sample rate half-way', [three, mp3Frame(0xfb, 0x94, 384)], 'two streams in one file'],
    ['another version half-way', [three, mp3Frame(0xf3, 0x90, 261)], 'two streams in one file'],
    [
      'another version of the same sample rate index',
      [id3, mp3Frame(0xf3, 0x90, 261), frame, frame],
      'two streams in one file',
    ],
    ['a tag that is broken', [id3, 'ID3 is a format'], 'broken ID3v2 tag'],
    ['a tag longer than the file', ['ID3', [3, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f], three], 'ID3v2 tag is truncated'],
    ['a trailing tag that overlaps a leading one', [id3, three, '000099LYRICS200'], 'broken Lyrics3 tag'],
  ] as [string, Part[], string][]) {
    it(`an MP3 is refused: ${what}`, () => assert.deepEqual(judge(...parts), corrupt('audio/mpeg', reason)));
  }

  it('an MP3 is refused when it is cut before the end of its third frame', () => {
    const bytes = fixture('ffmpeg-mpeg25-bare.mp3');
    const ends: number[] = [];
    // 16 kbit/s at 11,025 Hz, with or without a byte of padding.
    for (let at = 0; at < bytes.length; ends.push(at)) at += 104 + ((bytes.readUInt8(at + 2) >> 1) & 1);
    assert.equal(ends.at(-1), bytes.length);
    assertNoCutIsProved(proveMp3, bytes, (length) => length >= (ends[2] ?? 0));
  });

  it('an MP3 is proved or refused, in a bounded number of reads, when bytes are damaged', () =>
    assertDamageIsBounded(proveMp3, joined(id3, Buffer.alloc(10), ...Array(3).fill(mp3Frame(0xf3, 0x14, 24)), id3v1)));
});

describe('a stream of another layer', () => {
  for (const [what, bytes] of [
    ['layer I of version 1', mp3Frame(0xff, 0x90, 312)],
    ['layer I of version 1 with padding', mp3Frame(0xff, 0x92, 316)],
    ['layer I of version 2', mp3Frame(0xf7, 0x90, 312)],
    ['layer II of version 1', mp3Frame(0xfd, 0x90, 522)],
    ['layer II of version 2', mp3Frame(0xf5, 0x90, 522)],
  ] as const) {
    it(`frames are excluded by the rule for codecs: ${what}`, () =>
      assert.deepEqual(judge(id3, bytes, bytes, bytes), excluded('audio/mpeg', 'sound-codec')));
  }
});

describe('another file', () => {
  for (const [what, bytes] of [
    ['an empty file', Buffer.alloc(0)],
    ['half a frame header', joined([0xff, 0xfb, 0x90])],
    ['a text that begins with the mark of a tag', joined('ID3 is a format')],
    ['two frames of layer II', joined(mp3Frame(0xfd, 0x90, 522), mp3Frame(0xfd, 0x90, 522))],
    ['frames of layer II with a gap', joined(...Array<Buffer>(4).fill(mp3Frame(0xfd, 0x90, 523)))],
    ['a text in UTF-16', joined(hex('fffe'), Buffer.from('words and more words', 'utf16le'))],
    ['frames of no layer, as AAC has them', joined([0xff, 0xf1, 0x50, 0x80], Buffer.alloc(500))],
    ['frames of a reserved version', joined(mp3Frame(0xeb), mp3Frame(0xeb))],
    ['frames of a reserved emphasis', joined([0xff, 0xfb, 0x90, 0x02], Buffer.alloc(413), three)],
    ['frames without a full sync', joined([0xff, 0xdb, 0x90, 0x00], Buffer.alloc(413), three)],
    ['zeros before frames', joined(Buffer.alloc(10), three)],
  ] as const) {
    it(`a file is not taken for an MP3: ${what}`, () => assert.equal(proofOf(proveMp3, bytes), undefined));
  }
});
