// Ogg audio: Vorbis, Opus or FLAC, whose streams begin together, have every page in sequence, and end.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, proved } from '../../../src/media/media-type.ts';
import { proveOgg } from '../../../src/media/proofs/ogg.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/media/assert-proofs.ts';
import { oggPage, opusHead } from '../../helpers/media/media-builders.ts';
import { fixture, fixtures, joined, type Part, patched, u32le } from '../../helpers/media/media-files.ts';

const vorbisHead = joined('\x01vorbis', u32le(0), [1], u32le(8_000), Buffer.alloc(14));
const flacHead = joined('\x7fFLAC\x01', [0, 0, 0], 'fLaC', Buffer.alloc(38));
const index = 'fishead\0';
const cut = { payload: Buffer.alloc(255), lacing: [255] };

const isProved = proved('audio/ogg');

function judge(...pages: Buffer[]) {
  return proofOf(proveOgg, joined(...pages));
}

const first = (payload: Part = opusHead, serial = 7, sequence = 0) =>
  oggPage({ flags: 2, serial, sequence, payload: joined(payload) });
const middle = (sequence: number, serial = 7) => oggPage({ flags: 0, serial, sequence, payload: 'x' });
const last = (sequence: number, serial = 7) => oggPage({ flags: 4, serial, sequence, payload: 'x' });

describe('whole Ogg audio', () => {
  for (const { name, bytes } of fixtures().filter(({ type }) => type === 'audio/ogg')) {
    it(`Ogg of a real program is proved: ${name}`, () => assert.deepEqual(proofOf(proveOgg, bytes), isProved));
  }

  for (const [what, pages] of [
    ['Opus', [first(), middle(1), last(2)]],
    ['Opus of a later version and of many channels', [first(patched(opusHead, 8, [15, 255])), last(1)]],
    ['Vorbis', [first(vorbisHead), last(1)]],
    ['FLAC', [first(flacHead), last(1)]],
    ['a stream whose first page has another number than 0', [first(opusHead, 7, 5), last(6)]],
    ['a number that begins again after its largest value', [first(opusHead, 7, 0xffffffff), last(0)]],
    ['a number that begins again after later pages', [first(opusHead, 7, 0xfffffffe), middle(0xffffffff), last(0)]],
    [
      'a packet over two pages',
      [first(), oggPage({ flags: 0, sequence: 1, ...cut }), oggPage({ flags: 5, sequence: 2, payload: 'x' })],
    ],
    ['two streams at once', [first(), first(vorbisHead, 8), middle(1), last(1, 8), last(2)]],
    ['an index beside the sound', [first(index, 8), first(), last(1, 8), last(1)]],
    [
      '16 streams',
      [
        ...Array.from({ length: 16 }, (_, serial) => first(opusHead, serial)),
        ...Array.from({ length: 16 }, (_, serial) => last(1, serial)),
      ],
    ],
    ['two links, one after the other', [first(), last(1), first(vorbisHead), last(1)]],
    ['links whose streams have different numbers', [first(), last(1), first(vorbisHead, 9), last(1, 9)]],
  ] as [string, Buffer[]][]) {
    it(`Ogg is proved: ${what}`, () => assert.deepEqual(judge(...pages), isProved));
  }
});

describe('broken Ogg audio', () => {
  const opening = (flags: number, shape: { payload: Buffer; lacing?: number[] }) =>
    oggPage({ flags, sequence: 0, ...shape });
  const openHead = { payload: joined(opusHead, Buffer.alloc(255 - opusHead.length)), lacing: [255] };
  for (const [what, pages, reason] of [
    ['bytes behind the last page', [first(), last(1), joined('words')], 'unknown data between pages'],
    ['half a page', [first(), last(1), joined('OggS\0')], 'a page is truncated'],
    ['no end', [first(), middle(1)], 'a stream without its end'],
    ['nothing but a first page', [first()], 'a stream without its end'],
    ['a stream that ends and one that does not', [first(), first(vorbisHead, 8), last(1)], 'a stream without its end'],
    ['a second link without its end', [first(), last(1), first()], 'a stream without its end'],
    ['a page that is missing', [first(), last(2)], 'a page is missing'],
    ['a page that repeats', [first(), middle(1), middle(1), last(2)], 'a page is missing'],
    [
      'a page after the end of its stream',
      [first(), first(vorbisHead, 8), last(1), middle(2), last(1, 8)],
      'a page after the end of its stream',
    ],
    ['a page after the end of the file', [first(), last(1), middle(2)], 'a page after the end of its stream'],
    ['a page of an unknown stream', [first(), middle(1, 8)], 'a page of an unknown stream'],
    ['a file that begins in the middle', [middle(1), last(2)], 'a page of an unknown stream'],
    ['a stream that begins twice', [first(), first(), last(1)], 'a stream begins twice, or too many streams'],
    [
      '17 streams',
      Array.from({ length: 17 }, (_, serial) => first(opusHead, serial)),
      'a stream begins twice, or too many streams',
    ],
    [
      'a stream that begins late',
      [first(), middle(1), first(vorbisHead, 8), last(2)],
      'a stream begins among the pages of others',
    ],
    ['video alone', [first('\x80theora and more of it')], 'not audio'],
    ['video beside sound', [first(), first('\x80theora and more of it', 8), last(1)], 'not audio'],
    ['video after sound', [first(), last(1), first('\x80theora and more of it')], 'not audio'],
    ['only an index', [first(index), last(1)], 'not audio'],
    ['an index without its last byte', [first('fishead'), last(1)], 'not audio'],
    [
      'a packet that is not continued',
      [first(), oggPage({ flags: 0, sequence: 1, ...cut }), last(2)],
      'a packet is cut',
    ],
    ['a packet that continues nothing', [first(), oggPage({ flags: 5, sequence: 1, payload: 'x' })], 'a packet is cut'],
    ['a last packet that goes on', [first(), oggPage({ flags: 4, sequence: 1, ...cut })], 'the last packet is cut'],
    ['a first page that is continued', [opening(3, { payload: opusHead })], 'a broken first page'],
    ['a first page that is the last', [opening(6, { payload: opusHead })], 'a broken first page'],
    ['a first page with a packet that goes on', [opening(2, openHead)], 'a broken first page'],
  ] as [string, Buffer[], string][]) {
    it(`Ogg is refused: ${what}`, () => assert.deepEqual(judge(...pages), corrupt('audio/ogg', reason)));
  }

  for (const [what, head] of [
    ['Opus that is cut', opusHead.subarray(0, 18)],
    ['Opus with another mark', patched(opusHead, 7, 'x')],
    ['Opus of version 16', patched(opusHead, 8, [16])],
    ['Opus without a channel', patched(opusHead, 9, [0])],
    ['Vorbis that is cut', vorbisHead.subarray(0, 29)],
    ['Vorbis that is too long', joined(vorbisHead, [0])],
    ['Vorbis with another mark', patched(vorbisHead, 6, 'x')],
    ['Vorbis of version 1', patched(vorbisHead, 7, [1])],
    ['Vorbis without a channel', patched(vorbisHead, 11, [0])],
    ['Vorbis without a rate', patched(vorbisHead, 12, u32le(0))],
    ['FLAC that is cut', flacHead.subarray(0, 50)],
    ['FLAC of version 2', patched(flacHead, 5, [2])],
    ['FLAC without the mark of its stream', patched(flacHead, 9, 'fLaX')],
    ['an empty page', Buffer.alloc(0)],
  ] as const) {
    it(`a stream is not audio: ${what}`, () =>
      assert.deepEqual(judge(first(head), last(1)), corrupt('audio/ogg', 'not audio')));
  }

  it('Ogg is refused when it is cut anywhere', () => assertNoCutIsProved(proveOgg, fixture('ffmpeg-opus.ogg')));

  it('Ogg is proved or refused, in a bounded number of reads, when bytes are damaged', () =>
    assertDamageIsBounded(proveOgg, joined(first(), first(vorbisHead, 8), last(1), last(1, 8))));
});

describe('another file', () => {
  for (const [what, bytes] of [
    ['an empty file', Buffer.alloc(0)],
    ['a mark without a version', joined('OggS')],
    ['words', joined('OggS is a mark')],
  ] as const) {
    it(`a file is not taken for Ogg: ${what}`, () => assert.equal(proofOf(proveOgg, bytes), undefined));
  }
});
