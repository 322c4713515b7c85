// An AVIF: known boxes that fill the file, a primary picture of AV1 with one size, and items whose bytes are in the file.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { corrupt, proved } from '../../../src/proof.ts';
import { proveAvif } from '../../../src/proofs/images/avif.ts';
import { assertDamageIsBounded, assertNoCutIsProved, proofOf } from '../../helpers/assert-proofs.ts';
import {
  associations,
  av1C,
  avif,
  box,
  dataAt,
  dataBytes,
  ftyp,
  fullBox,
  handler,
  item,
  items,
  locations,
  movie,
  properties,
  size,
  track,
} from '../../helpers/avif-builder.ts';
import { reference, references } from '../../helpers/heic-builder.ts';
import { hex, joined, patched, picture, u16be, u32be, u64be } from '../../helpers/media-files.ts';

const two = { width: 2, height: 2 };
const none = Buffer.alloc(0);
const free = box('free');
const here: [number, number] = [dataAt, dataBytes];

function withProperties(ipma: Buffer, list: Buffer[] = [size(2, 2), av1C]): Buffer {
  return avif({ meta: { iprp: box('iprp', box('ipco', ...list), ipma) } });
}

describe('a whole AVIF', () => {
  for (const name of ['lossy', 'lossless', 'with-alpha-and-a-profile']) {
    it(`an AVIF of a real encoder is proved with its size: ${name}`, () =>
      assert.deepEqual(
        proofOf(proveAvif, picture(`sharp-${name}.avif`)),
        proved('image/avif', { width: 24, height: 16 }),
      ));
  }

  const idat = (version: number) => ({
    iloc: locations({ version, items: [{ id: 1, method: 1, extents: [[4, 12]] }] }),
    more: box('idat', Buffer.alloc(16)),
  });
  for (const [what, bytes, expected = two] of [
    ['one picture', avif()],
    [
      'the largest size',
      avif({ meta: { iprp: properties([size(0xffffffff, 0xffffffff), av1C], [1, 2]) } }),
      { width: 0xffffffff, height: 0xffffffff },
    ],
    ['wider than high', avif({ meta: { iprp: properties([size(7, 3), av1C], [1, 2]) } }), { width: 7, height: 3 }],
    ['only its major brand', avif({ ftyp: ftyp('avif', 'mif1', 'miaf') })],
    ['only a compatible brand', avif({ ftyp: ftyp('mif1', 'miaf', 'avif') })],
    ['the brand of sequences, with a movie', avif({ ftyp: ftyp('avis', 'avif', 'msf1'), extra: movie([2, 2]) })],
    ['the brand of sequences among the compatible ones, without a movie', avif({ ftyp: ftyp('mif1', 'miaf', 'avis') })],
    ['a last data box of open size', avif({ extra: joined(u32be(0), 'mdat', Buffer.alloc(4)) })],
    ['a box with a 64-bit size', avif({ extra: joined(u32be(1), 'free', u64be(16)) })],
    [
      'free space, skipped bytes and a box of a maker',
      avif({ extra: joined(free, box('skip', '00'), box('uuid', Buffer.alloc(20))) }),
    ],
    ['an unknown box at the top, which is not stored', avif({ extra: box('evil', '00') })],
    ['100 boxes', avif({ extra: Buffer.alloc(97 * 8, free) })],
    ['a primary item of 32 bits', avif({ meta: { pitm: fullBox('pitm', 1, u32be(1)) } })],
    [
      'a primary item in a box of 256 KiB',
      avif({ meta: { pitm: fullBox('pitm', 0, u16be(1), Buffer.alloc(262_144 - 14)) } }),
    ],
    [
      'locations of version 0 with a reserved field that is set',
      avif({ meta: { iloc: box('iloc', '00000000 4404 0001 0001 0000 0001 00000020 00000010') } }),
    ],
    ['a list of items with a 32-bit count', avif({ meta: { iinf: fullBox('iinf', 1, u32be(1), item(1, 'av01')) } })],
    [
      'an item with a 32-bit number',
      avif({ meta: { iinf: fullBox('iinf', 0, u16be(1), fullBox('infe', 3, u32be(1), u16be(0), 'av01', [0])) } }),
    ],
    [
      'an item without a name',
      avif({ meta: { iinf: fullBox('iinf', 0, u16be(1), fullBox('infe', 2, u16be(1), u16be(0), 'av01')) } }),
    ],
    ['other items beside the picture', avif({ meta: { iinf: items([2, 'Exif'], [1, 'av01'], [3, 'mime']) } })],
    ...['grid', 'iovl', 'iden', 'sato', 'tmap'].map((type): [string, Buffer] => [
      `a picture derived from AV1 pictures: ${type}`,
      avif({
        meta: {
          iinf: items([1, type], [2, 'av01']),
          iprp: properties([size(2, 2)], [1]),
          more: references(reference('dimg', 1, 2)),
        },
      }),
    ]),
    ['properties that are essential', avif({ meta: { iprp: properties([size(2, 2), av1C], [1, 0x82]) } })],
    ['a property of number 0, which is none', avif({ meta: { iprp: properties([size(2, 2), av1C], [0, 1, 2]) } })],
    [
      'properties of other items',
      withProperties(associations([2, [3]], [1, [1, 2]], [4, [3, 2]]), [size(2, 2), av1C, size(9, 9)]),
    ],
    ['properties with 16-bit numbers', withProperties(box('ipma', '00000001 00000001 0001 02 8001 0002'))],
    ['properties of items with 32-bit numbers', withProperties(fullBox('ipma', 1, u32be(1), u32be(1), [2, 1, 2]))],
    [
      'data in two places of two data boxes',
      avif({
        data: joined(box('mdat', Buffer.alloc(16)), box('mdat', Buffer.alloc(16))),
        meta: {
          iloc: locations({
            items: [
              {
                id: 1,
                extents: [
                  [dataAt, 16],
                  [dataAt + 24, 16],
                ],
              },
            ],
          }),
        },
      }),
    ],
    [
      'data of a part of the data box',
      avif({ meta: { iloc: locations({ items: [{ id: 1, extents: [[dataAt + 5, 3]] }] }) } }),
    ],
    [
      '64-bit offsets and lengths',
      avif({ meta: { iloc: locations({ offsetBytes: 8, lengthBytes: 8, items: [{ id: 1, extents: [here] }] }) } }),
    ],
    [
      'a base offset',
      avif({ meta: { iloc: locations({ baseBytes: 4, items: [{ id: 1, base: dataAt, extents: [[0, 16]] }] }) } }),
    ],
    [
      'a 64-bit base offset alone',
      avif({
        meta: {
          iloc: locations({ baseBytes: 8, offsetBytes: 0, items: [{ id: 1, base: dataAt, extents: [[0, 16]] }] }),
        },
      }),
    ],
    [
      'locations of version 1',
      avif({ meta: { iloc: locations({ version: 1, items: [{ id: 1, extents: [here] }] }) } }),
    ],
    [
      'locations of version 2',
      avif({ meta: { iloc: locations({ version: 2, items: [{ id: 1, extents: [here] }] }) } }),
    ],
    [
      'locations of version 1 with an index',
      avif({ meta: { iloc: locations({ version: 1, indexBytes: 4, items: [{ id: 1, extents: [here] }] }) } }),
    ],
    ['data in the meta box', avif({ meta: idat(1) })],
    ['data in the meta box with locations of version 2', avif({ meta: idat(2) })],
    ['a track smaller than the picture', avif({ extra: movie([1, 1]) })],
    [
      'a track larger than the picture, whose size counts',
      avif({ extra: movie([65_535, 65_535]) }),
      { width: 65_535, height: 65_535 },
    ],
    [
      'tracks of which one is wide and one is high',
      avif({ extra: movie([9, 1], [1, 7], [3, 3]) }),
      { width: 9, height: 7 },
    ],
    [
      'a track header of version 1',
      avif({ extra: box('moov', box('mvhd'), box('trak', track(1, 9, 7))) }),
      { width: 9, height: 7 },
    ],
    ['100 tracks', avif({ extra: movie(...Array<[number, number]>(100).fill([1, 1])) })],
  ] as [string, Buffer, { width: number; height: number }?][]) {
    it(`an AVIF is proved: ${what}`, () => assert.deepEqual(proofOf(proveAvif, bytes), proved('image/avif', expected)));
  }
});

describe('a broken AVIF', () => {
  const located = (iloc: Buffer) => avif({ meta: { iloc } });
  const at = (offset: number, length: number) =>
    located(locations({ items: [{ id: 1, extents: [[offset, length]] }] }));
  const sizedBy = (...list: Buffer[]) =>
    avif({
      meta: {
        iprp: properties(
          list,
          list.map((_, index) => index + 1),
        ),
      },
    });
  const outside = 'item 1 is outside the data';
  for (const [what, bytes, reason] of [
    ['three bytes after the last box', joined(avif(), [0, 0, 0]), 'the boxes do not fill the file'],
    ['a box longer than the file', patched(avif(), 24, u32be(0xffffffff)), 'the boxes do not fill the file'],
    ['a box shorter than its header', patched(avif(), 24, u32be(7)), 'the boxes do not fill the file'],
    ['an open box that hides the rest', patched(avif(), 24, u32be(0)), 'no meta box, or a broken one'],
    [
      'a 64-bit size beyond the file',
      avif({ extra: joined(u32be(1), 'free', u64be(17)) }),
      'the boxes do not fill the file',
    ],
    ['nothing but a file type', ftyp('avif'), 'no meta box, or a broken one'],
    ['a file type of odd length', avif({ ftyp: box('ftyp', joined('avif', u32be(0), 'mif1avi')) }), 'wrong ftyp'],
    ['a file type without a version', avif({ ftyp: box('ftyp', joined('avif')) }), 'wrong ftyp'],
    ['101 boxes', avif({ extra: Buffer.alloc(98 * 8, free) }), 'too many boxes'],
    ['two file types', avif({ extra: ftyp('avif') }), 'two ftyp'],
    ['two meta boxes', avif({ extra: fullBox('meta', 0) }), 'two meta'],
    ['two movies', avif({ extra: joined(movie([2, 2]), movie([2, 2])) }), 'two moov'],
    ['a sequence without a movie', avif({ ftyp: ftyp('avis', 'mif1', 'avis') }), 'a sequence without moov'],
    ['boxes that do not fill the meta box', avif({ meta: { more: joined('xyz') } }), 'no meta box, or a broken one'],
    [
      'an open box in the meta box',
      avif({ meta: { pitm: joined(u32be(0), 'pitm', [0, 0, 0, 0, 0, 1]) }, extra: free }),
      'no meta box, or a broken one',
    ],
    ['no handler', avif({ meta: { hdlr: none } }), 'the handler is not a picture'],
    ['the handler of a video', avif({ meta: { hdlr: handler('vide') } }), 'the handler is not a picture'],
    ['two handlers', avif({ meta: { more: handler('pict') } }), 'the handler is not a picture'],
    ['no primary item', avif({ meta: { pitm: none } }), 'no primary item'],
    ['two primary items', avif({ meta: { more: fullBox('pitm', 0, u16be(1)) } }), 'no primary item'],
    ['a primary item of one byte', avif({ meta: { pitm: fullBox('pitm', 0, [1]) } }), 'no primary item'],
    ['a primary item without a version', avif({ meta: { pitm: box('pitm', '00') } }), 'no primary item'],
    [
      'a primary item of more than 256 KiB',
      avif({ meta: { pitm: fullBox('pitm', 0, u16be(1), Buffer.alloc(262_144)) } }),
      'no primary item',
    ],
    [
      'a primary item that is not listed',
      avif({ meta: { pitm: fullBox('pitm', 0, u16be(9)) } }),
      'the primary item is nothing',
    ],
    ['no list of items', avif({ meta: { iinf: none } }), 'no item list, or a broken one'],
    ['two lists of items', avif({ meta: { more: items() } }), 'no item list, or a broken one'],
    [
      'more items than listed',
      avif({ meta: { iinf: fullBox('iinf', 0, u16be(2), item(1, 'av01')) } }),
      'no item list, or a broken one',
    ],
    [
      'fewer items than listed',
      avif({ meta: { iinf: fullBox('iinf', 0, u16be(0), item(1, 'av01')) } }),
      'no item list, or a broken one',
    ],
    [
      'items that do not fill their list',
      avif({ meta: { iinf: fullBox('iinf', 0, u16be(1), item(1, 'av01'), [0]) } }),
      'no item list, or a broken one',
    ],
    [
      'two items of one number',
      avif({ meta: { iinf: items([1, 'av01'], [1, 'av01']) } }),
      'no item list, or a broken one',
    ],
    [
      'another box among the items',
      avif({ meta: { iinf: fullBox('iinf', 0, u16be(1), fullBox('free', 2, u16be(1), u16be(0), 'av01')) } }),
      'no item list, or a broken one',
    ],
    [
      'an item of version 1',
      avif({ meta: { iinf: fullBox('iinf', 0, u16be(1), fullBox('infe', 1, u16be(0), u16be(1), u16be(0), 'av01')) } }),
      'no item list, or a broken one',
    ],
    [
      'an item cut in its type',
      avif({ meta: { iinf: fullBox('iinf', 0, u16be(1), fullBox('infe', 2, u16be(1), u16be(0), 'av0')) } }),
      'no item list, or a broken one',
    ],
    ['HEVC inside', avif({ meta: { iinf: items([1, 'hvc1'], [2, 'av01']) } }), 'the primary item is hvc1'],
    [
      'a page as the primary item',
      avif({ meta: { iinf: items([1, 'mime'], [2, 'av01']) } }),
      'the primary item is mime',
    ],
    [
      'a derived picture and nothing from which it is derived',
      avif({ meta: { iinf: items([1, 'grid']), iprp: properties([size(2, 2)], [1]) } }),
      'the primary item is grid, made of nothing',
    ],
    [
      'a derived picture and an AV1 picture from which it is not derived',
      avif({ meta: { iinf: items([1, 'grid'], [2, 'av01']), iprp: properties([size(2, 2)], [1]) } }),
      'the primary item is grid, made of nothing',
    ],
    [
      'pictures that are derived from each other',
      avif({
        meta: {
          iinf: items([1, 'grid'], [2, 'iovl'], [3, 'av01']),
          iprp: properties([size(2, 2)], [1]),
          more: references(reference('dimg', 1, 2), reference('dimg', 2, 1)),
        },
      }),
      'the primary item is grid, made of nothing',
    ],
    ['no properties', avif({ meta: { iprp: none } }), 'no item properties, or broken ones'],
    [
      'properties without a list',
      avif({ meta: { iprp: box('iprp', associations([1, []])) } }),
      'no item properties, or broken ones',
    ],
    [
      'properties without associations',
      avif({ meta: { iprp: box('iprp', box('ipco', size(2, 2), av1C)) } }),
      'no item properties, or broken ones',
    ],
    [
      'properties that do not fill their list',
      avif({ meta: { iprp: box('iprp', box('ipco', size(2, 2), av1C, '00'), associations([1, [1, 2]])) } }),
      'no item properties, or broken ones',
    ],
    [
      'halves that do not fill the properties',
      avif({ meta: { iprp: box('iprp', box('ipco', size(2, 2), av1C), associations([1, [1, 2]]), '00') } }),
      'no item properties, or broken ones',
    ],
    [
      'a property that is not there',
      avif({ meta: { iprp: properties([size(2, 2), av1C], [1, 2, 3]) } }),
      'broken property associations',
    ],
    [
      'a property of another item that is not there',
      withProperties(associations([1, [1, 2]], [2, [3]])),
      'broken property associations',
    ],
    [
      'associations of more items than there are',
      withProperties(fullBox('ipma', 0, u32be(2), u16be(1), [2, 1, 2])),
      'broken property associations',
    ],
    [
      'associations of 4 billion items',
      withProperties(fullBox('ipma', 0, u32be(0xffffffff), u16be(1))),
      'broken property associations',
    ],
    [
      'associations cut in their numbers',
      withProperties(fullBox('ipma', 0, u32be(1), u16be(1), [3, 1, 2])),
      'broken property associations',
    ],
    ['no AV1 configuration', sizedBy(size(2, 2)), 'no av1C'],
    [
      'no AV1 configuration and no locations',
      avif({ meta: { iprp: properties([size(2, 2)], [1]), iloc: none } }),
      'no av1C',
    ],
    ['two AV1 configurations', sizedBy(size(2, 2), av1C, av1C), 'no av1C'],
    ['no size', sizedBy(av1C), 'no size, or more than one'],
    [
      'two sizes that contradict each other',
      sizedBy(size(2, 2), av1C, size(0xffff, 0xffff)),
      'no size, or more than one',
    ],
    ['a size without height', sizedBy(fullBox('ispe', 0, u32be(2)), av1C), 'no size, or more than one'],
    [
      'a size of three numbers',
      sizedBy(fullBox('ispe', 0, u32be(2), u32be(2), u32be(2)), av1C),
      'no size, or more than one',
    ],
    ['no width', sizedBy(size(0, 2), av1C), 'no width or height'],
    ['no height', sizedBy(size(2, 0), av1C), 'no width or height'],
    ['no locations', located(none), 'no item locations'],
    ['two locations', avif({ meta: { more: locations({ items: [] }) } }), 'no item locations'],
    ['locations of version 3', located(fullBox('iloc', 3, hex('4400 0001'))), 'no item locations'],
    [
      'locations of more than 256 KiB',
      located(fullBox('iloc', 0, hex('4400 0000'), Buffer.alloc(262_144))),
      'no item locations',
    ],
    ['offsets of 3 bytes', located(box('iloc', '00000000 3400 0001 0001 0000 0001 000020 00000010')), 'wrong iloc'],
    ['offsets of 12 bytes', located(box('iloc', '00000000 c400 0001 0001 0000 0001')), 'wrong iloc'],
    ['indexes of 1 byte', located(box('iloc', '00000000 4401 0001 0001 0000 0001')), 'wrong iloc'],
    ['data that end behind the data box', at(dataAt, dataBytes + 1), outside],
    ['data that begin before the data box', at(dataAt - 1, dataBytes), outside],
    ['data in the file type', at(8, 4), outside],
    ['data without bytes', at(dataAt, 0), outside],
    ['data at 4 GiB', at(0xffffffff, 16), outside],
    [
      'data over two data boxes',
      avif({
        data: joined(box('mdat', Buffer.alloc(16)), box('mdat', Buffer.alloc(16))),
        meta: { iloc: locations({ items: [{ id: 1, extents: [[dataAt, 40]] }] }) },
      }),
      outside,
    ],
    ['a second extent outside the data', located(locations({ items: [{ id: 1, extents: [here, [0, 4]] }] })), outside],
    [
      'a base that moves the data away',
      located(locations({ baseBytes: 4, items: [{ id: 1, base: 1, extents: [here] }] })),
      outside,
    ],
    [
      'a 64-bit offset that would wrap around',
      located(box('iloc', '00000000 8800 0001 0001 0000 0001 ffffffffffffffff 0000000000000030')),
      outside,
    ],
    [
      'data in a part of the meta box that is missing',
      located(locations({ version: 1, items: [{ id: 1, method: 1, extents: [[0, 1]] }] })),
      outside,
    ],
    [
      'data behind the part of the meta box',
      avif({
        meta: {
          iloc: locations({ version: 1, items: [{ id: 1, method: 1, extents: [[0, 17]] }] }),
          more: box('idat', Buffer.alloc(16)),
        },
      }),
      outside,
    ],
    [
      'data built from another item',
      located(locations({ version: 1, items: [{ id: 1, method: 2, extents: [here] }] })),
      outside,
    ],
    [
      'data in another file',
      located(locations({ items: [{ id: 1, reference: 7, extents: [here] }] })),
      'wrong location of item 1',
    ],
    [
      'an item without extents',
      located(locations({ items: [{ id: 1, extents: [] }] })),
      'the primary item has no data',
    ],
    [
      'an item with two locations',
      located(
        locations({
          items: [
            { id: 1, extents: [here] },
            { id: 1, extents: [here] },
          ],
        }),
      ),
      'wrong location of item 1',
    ],
    [
      'locations of more items than there are',
      located(locations({ items: [{ id: 1, extents: [here] }], count: 2 })),
      'item locations are truncated',
    ],
    [
      'locations cut in an extent',
      located(fullBox('iloc', 0, hex('4400 0001 0001 0000 0002'), u32be(dataAt), u32be(dataBytes))),
      outside,
    ],
    ['locations cut in their head', located(fullBox('iloc', 0, hex('4400'))), 'item locations are truncated'],
    ['empty locations', located(fullBox('iloc', 0)), 'item locations are truncated'],
    [
      'no data of the primary item',
      located(locations({ items: [{ id: 2, extents: [here] }] })),
      'the primary item has no data',
    ],
    ['boxes that do not fill the movie', avif({ extra: box('moov', '000000ff', Buffer.from('mvhd')) }), 'broken moov'],
    ['a movie without its header', avif({ extra: box('moov', box('trak', track(0, 2, 2))) }), 'broken moov'],
    [
      'a movie with two headers',
      avif({ extra: box('moov', box('mvhd'), box('mvhd'), box('trak', track(0, 2, 2))) }),
      'broken moov',
    ],
    ['a movie without tracks', avif({ extra: movie() }), '0 tracks'],
    ['101 tracks', avif({ extra: movie(...Array<[number, number]>(101).fill([1, 1])) }), '101 tracks'],
    ['a track without its header', avif({ extra: box('moov', box('mvhd'), box('trak', free)) }), 'broken track'],
    [
      'a track whose boxes do not fill it',
      avif({ extra: box('moov', box('mvhd'), box('trak', track(0, 2, 2), '00')) }),
      'broken track',
    ],
    [
      'a track header of another length',
      avif({ extra: box('moov', box('mvhd'), box('trak', fullBox('tkhd', 0, Buffer.alloc(92)))) }),
      'broken track',
    ],
    [
      'a track header of version 1 and the length of version 0',
      avif({ extra: box('moov', box('mvhd'), box('trak', fullBox('tkhd', 1, Buffer.alloc(80)))) }),
      'broken track',
    ],
  ] as const) {
    it(`an AVIF is refused: ${what}`, () => assert.deepEqual(proofOf(proveAvif, bytes), corrupt('image/avif', reason)));
  }

  it('an AVIF is refused when it is cut anywhere', () => {
    for (const bytes of [avif(), avif({ ftyp: ftyp('avis', 'avif'), extra: movie([2, 2]) })]) {
      assertNoCutIsProved(proveAvif, bytes);
    }
  });

  it('an AVIF is proved or refused, in a bounded number of reads, when bytes are damaged', () => {
    assertDamageIsBounded(proveAvif, avif({ extra: movie([2, 2]) }));
    assertDamageIsBounded(proveAvif, picture('sharp-lossy.avif'));
  });
});

describe('another file', () => {
  for (const [what, bytes] of [
    ['an empty file', Buffer.alloc(0)],
    ['a video', joined(ftyp('mp42', 'isom'), box('mdat'))],
    ['an HEIC picture', avif({ ftyp: ftyp('heic', 'mif1') })],
    [
      'a picture whose minor version is spelled like the brand',
      avif({ ftyp: box('ftyp', joined('mif1', 'avif', 'miaf')) }),
    ],
    ['a brand that is cut', ftyp('mif1', 'avif').subarray(0, 19)],
    ['a brand behind the file type', joined(ftyp('mif1', 'miaf'), 'avif')],
    ['a brand in a file type that begins with another box', joined(box('free'), avif())],
  ] as const) {
    it(`a file is not taken for an AVIF: ${what}`, () => assert.equal(proofOf(proveAvif, bytes), undefined));
  }
});
