// A WebM: an EBML header of that type, information and tracks with WebM codecs before the clusters, and blocks of these tracks.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, excluded, proved } from '../../../src/proof.ts';
import { proveWebm } from '../../../src/proofs/video/webm.ts';
import { ids } from '../../../src/proofs/video/webm-elements.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/assert-proofs.ts';
import { element } from '../../helpers/media-builders.ts';
import { fixture, fixtures, joined, type Part } from '../../helpers/media-files.ts';
import {
  block,
  cluster,
  clusterOf,
  entry,
  info,
  plainWebm,
  segment,
  tracks,
  webm,
  webmHeader,
} from '../../helpers/webm-builder.ts';

const isProved = proved('video/webm');
const pictures = tracks(entry());

describe('a whole WebM', () => {
  for (const { name, bytes } of fixtures().filter(({ type }) => type === 'video/webm')) {
    it(`a WebM of a real program is proved: ${name}`, () =>
      assert.deepEqual(
        proofOf(proveWebm, bytes),
        name.includes('audio-only') ? isProved : proved('video/webm', { width: 64, height: 48 }),
      ));
  }

  for (const [codec, kind] of [
    ['V_VP8', 1],
    ['V_VP9', 1],
    ['V_AV1', 1],
    ['A_VORBIS', 2],
    ['A_OPUS', 2],
    ['V_MPEG4/ISO/AVC', 1],
    ['A_PCM/FLOAT/IEEE', 2],
  ] as const) {
    it(`a WebM is proved with the codec ${codec}, and not if its track is of another kind`, () => {
      const of = (value: number) => proofOf(proveWebm, webm(info, tracks(entry({ codec, kind: [value] })), cluster));
      assert.deepEqual(of(kind), isProved);
      for (const other of [0, 3 - kind, 3, 17]) assert.deepEqual(of(other), excluded('video/webm', 'video-codec'));
    });
  }

  for (const [codec, kind] of [
    ['D_WEBVTT/SUBTITLES', 17],
    ['D_WEBVTT/CAPTIONS', 17],
    ['D_WEBVTT/DESCRIPTIONS', 33],
    ['D_WEBVTT/METADATA', 33],
  ] as const) {
    it(`a WebM may have a track of ${codec} beside a picture`, () => {
      const of = (value: number) =>
        proofOf(proveWebm, webm(info, tracks(entry(), entry({ number: [2], codec, kind: [value] })), cluster));
      assert.deepEqual(of(kind), isProved);
      assert.deepEqual(of(1), excluded('video/webm', 'video-codec'));
    });
  }

  const sound = entry({ number: [2], kind: [2], codec: 'A_OPUS' });
  const sized = (width: Part, height: Part) =>
    webm(info, tracks(sound, entry({ width, height }), entry({ number: [3], width: [9], height: [9] })), cluster);
  for (const [what, bytes, expected = isProved] of [
    ['a picture track', plainWebm],
    ['H.264 in Matroska', matroska(entry({ codec: 'V_MPEG4/ISO/AVC' }))],
    ['sound in Matroska', matroska(entry({ codec: 'A_PCM/FLOAT/IEEE', kind: [2] }))],
    ['a size, that of the first picture track', sized([1, 0], [7]), proved('video/webm', { width: 256, height: 7 })],
    ['a width without a height', webm(info, tracks(entry({ width: [7] })), cluster)],
    ['a width of zero', sized([0], [7])],
    ['a height of zero', sized([7], [0])],
    ['padding behind a codec', webm(info, tracks(entry({ codec: 'V_VP8\0\0' })), cluster)],
    [
      'a track number of two bytes',
      webm(info, tracks(entry({ number: [1, 44] })), clusterOf(element(ids.simpleBlock, [0x41, 0x2c, 0, 0, 0]))),
    ],
    [
      'the largest track number of one byte',
      webm(info, tracks(entry({ number: [127] })), clusterOf(element(ids.simpleBlock, [0xff, 0, 0, 0]))),
    ],
    [
      'a block in a group',
      webm(info, pictures, clusterOf(element(ids.blockGroup, element(ids.block, [0x81, 0, 0, 0])))),
    ],
    ['information behind the tracks', webm(pictures, info, cluster)],
    ['an empty cluster and one with a block', webm(info, pictures, clusterOf(), cluster)],
    [
      'fields of a track that are not looked at',
      webm(info, tracks(entry({ more: joined(element(0x9c, [0]), element(0x9c, [0])) })), cluster),
    ],
    [
      'other fields in the header',
      joined(
        element(ids.header, joined(element(0x4286, [1]), element(ids.docType, 'webm\0'), element(0x4287, [2]))),
        segment(info, pictures, cluster),
      ),
    ],
    [
      'a header of 1,024 bytes',
      joined(
        element(ids.header, joined(element(ids.docType, 'webm'), element(ids.void, Buffer.alloc(1_024 - 10 - 5)))),
        segment(info, pictures, cluster),
      ),
    ],
    ['a segment of open length', joined(webmHeader, element(ids.segment, joined(info, pictures, cluster), 'open'))],
    [
      '100 tracks',
      webm(info, tracks(...Array.from({ length: 100 }, (_, index) => entry({ number: [index + 1] }))), cluster),
    ],
  ] as [string, Buffer, ReturnType<typeof proved>?][]) {
    it(`a WebM is proved: ${what}`, () => assert.deepEqual(proofOf(proveWebm, bytes), expected));
  }
});

/** What Chromium records as `video/webm;codecs=h264`. */
function matroska(track: Part): Buffer {
  const header = element(ids.header, element(ids.docType, 'matroska'));
  return joined(header, segment(info, tracks(track), cluster));
}

describe('a broken WebM', () => {
  const of = (shape: Parameters<typeof entry>[0]) => webm(info, tracks(entry(shape)), cluster);
  const blockOf = (content: Part) => webm(info, pictures, clusterOf(element(ids.simpleBlock, content)));
  const twice = 'a track has the same field twice';
  const codec = 'a track without a kind or a codec';
  const number = 'a track number is zero or used twice';
  for (const [what, bytes, reason] of [
    ['nothing but a header', webmHeader, 'no segment'],
    ['a byte behind the segment', joined(plainWebm, 'x'), 'the segment does not end with the file'],
    ['no clusters', webm(info, pictures), 'no picture and no sound'],
    [
      'clusters without blocks',
      webm(info, pictures, clusterOf(element(ids.timestamp, [0]))),
      'no picture and no sound',
    ],
    ['clusters before the tracks', webm(info, cluster, pictures), 'clusters before the tracks'],
    ['no information before the clusters', webm(pictures, cluster, info), 'clusters before the tracks'],
    ['empty tracks', webm(info, tracks(), cluster), 'clusters before the tracks'],
    [
      'tracks after the clusters',
      webm(info, pictures, cluster, tracks(entry({ number: [2] }))),
      'tracks in the wrong place',
    ],
    [
      '101 tracks',
      webm(info, tracks(...Array.from({ length: 101 }, (_, index) => entry({ number: [index + 1] }))), cluster),
      'tracks in the wrong place',
    ],
    ['words alone', of({ kind: [17], codec: 'D_WEBVTT/SUBTITLES' }), 'neither picture nor sound'],
    [
      'no codec',
      webm(info, tracks(joined(element(ids.trackNumber, [1]), element(ids.trackType, [1]))), cluster),
      codec,
    ],
    ['neither kind nor codec', webm(info, tracks(element(ids.trackNumber, [1])), cluster), codec],
    ['no kind', webm(info, tracks(joined(element(ids.trackNumber, [1]), element(ids.codec, 'V_VP8'))), cluster), codec],
    [
      'no number',
      webm(info, tracks(joined(element(ids.trackType, [1]), element(ids.codec, 'V_VP8'))), cluster),
      number,
    ],
    ['a number of zero', of({ number: [0] }), number],
    ['two tracks of one number', webm(info, tracks(entry(), entry({ codec: 'V_VP9' })), cluster), number],
    ['two codecs', of({ more: element(ids.codec, 'V_VP9') }), twice],
    ['two numbers', of({ more: element(ids.trackNumber, [1]) }), twice],
    ['two kinds', of({ more: element(ids.trackType, [1]) }), twice],
    ['two widths', of({ width: [7], more: element(ids.video, element(ids.pixelWidth, [9])) }), twice],
    ['two heights', of({ height: [7], more: element(ids.video, element(ids.pixelHeight, [9])) }), twice],
    ['an empty block', blockOf(''), 'a broken block'],
    ['a block of three bytes', blockOf([0x81, 0, 0]), 'a broken block'],
    ['a block of four bytes with a track number of two', blockOf([0x40, 1, 0, 0]), 'a broken block'],
    ['a block with a track number of three bytes', blockOf([0x20, 0, 1, 0, 0, 0]), 'a broken block'],
    ['a block of an unknown track', blockOf([0x82, 0, 0, 0]), 'a block of an unknown track'],
    ['a block of track 0', blockOf([0x80, 0, 0, 0]), 'a block of an unknown track'],
    [
      'a block in a group of an unknown track',
      webm(info, pictures, clusterOf(element(ids.blockGroup, element(ids.block, [0x85, 0, 0, 0])))),
      'a block of an unknown track',
    ],
    [
      'a second block that is broken',
      webm(info, pictures, clusterOf(block, element(ids.simpleBlock, [0x81]))),
      'a broken block',
    ],
  ] as const) {
    it(`a WebM is refused: ${what}`, () => assert.deepEqual(proofOf(proveWebm, bytes), corrupt('video/webm', reason)));
  }

  for (const [what, bytes] of [
    ['a codec of Matroska', of({ codec: 'V_MPEGH/ISO/HEVC' })],
    ['a codec that begins like one of WebM', of({ codec: 'V_VP8X' })],
    ['a codec with the name of a method', of({ codec: 'toString' })],
  ] as const) {
    it(`a WebM is excluded by the rule for codecs: ${what}`, () =>
      assert.deepEqual(proofOf(proveWebm, bytes), excluded('video/webm', 'video-codec')));
  }

  it('a WebM is refused when it is cut anywhere', () => {
    assertNoCutIsProved(proveWebm, plainWebm);
    assertNoCutIsProved(proveWebm, fixture('ffmpeg-av1.webm'));
  });

  it('a WebM is proved or refused, in a bounded number of reads, when bytes are damaged', () =>
    assertDamageIsBounded(
      proveWebm,
      webm(info, tracks(entry({ width: [7], height: [3] })), cluster, element(ids.tags, '')),
    ));
});

describe('another file', () => {
  const rest = segment(info, pictures, cluster);
  const header = (...content: Part[]) => joined(element(ids.header, joined(...content)), rest);
  const type = element(ids.docType, 'webm');
  for (const [what, bytes] of [
    ['an empty file', Buffer.alloc(0)],
    ['another element first', joined(element(ids.void, ''), plainWebm)],
    ['Matroska with a codec that browsers do not play', matroska(entry({ codec: 'V_MPEGH/ISO/HEVC' }))],
    ['Matroska that is cut', matroska(entry()).subarray(0, -1)],
    ['a header without a type', header(element(0x4286, [1]))],
    ['an empty header', header()],
    ['two types', header(element(ids.docType, 'matroska'), type)],
    ['the same type twice', header(type, type)],
    ['a header of open length', joined(element(ids.header, type, 'open'), rest)],
    ['a header of 1,025 bytes', header(type, element(ids.void, Buffer.alloc(1_025 - 10 - 5)))],
    ['a header with words in it', header(type, '\0words')],
    ['a header with an element of open length', header(element(ids.docType, '', 'open'))],
    ['a header whose type is longer than it', header(element(ids.docType, 'webm', 400))],
    ['a header whose last element is longer than it', header(type, element(ids.void, '', 5))],
    ['a header that is cut', webmHeader.subarray(0, -1)],
  ] as const) {
    it(`a file is not taken for a WebM: ${what}`, () => assert.equal(proofOf(proveWebm, bytes), undefined));
  }
});
