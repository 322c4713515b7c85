// Ogg audio: Vorbis, Opus or FLAC, whose streams begin together, have every page in sequence, and end.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Objection, proved, refused } from '../../../src/proof.ts';
import { proveOgg } from '../../../src/proofs/audio/ogg.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/assert-proofs.ts';
import { oggPage, opusHead } from '../../helpers/media-builders.ts';
import { fixture, fixtures, joined, type Part, patched, u32le } from '../../helpers/media-files.ts';

const vorbisHead = joined('\x01vorbis', u32le(0), [1], u32le(8_000), Buffer.alloc(14));
const flacHead = joined('\x7fFLAC\x01', [0, 0, 0], 'fLaC', Buffer.alloc(38));
const index = 'fishead\0';
const cut = { payload: Buffer.alloc(255), lacing: [255] };

const isProved = proved('audio/ogg');
const otherCodec: Objection = { rule: 'sound-codec' };

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
    ['a recording that was stopped', [first(), middle(1)]],
    ['two streams, one of which was stopped', [first(), first(vorbisHead, 8), last(1), middle(1, 8)]],
    ['a second link that was stopped', [first(), last(1), first(), middle(1)]],
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
    ['nothing but a first page', [first()], 'a stream without its content'],
    ['a second link without its content', [first(), last(1), first()], 'a stream without its content'],
    [
      'a recording that was stopped inside a packet',
      [first(), oggPage({ flags: 0, sequence: 1, ...cut })],
      'the last packet is cut',
    ],
    [
      'a recording that was stopped inside a packet of one of its streams',
      [first(), first(vorbisHead, 8), oggPage({ flags: 0, sequence: 1, ...cut }), last(1, 8)],
      'the last packet is cut',
    ],
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
    ['video alone', [first('\x80theora and more of it')], otherCodec],
    ['video beside sound', [first(), first('\x80theora and more of it', 8), last(1)], otherCodec],
    ['video after sound', [first(), last(1), first('\x80theora and more of it')], otherCodec],
    ['only an index', [first(index), last(1)], otherCodec],
    ['Speex', [first('Speex   1.2'), last(1)], otherCodec],
    ['an empty first page', [first(''), last(1)], otherCodec],
    ['an index without its last byte', [first('fishead'), last(1)], otherCodec],
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
  ] as [string, Buffer[], Objection][]) {
    it(`Ogg is refused: ${what}`, () => assert.deepEqual(judge(...pages), refused('audio/ogg', reason)));
  }

  for (const [what, head] of [
    ['Opus that is cut', opusHead.subarray(0, 18)],
    ['Opus of version 16', patched(opusHead, 8, [16])],
    ['Opus without a channel', patched(opusHead, 9, [0])],
    ['Vorbis that is cut', vorbisHead.subarray(0, 29)],
    ['Vorbis that is too long', joined(vorbisHead, [0])],
    ['Vorbis of version 1', patched(vorbisHead, 7, [1])],
    ['Vorbis without a channel', patched(vorbisHead, 11, [0])],
    ['Vorbis without a rate', patched(vorbisHead, 12, u32le(0))],
    ['FLAC that is cut', flacHead.subarray(0, 50)],
    ['FLAC of version 2', patched(flacHead, 5, [2])],
    ['FLAC without the mark of its stream', patched(flacHead, 9, 'fLaX')],
  ] as const) {
    it(`a stream has a broken first packet: ${what}`, () =>
      assert.deepEqual(judge(first(head), last(1)), refused('audio/ogg', 'a broken first packet')));
  }

  for (const [what, head] of [
    ['Opus with another mark', patched(opusHead, 7, 'x')],
    ['Vorbis with another mark', patched(vorbisHead, 6, 'x')],
    ['FLAC with another mark', patched(flacHead, 4, 'x')],
  ] as const) {
    it(`a stream is of another codec: ${what}`, () =>
      assert.deepEqual(judge(first(head), last(1)), refused('audio/ogg', otherCodec)));
  }

  it('Ogg is refused when it is cut anywhere but between two pages', () => {
    const bytes = fixture('ffmpeg-opus.ogg');
    const pages = [...bytes.toString('latin1').matchAll(/OggS\0/g)].map(({ index }) => index);
    // The first page alone has no content.
    assertNoCutIsProved(proveOgg, bytes, (length) => pages.slice(2).includes(length));
  });

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
