// The movie box of an MP4: a header, complete tracks with different numbers, picture or sound, and samples in this file alone.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Objection } from '../../../src/proof.ts';
import { readMovie } from '../../../src/proofs/video/mp4-movie.ts';
import { box } from '../../helpers/media-builders.ts';
import { inMemory, joined, u32be } from '../../helpers/media-files.ts';
import {
  fragmentedMovie,
  fullBox,
  handlerBox,
  here,
  movie,
  sampleTable,
  track,
  trackHeader,
} from '../../helpers/mp4-builder.ts';

const before = 'some bytes';
const none = Buffer.alloc(0);

function read(bytes: Buffer) {
  const box = { type: 'moov', start: before.length, headerSize: 8, end: before.length + bytes.length };
  return readMovie(inMemory(joined(before, bytes, 'more')), box);
}

const sound = track({ id: 2, handler: 'soun', table: sampleTable({ handler: 'soun', sizes: [5], chunks: [50, 70] }) });
const still = {
  hasVideo: true,
  isFragmented: false,
  tracks: new Set([1]),
  sampleBytes: 32,
  firstChunk: 32,
  lastChunk: 32,
  size: { width: 64, height: 48 },
};

const outside: Objection = { rule: 'outside-data' };

describe('a whole movie', () => {
  for (const [what, bytes, expected] of [
    ['a picture track', movie(track()), still],
    [
      'a sound track',
      movie(sound),
      {
        ...still,
        hasVideo: false,
        tracks: new Set([2]),
        sampleBytes: 5,
        firstChunk: 50,
        lastChunk: 70,
        size: undefined,
      },
    ],
    [
      'picture and sound, in this order',
      movie(track(), sound),
      { ...still, tracks: new Set([1, 2]), sampleBytes: 37, lastChunk: 70 },
    ],
    [
      'sound and picture, in this order',
      movie(sound, track()),
      { ...still, tracks: new Set([1, 2]), sampleBytes: 37, lastChunk: 70 },
    ],
    [
      'a track of subtitles beside the picture',
      movie(track({ id: 9, handler: 'text', table: sampleTable({ handler: 'text' }) }), track()),
      { ...still, tracks: new Set([1, 9]), sampleBytes: 64 },
    ],
    ['an announcement of fragments', fragmentedMovie(track()), { ...still, isFragmented: true }],
    [
      'a track header with 64-bit times',
      movie(track({ header: trackHeader(7, 1) })),
      { ...still, tracks: new Set([7]) },
    ],
    ['several data references in this file', movie(track({ references: joined(here, here) })), still],
    ['unknown boxes', movie(track(), box('udta', 'words')), still],
  ] as const) {
    it(`a movie is read: ${what}`, () => assert.deepEqual(read(bytes), expected));
  }

  it('a movie is read with 100 tracks, and with no track more', () => {
    const of = (count: number) => read(movie(...Array.from({ length: count }, (_, index) => track({ id: index + 1 }))));
    assert.equal(typeof of(100), 'object');
    assert.equal(of(101), 'too many tracks');
  });
});

describe('a broken movie', () => {
  const incomplete = 'an incomplete track';
  const swapped = (name: string, bytes: Buffer) => movie(track({ swap: { [name]: bytes } }));
  const elsewhere = fullBox('url ', 0, 'http://example.org/\0');
  for (const [what, bytes, reason] of [
    ['boxes that do not fill it', box('moov', 'x'), 'boxes do not fill the movie'],
    ['no header', box('moov', track()), 'not exactly one movie header'],
    ['two headers', movie(track(), box('mvhd')), 'not exactly one movie header'],
    ['no tracks', movie(), 'neither picture nor sound'],
    [
      'neither picture nor sound',
      movie(track({ handler: 'text', table: sampleTable({ handler: 'text' }) })),
      'neither picture nor sound',
    ],
    ['a track number of zero', movie(track({ id: 0 })), 'a track number is zero or used twice'],
    ['two tracks of one number', movie(track(), track()), 'a track number is zero or used twice'],
    [
      'a track header that is cut in its number',
      swapped('tkhd', fullBox('tkhd', 0, Buffer.alloc(8))),
      'a track number is zero or used twice',
    ],
    ['boxes that do not fill a track', movie(box('trak', trackHeader(1), 'x')), incomplete],
    ...['tkhd', 'mdia', 'hdlr', 'minf', 'stbl', 'mdhd'].map((name): [string, Buffer, string] => [
      `a track without ${name}`,
      swapped(name, none),
      incomplete,
    ]),
    ['two track headers', swapped('tkhd', joined(trackHeader(1), trackHeader(2))), incomplete],
    ['two handlers', swapped('hdlr', joined(handlerBox('vide'), handlerBox('soun'))), incomplete],
    ['two sample tables', swapped('stbl', joined(sampleTable(), sampleTable())), incomplete],
    ['media that are not filled', swapped('mdia', box('mdia', 'x')), incomplete],
    ['information that is not filled', swapped('minf', box('minf', 'x')), incomplete],
    ['no data information', swapped('dinf', none), 'no data reference'],
    [
      'two data informations',
      swapped('dinf', joined(box('dinf', box('dref')), box('dinf', box('dref')))),
      'no data reference',
    ],
    ['data information that is not filled', swapped('dinf', box('dinf', 'x')), 'no data reference'],
    ['no list of references', swapped('dref', none), 'no data reference'],
    ['a list without references', swapped('dref', box('dref', u32be(0), u32be(0))), 'no data reference'],
    [
      'references that do not fill their list',
      swapped('dref', box('dref', u32be(0), u32be(1), here, 'x')),
      'no data reference',
    ],
    ['samples on another host', movie(track({ references: elsewhere })), outside],
    ['samples here and on another host', movie(track({ references: joined(here, elsewhere) })), outside],
    [
      'a reference without flags',
      swapped('dref', box('dref', u32be(0), u32be(1), box('url '))),
      'a broken data reference',
    ],
    ['a broken sample table', movie(track({ table: box('stbl', 'x') })), 'boxes do not fill the sample table'],
    ['a broken second track', movie(track(), track({ id: 2, swap: { stbl: none } })), incomplete],
    ['a movie that only refers to others', box('moov', box('mvhd', Buffer.alloc(100)), box('rmra'), track()), outside],
  ] as [string, Buffer, Objection][]) {
    it(`a movie is refused: ${what}`, () => assert.deepEqual(read(bytes), reason));
  }
});
