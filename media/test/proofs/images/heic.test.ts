// A still picture of HEIF: brands decide between HEIC and HEIF, the items between whole and broken, and sequences are excluded.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, excluded, proved } from '../../../src/proof.ts';
import { proveAvif } from '../../../src/proofs/images/avif.ts';
import { proveHeic } from '../../../src/proofs/images/heic.ts';
import { proveMp4 } from '../../../src/proofs/video/mp4.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/assert-proofs.ts';
import {
  av1C,
  avif,
  box,
  ftyp,
  fullBox,
  items,
  locations,
  movie,
  properties,
  size,
} from '../../helpers/avif-builder.ts';
import { hvcC, phonePicture, reference, references } from '../../helpers/heic-builder.ts';
import { fixture, joined, u16be, u32be } from '../../helpers/media-files.ts';

const two = { width: 2, height: 2 };
type Shape = NonNullable<Parameters<typeof avif>[0]>;

/** A picture of 2 by 2 in one item. */
function heic(brands: readonly [string, ...string[]] = ['heic', 'mif1'], { meta, ...rest }: Shape = {}): Buffer {
  const own = { iinf: items([1, 'hvc1']), iprp: properties([size(2, 2), hvcC], [1, 2]), ...meta };
  return avif({ ftyp: ftyp(...brands), ...rest, meta: { ...own, iloc: located(brands.length), ...meta } });
}

const located = (brands: number) => locations({ items: [{ id: 1, extents: [[16 + 4 * (brands - 1) + 8, 16]] }] });

describe('a whole HEIC', () => {
  for (const [name, expected] of [
    ['heif-enc.heic', { width: 64, height: 64 }],
    ['heif-enc-from-a-phone.heic', { width: 64, height: 48 }],
    ['heif-enc-thumbnail.heic', { width: 64, height: 48 }],
    ['heif-enc-two-pictures.heic', { width: 64, height: 48 }],
    ['imagemagick.heic', { width: 64, height: 48 }],
  ] as const) {
    it(`an HEIC of a real encoder is proved with its size: ${name}`, () =>
      assert.deepEqual(proofOf(proveHeic, fixture(name)), proved('image/heic', expected)));
  }

  it('a picture of 48 tiles, as an iPhone writes it, is proved with the size of the whole', () =>
    assert.deepEqual(proofOf(proveHeic, phonePicture()), proved('image/heic', { width: 4096, height: 3072 })));

  for (const [brands, type] of [
    [['heic'], 'image/heic'],
    [['heix', 'mif1'], 'image/heic'],
    [['heim', 'mif1'], 'image/heic'],
    [['heis', 'mif1'], 'image/heic'],
    [['mif1', 'heic'], 'image/heic'],
    [['mif1', 'heic', 'hevc', 'msf1'], 'image/heic'],
    [['mif1', 'miaf'], 'image/heif'],
    [['mif2'], 'image/heif'],
    [['1pic', 'mif1'], 'image/heif'],
  ] as [[string, ...string[]], 'image/heic' | 'image/heif'][]) {
    it(`a picture with the brands ${brands.join(', ')} is ${type}`, () =>
      assert.deepEqual(proofOf(proveHeic, heic(brands)), proved(type, two)));
  }

  for (const [what, bytes] of [
    ['the other name of HEVC', heic(undefined, { meta: { iinf: items([1, 'hev1']) } })],
    ['a film beside the still picture', heic(undefined, { extra: movie([9, 9]) })],
    [
      'boxes of makers at the top',
      heic(undefined, { extra: joined(box('mpvd', '00'), box('sefd', '00'), box('uuid', Buffer.alloc(16))) }),
    ],
    [
      'a picture that shows another one and has no data',
      heic(undefined, {
        meta: {
          pitm: fullBox('pitm', 0, u16be(2)),
          iinf: items([1, 'hvc1'], [2, 'iden']),
          iprp: box('iprp', box('ipco', size(2, 2), hvcC), fullBox('ipma', 0, u32be(1), u16be(2), [1, 1])),
          more: references(reference('dimg', 2, 1)),
        },
      }),
    ],
  ] as const) {
    it(`an HEIC is proved: ${what}`, () => assert.deepEqual(proofOf(proveHeic, bytes), proved('image/heic', two)));
  }

  it('a HEIF may use other codecs than HEVC, and a HEIC may not', () => {
    const meta = { iinf: items([1, 'av01']), iprp: properties([size(2, 2), av1C], [1, 2]) };
    assert.deepEqual(proofOf(proveHeic, heic(['mif1', 'miaf'], { meta })), proved('image/heif', two));
    assert.deepEqual(
      proofOf(proveHeic, heic(['heic', 'mif1'], { meta })),
      corrupt('image/heic', 'the primary item is av01'),
    );
  });
});

describe('a sequence of pictures', () => {
  for (const [brands, type] of [
    [['hevc', 'msf1'], 'image/heic'],
    [['hevx', 'msf1'], 'image/heic'],
    [['hevm'], 'image/heic'],
    [['hevs'], 'image/heic'],
    [['msf1', 'hevc', 'heic'], 'image/heic'],
    [['msf1', 'iso8'], 'image/heif'],
  ] as [[string, ...string[]], 'image/heic' | 'image/heif'][]) {
    it(`a file with the major brand ${brands[0]} is a moving picture, also if it has a still one`, () => {
      assert.deepEqual(proofOf(proveHeic, heic(brands)), excluded(type, 'moving-picture'));
      assert.deepEqual(proofOf(proveHeic, joined(ftyp(...brands), movie([2, 2]))), excluded(type, 'moving-picture'));
    });
  }

  it('a sequence that is cut is broken', () =>
    assert.deepEqual(
      proofOf(proveHeic, joined(ftyp('hevc', 'msf1'), movie([2, 2]).subarray(0, -1))),
      corrupt('image/heic', 'the boxes do not fill the file'),
    ));
});

describe('a broken HEIC', () => {
  for (const [what, bytes, reason] of [
    ['bytes after the last box', joined(heic(), [0]), 'the boxes do not fill the file'],
    ['no configuration', heic(undefined, { meta: { iprp: properties([size(2, 2)], [1]) } }), 'no hvcC'],
    [
      'the configuration of another codec',
      heic(undefined, { meta: { iprp: properties([size(2, 2), av1C], [1, 2]) } }),
      'no hvcC',
    ],
    [
      'Exif as the primary item',
      heic(undefined, { meta: { iinf: items([1, 'Exif'], [2, 'hvc1']) } }),
      'the primary item is Exif',
    ],
    [
      'a primary item without data',
      heic(undefined, { meta: { iloc: locations({ items: [{ id: 1, extents: [] }] }) } }),
      'the primary item has no data',
    ],
    [
      'a grid that is made of Exif',
      heic(undefined, {
        meta: { iinf: items([1, 'grid'], [2, 'hvc1'], [3, 'Exif']), more: references(reference('dimg', 1, 2, 3)) },
      }),
      'a picture that is made of something else',
    ],
    [
      'two tables of references',
      heic(undefined, { meta: { more: joined(references(), references()) } }),
      'broken references',
    ],
    [
      'references of more than 256 KiB',
      heic(undefined, { meta: { more: references(...Array<Buffer>(20_000).fill(reference('cdsc', 1, 1))) } }),
      'broken references',
    ],
    [
      'references that do not fill their table',
      heic(undefined, { meta: { more: fullBox('iref', 0, [1, 2, 3]) } }),
      'broken references',
    ],
    [
      'a reference that counts more targets',
      heic(undefined, { meta: { more: references(box('dimg', joined(u16be(1), u16be(2), u16be(1)))) } }),
      'broken references',
    ],
    [
      'a reference without a count',
      heic(undefined, { meta: { more: references(box('dimg', '0001')) } }),
      'broken references',
    ],
  ] as const) {
    it(`an HEIC is refused: ${what}`, () => assert.deepEqual(proofOf(proveHeic, bytes), corrupt('image/heic', reason)));
  }

  it('an HEIC is refused when it is cut anywhere', () => {
    assertNoCutIsProved(proveHeic, fixture('heif-enc.heic'));
    assertNoCutIsProved(proveHeic, phonePicture({ columns: 2, rows: 1 }));
  });

  it('an HEIC is proved or refused, in a bounded number of reads, when bytes are damaged', () => {
    assertDamageIsBounded(proveHeic, fixture('heif-enc.heic'));
    assertDamageIsBounded(proveHeic, phonePicture({ columns: 2, rows: 1 }));
  });
});

describe('another file', () => {
  it('an AVIF and a video are not taken for an HEIC, and an HEIC is taken for nothing else', () => {
    for (const bytes of [
      avif(),
      avif({ ftyp: ftyp('mif1', 'avif', 'heic') }),
      fixture('ffmpeg-dash.mp4'),
      Buffer.from('words'),
    ])
      assert.equal(proofOf(proveHeic, bytes), undefined);
    for (const prove of [proveAvif, proveMp4]) assert.equal(proofOf(prove, heic()), undefined);
  });
});
