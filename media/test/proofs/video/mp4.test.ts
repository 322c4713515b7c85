// MP4 video, M4A audio and QuickTime: a brand of its own, boxes that fill the file, one movie, and samples or fragments inside the file.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, excluded, proved } from '../../../src/proof.ts';
import { proveMp4 } from '../../../src/proofs/video/mp4.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/assert-proofs.ts';
import { box } from '../../helpers/media-builders.ts';
import { fixture, fixtures, joined, patched, u32be, u64be } from '../../helpers/media-files.ts';
import {
  dataAt,
  dataBytes,
  fileType,
  fragment,
  fragmentedMovie,
  fullBox,
  movie,
  mp4,
  run,
  sampleTable,
  track,
  trackFragment,
} from '../../helpers/mp4-builder.ts';

const size = { width: 64, height: 48 };
const film = proved('video/mp4', size);
const plain = mp4(movie(track()));
const data = box('mdat', Buffer.alloc(dataBytes));
const branded = (type: Buffer) =>
  joined(type, data, movie(track({ table: sampleTable({ chunks: [type.length + 8] }) })));
const fragments = (...parts: Buffer[]) => joined(fileType(), fragmentedMovie(), ...parts);
const one = fragment(trackFragment(1, run(0, 1)));

describe('a whole MP4', () => {
  for (const { name, type, bytes } of fixtures().filter(({ type }) => /\/(?:mp4|quicktime)$/.test(type))) {
    it(`a file of a real program is proved as ${type}: ${name}`, () =>
      assert.deepEqual(proofOf(proveMp4, bytes), type === 'audio/mp4' ? proved(type) : proved(type, size)));
  }

  const brands = 'isom iso2 iso3 iso4 iso5 iso6 iso7 iso8 iso9 mp41 mp42 avc1 dash cmfc cmf2 M4VH M4VP'
    .split(' ')
    .concat(
      'M4A ',
      'M4B ',
      'M4P ',
      'M4V ',
      'F4V ',
      'F4A ',
      'MSNV',
      'XAVC',
      '3g2a',
      '3ge6',
      '3gg6',
      '3gh9',
      '3gp5',
      '3gr6',
      '3gs6',
    );
  it('an MP4 is proved with any of its brands, major or compatible', () => {
    for (const brand of brands) {
      assert.deepEqual(proofOf(proveMp4, branded(fileType(brand, 'xxxx'))), film, brand);
      assert.deepEqual(proofOf(proveMp4, branded(fileType('xxxx', 'yyyy', brand))), film, brand);
    }
  });

  const sound = track({ handler: 'soun', table: sampleTable({ handler: 'soun' }) });
  for (const [what, bytes, expected] of [
    ['a picture track', plain, film],
    ['a sound track alone, as audio', mp4(movie(sound)), proved('audio/mp4')],
    [
      'a movie before its data',
      joined(fileType(), movie(track({ table: sampleTable({ chunks: [24 + movie(track()).length + 8] }) })), data),
      film,
    ],
    ['unknown boxes', mp4(movie(track()), box('sefd', 'of some phone'), box('\xa9xyz', 'words')), film],
    [
      'samples at the very start and end of the data',
      mp4(movie(track({ table: sampleTable({ sizes: [dataBytes], chunks: [dataAt - 8, dataAt + dataBytes - 1] }) }))),
      film,
    ],
    [
      'samples in several data boxes',
      joined(
        fileType(),
        data,
        box('free'),
        data,
        movie(track({ table: sampleTable({ sizes: [2 * dataBytes], chunks: [dataAt, dataAt + dataBytes + 16] }) })),
      ),
      film,
    ],
    [
      'a last data box of open size',
      joined(
        fileType(),
        movie(track({ table: sampleTable({ chunks: [24 + movie(track()).length + 8] }) })),
        u32be(0),
        'mdat',
        Buffer.alloc(dataBytes),
      ),
      film,
    ],
    [
      'a data box with a 64-bit size',
      joined(
        fileType(),
        u32be(1),
        'mdat',
        u64be(16 + dataBytes),
        Buffer.alloc(dataBytes),
        movie(track({ table: sampleTable({ sizes: [dataBytes], chunks: [40] }) })),
      ),
      film,
    ],
    ['fragments', fragments(one, data, one, data), film],
    ['QuickTime', branded(fileType('qt  ', 'qt  ')), proved('video/quicktime', size)],
    ['QuickTime that also names MP4', branded(fileType('qt  ', 'mp42')), proved('video/quicktime', size)],
    ['MP4 that also names QuickTime', branded(fileType('mp42', 'qt  ')), film],
    [
      'a recording of a phone: QuickTime with picture, sound and timed metadata',
      joined(
        fileType('qt  ', 'qt  '),
        box('wide'),
        data,
        movie(
          track({ table: sampleTable({ chunks: [36] }) }),
          track({ id: 2, handler: 'soun', table: sampleTable({ handler: 'soun', sizes: [], chunks: [40] }) }),
          track({ id: 3, handler: 'meta', table: sampleTable({ handler: 'meta', sizes: [], chunks: [] }) }),
        ),
        box('uuid', Buffer.alloc(16), 'of the phone'),
      ),
      proved('video/quicktime', size),
    ],
    [
      'sound alone in QuickTime',
      joined(fileType('qt  ', 'qt  ', 'qt  '), data, movie(sound)),
      proved('video/quicktime'),
    ],
    ['fragments and samples of the movie', joined(fileType(), data, fragmentedMovie(track()), one), film],
    ['a movie that announces fragments and has none, but samples', mp4(fragmentedMovie(track())), film],
  ] as const) {
    it(`an MP4 is proved: ${what}`, () => assert.deepEqual(proofOf(proveMp4, bytes), expected));
  }
});

describe('a broken MP4', () => {
  const sampled = (table: Parameters<typeof sampleTable>[0]) => mp4(movie(track({ table: sampleTable(table) })));
  const notFilled = 'boxes do not fill the file';
  for (const [what, bytes, reason] of [
    ['three bytes behind the boxes', joined(plain, 'xyz'), notFilled],
    ['words behind the boxes', joined(plain, 'words and more words'), notFilled],
    ['cut', plain.subarray(0, -1), notFilled],
    ['a box of size 4', joined(fileType(), u32be(4), 'free', movie(track())), notFilled],
    ['a box that ends beyond 64 bits', joined(plain, u32be(1), 'free', Buffer.alloc(8, 0xff)), notFilled],
    ['an open box that hides the rest', joined(fileType(), u32be(0), 'mdat', movie(track())), 'not exactly one movie'],
    ['a box without a name', joined(plain, box('\0\0\0\0', 'words')), 'a box without a name'],
    ['a box with a letter beyond ASCII in its name', joined(plain, box('ab\x7fd', 'words')), 'a box without a name'],
    ['no movie', joined(fileType(), data), 'not exactly one movie'],
    ['two movies', joined(plain, movie(track())), 'not exactly one movie'],
    ['two file types', joined(plain, fileType()), 'not exactly one file type'],
    ['a broken movie', mp4(box('moov')), 'not exactly one movie header'],
    ['more samples than data', sampled({ sizes: [dataBytes, 1] }), 'more samples than data'],
    ['samples before the data', sampled({ chunks: [dataAt - 9] }), 'samples outside the data'],
    ['samples behind the data', sampled({ chunks: [dataAt + dataBytes] }), 'samples outside the data'],
    ['samples far behind the file', sampled({ chunks: [0x7fffffff] }), 'samples outside the data'],
    ['samples with bytes and no data', joined(fileType(), movie(track())), 'more samples than data'],
    [
      'samples and no data',
      joined(fileType(), movie(track({ table: sampleTable({ sizes: [] }) }))),
      'samples outside the data',
    ],
    ['no samples', sampled({ sizes: [], chunks: [] }), 'no samples'],
    ['fragments announced and missing', fragments(data), 'no samples'],
    ['fragments that are not announced', mp4(movie(track()), one), 'fragments that the movie does not announce'],
    ['fragments without data', fragments(one), 'fragments without data'],
    ['a broken fragment', fragments(one, box('moof'), data), 'a fragment without its header'],
    ['a fragment of an unknown track', fragments(fragment(trackFragment(9)), data), 'a fragment of an unknown track'],
  ] as const) {
    it(`an MP4 is refused: ${what}`, () => assert.deepEqual(proofOf(proveMp4, bytes), corrupt('video/mp4', reason)));
  }

  it('QuickTime is refused as QuickTime', () => {
    const cut = branded(fileType('qt  ', 'qt  ')).subarray(0, -1);
    assert.deepEqual(proofOf(proveMp4, cut), corrupt('video/quicktime', notFilled));
  });

  it('a movie whose samples are in another file is excluded by its rule', () => {
    const elsewhere = movie(track({ references: fullBox('url ', 0, 'https://host/\0') }));
    assert.deepEqual(proofOf(proveMp4, mp4(elsewhere)), excluded('video/mp4', 'outside-data'));
  });

  it('an M4A is refused as audio', () => {
    const empty = track({ handler: 'soun', table: sampleTable({ handler: 'soun', sizes: [], chunks: [] }) });
    assert.deepEqual(proofOf(proveMp4, mp4(movie(empty))), corrupt('audio/mp4', 'no samples'));
  });

  it('an MP4 is refused when it is cut anywhere', () => {
    assertNoCutIsProved(proveMp4, plain);
    const open = fixture('ffmpeg-faststart.mp4');
    assertNoCutIsProved(proveMp4, patched(open, open.indexOf('mdat') - 4, u32be(0)), (length) => length < 0);
  });

  it('an MP4 is proved or refused, in a bounded number of reads, when bytes are damaged', () => {
    assertDamageIsBounded(proveMp4, plain);
    assertDamageIsBounded(proveMp4, fragments(one, data));
  });
});

describe('another file', () => {
  const foreign = 'avif avis avio heic heix heim heis hevc hevx hevm hevs mif1 miaf msf1 mjp2 ccst'
    .split(' ')
    .concat('crx ', 'jp2 ', 'jpx ', 'jpm ');
  it('a file is not taken for an MP4: a picture format, even if it names a brand of MP4', () => {
    for (const brand of foreign)
      assert.equal(proofOf(proveMp4, branded(fileType(brand, 'isom', 'mp42'))), undefined, brand);
  });

  for (const [what, bytes] of [
    ['an empty file', Buffer.alloc(0)],
    ['QuickTime among other unknown brands', branded(fileType('xxxx', 'qt  '))],
    ['a brand without its blank', branded(fileType('M4A\0', 'xxxx'))],
    ['a minor version that is spelled like a brand', branded(box('ftyp', 'xxxx', 'isom', 'yyyy'))],
    ['a brand behind the file type', joined(fileType('xxxx', 'yyyy'), 'isom')],
    ['a brand that is cut', fileType('xxxx', 'isom').subarray(0, -1)],
    ['a brand that is not at a multiple of four', branded(fileType('xxxx', 'yyis', 'omzz'))],
    ['another box first', joined(box('free'), plain)],
  ] as const) {
    it(`a file is not taken for an MP4: ${what}`, () => assert.equal(proofOf(proveMp4, bytes), undefined));
  }

  it('a brand counts if it is in the first kibibyte', () => {
    const at = (brands: number) => branded(fileType('xxxx', ...Array<string>(brands).fill('yyyy'), 'isom'));
    assert.deepEqual(proofOf(proveMp4, at(251)), film);
    assert.equal(proofOf(proveMp4, at(252)), undefined);
  });
});
