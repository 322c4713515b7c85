// A stripped AVIF, HEIC or HEIF: no Exif, XMP, text, thumbnail or unused bytes; every picture at its place, with its properties.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rounds, seed } from '../../../test/helpers/faults/rounds.ts';
import type { FileBytes, MediaType } from '../../src/media-type.ts';
import { readStill, readTopLevel } from '../../src/proofs/images/heif.ts';
import { codecs, type Heif } from '../../src/proofs/images/heif-items.ts';
import { proveMediaType } from '../../src/prove-media-type.ts';
import { editAvif, editHeic } from '../../src/strip/heif.ts';
import {
  associations,
  av1C,
  avif,
  box,
  dataAt,
  dataBytes,
  ftyp,
  fullBox,
  items,
  locations,
  movie,
  size,
  track,
} from '../helpers/avif-builder.ts';
import { hvcC, phonePicture, reference, references } from '../helpers/heic-builder.ts';
import { fixture, inMemory, joined, patched, u16be, u32be, u64be } from '../helpers/media-files.ts';
import { edited, piecesOf, strip } from '../helpers/strip.ts';

type Editor = (file: FileBytes) => ReturnType<typeof editHeic>;

function stripped(source: Buffer, edit: Editor = editHeic): Buffer {
  const proof = proveMediaType(inMemory(source));
  assert.ok(proof?.kind === 'proved', JSON.stringify(proof));
  const result = strip(proof.type, source);
  assert.deepEqual(proveMediaType(inMemory(result)), proof, 'the result is the same picture');
  assert.deepEqual(edit(inMemory(result)), [], 'the result is not changed again');
  return result;
}

function read(bytes: Buffer): Heif {
  const file = inMemory(bytes);
  const boxes = readTopLevel(file);
  assert.ok(typeof boxes === 'object');
  const still = readStill(file, boxes, Object.keys(codecs));
  assert.ok(typeof still === 'object', JSON.stringify(still));
  return still.heif;
}

/** What a reader needs: each item with its bytes, properties and references. */
function describeItems(bytes: Buffer) {
  const { items: list, locations: places, references: links, associations: own, properties } = read(bytes);
  return [...list].map(([id, { type }]) => ({
    id,
    type,
    data: places.find((each) => each.id === id)?.extents.map(({ start, end }) => bytes.toString('latin1', start, end)),
    properties: own
      .filter((each) => each.id === id)
      .flatMap(({ values }) => values.map((value) => properties[value - 1]))
      .map((found) => found && bytes.toString('latin1', found.start, found.end)),
    references: links.filter(({ from }) => from === id).map(({ box: { type: kind }, to }) => [kind, ...to]),
  }));
}

describe('a stripped HEIC', () => {
  it('a picture of an iPhone keeps its tiles and its grid, and loses Exif, XMP and the thumbnail', () => {
    const source = phonePicture();
    const result = stripped(source);
    assert.equal(result.length, source.length);
    const kept = describeItems(source).slice(0, 49);
    assert.deepEqual(describeItems(result), kept);
    for (const secret of ['Secret', 'Exif', 'mime', 'cdsc', 'thmb', 'dinf', 'xmp'])
      assert.ok(!result.includes(secret), secret);
  });

  for (const name of [
    'heif-enc-from-a-phone.heic',
    'heif-enc-thumbnail.heic',
    'heif-enc-two-pictures.heic',
    'imagemagick.heic',
    'heif-enc.heic',
  ]) {
    it(`a picture of a real encoder keeps what is shown: ${name}`, () => {
      const source = fixture(name);
      const before = describeItems(source);
      const thumbnails = before
        .filter(({ references: list }) => list.some(([kind]) => kind === 'thmb'))
        .map(({ id }) => id);
      const parts = before
        .filter(({ id }) => thumbnails.includes(id))
        .flatMap(({ references: list }) => list.filter(([kind]) => kind === 'dimg').flatMap(([, ...to]) => to));
      const expected = before.filter(
        ({ id, type }) => !thumbnails.includes(id) && !parts.includes(id) && !['Exif', 'mime'].includes(type),
      );
      assert.deepEqual(describeItems(stripped(source)), expected);
    });
  }

  it('the place of every picture stays the same', () => {
    const source = phonePicture();
    const places = (bytes: Buffer) =>
      read(bytes)
        .locations.filter(({ id }) => id <= 49)
        .map(({ id, extents }) => ({ id, extents: id === 49 ? 1 : extents }));
    assert.deepEqual(places(stripped(source)), places(source));
  });

  for (const [what, options] of [
    ['bytes that no item uses', { gap: 'SecretText' }],
    ['a box of a maker inside the tables', { more: box('uuid', joined('0123456789abcdefSecretText')) }],
    ['text inside the tables', { more: box('xml ', joined('\0\0\0\0SecretText')) }],
    ['free space inside the tables', { more: box('free', joined('SecretText')) }],
    ['a description of the picture', { properties: [fullBox('udes', 0, 'en\0SecretText\0\0\0')] }],
    ['a property of a maker', { properties: [box('uuid', joined('0123456789abcdefSecretText'))] }],
    ['a film after the data', { extra: box('mpvd', joined('SecretText')) }],
    ['the blocks of a Samsung phone after the data', { extra: box('sefd', joined('SecretText')) }],
    [
      'several boxes after the data',
      { extra: joined(box('free', joined('SecretText')), box('uuid', joined('0123456789abcdefSecretText'))) },
    ],
    ['a track after the data', { extra: box('moov', joined('SecretText')) }],
    ['an open box after the data', { extra: joined(u32be(0), 'free', 'SecretText') }],
  ] as [string, Parameters<typeof phonePicture>[0]][]) {
    it(`a stripped HEIC loses ${what}`, () => {
      const source = phonePicture({ columns: 2, rows: 1, ...options });
      assert.ok(source.includes('SecretText'));
      const result = stripped(source);
      assert.ok(!result.includes('SecretText'));
      assert.equal(result.length, source.length - (options?.extra?.length ?? 0));
    });
  }

  it('a property that is cleared may also belong to an item that is removed', () => {
    const source = phonePicture({
      columns: 1,
      rows: 1,
      tile: { data: Buffer.alloc(9), configuration: box('udes'), side: 9 },
    });
    assert.deepEqual(
      describeItems(stripped(source)).map(({ type }) => type),
      ['hvc1', 'grid'],
    );
  });

  it('a property that is cleared belongs to no picture, and the others keep their numbers', () => {
    const text = fullBox('udes', 0, 'SecretText');
    const picture = describeItems(
      stripped(phonePicture({ columns: 1, rows: 1, properties: [text, box('imir', '01')] })),
    ).find(({ type }) => type === 'grid');
    assert.deepEqual(
      picture?.properties.map((found) => found?.slice(4, 8)),
      ['ispe', 'irot', 'colr', undefined, 'imir'],
    );
  });

  it('boxes between the tables and the data become free space', () => {
    const notes = box('uuid', joined('0123456789abcdefSecretText'));
    const iloc = locations({ items: [{ id: 1, extents: [[dataAt + notes.length, dataBytes]] }] });
    const source = avif({ data: joined(notes, box('mdat', Buffer.alloc(dataBytes, 'x'))), meta: { iloc } });
    const result = stripped(source, editAvif);
    assert.deepEqual(result, patched(source, 24, box('free', Buffer.alloc(notes.length - 8))));
  });

  it('the names of items and of the handler are cleared', () => {
    const iinf = fullBox('iinf', 0, u16be(1), fullBox('infe', 2, u16be(1), u16be(0), 'av01SecretText\0'));
    const hdlr = fullBox('hdlr', 0, u32be(0), 'pict', Buffer.alloc(12), 'SecretText\0');
    const source = avif({ meta: { iinf, hdlr } });
    const result = stripped(source, editAvif);
    assert.ok(!result.includes('Secret'));
    assert.equal(result.length, source.length);
  });

  it('data inside the tables that no picture uses are cleared', () => {
    const iloc = locations({ version: 1, items: [{ id: 1, method: 1, extents: [[3, 4]] }] });
    const result = stripped(avif({ meta: { iloc, more: box('idat', joined('abcpictSecret')) } }), editAvif);
    assert.ok(result.includes(joined('idat\0\0\0pict\0\0\0\0\0\0')));
  });

  it('boxes beside the properties and their list are cleared', () => {
    const iprp = box(
      'iprp',
      box('ipco', size(2, 2), av1C),
      box('note', joined('SecretText')),
      associations([1, [1, 2]]),
    );
    assert.ok(!stripped(avif({ meta: { iprp } }), editAvif).includes('Secret'));
  });

  it('data that a picture shares with Exif stay', () => {
    const iloc = locations({
      items: [
        { id: 1, extents: [[dataAt, 8]] },
        { id: 2, extents: [[dataAt + 4, 8]] },
      ],
    });
    const source = avif({
      data: box('mdat', joined('pictExif1234rest')),
      meta: { iinf: items([1, 'av01'], [2, 'Exif']), iloc },
    });
    assert.equal(stripped(source, editAvif).toString('latin1', dataAt, dataAt + 16), `pictExif${'\0'.repeat(8)}`);
  });
});

describe('the tables of a stripped picture', () => {
  const data = box('mdat', joined('pictureSecretxyz'));
  const two = [
    { id: 1, extents: [[dataAt, 7]] as [number, number][] },
    { id: 2, extents: [[dataAt + 7, 9]] as [number, number][] },
  ];
  const iinf = items([1, 'av01'], [2, 'Exif']);
  for (const [what, meta] of [
    ['locations of version 1', { iloc: locations({ version: 1, items: two }) }],
    ['locations of version 2', { iloc: locations({ version: 2, items: two }) }],
    ['64-bit offsets', { iloc: locations({ offsetBytes: 8, lengthBytes: 8, items: two }) }],
    ['a list of items with a 32-bit count', { iinf: fullBox('iinf', 1, u32be(2), iinf.subarray(14)) }],
    [
      'a list of items with a 64-bit size',
      { iinf: joined(u32be(1), 'iinf', u64be(iinf.length + 8), iinf.subarray(8)) },
    ],
    ['references with 32-bit numbers', { more: fullBox('iref', 1, box('cdsc', joined(u32be(2), u16be(1), u32be(1)))) }],
    ['a reference to the Exif and to the picture', { more: references(reference('test', 1, 2, 1, 2)) }],
    ['a reference to the Exif alone', { more: references(reference('test', 1, 2), reference('test', 1, 1)) }],
    [
      'properties of the Exif',
      { iprp: box('iprp', box('ipco', size(2, 2), av1C), associations([2, [1]], [1, [1, 2]])) },
    ],
    ['Exif without a location', { iloc: locations({ items: two.slice(0, 1) }) }],
    [
      'a location of an item that is not listed',
      { iloc: locations({ items: [...two, { id: 9, extents: [[dataAt + 7, 9]] }] }) },
    ],
  ] as const) {
    it(`Exif is removed from the tables: ${what}`, () => {
      const source = avif({ data, meta: { iinf, iloc: locations({ items: two }), ...meta } });
      const result = stripped(source, editAvif);
      assert.equal(result.length, source.length);
      assert.ok(!result.includes('Secret') && !result.includes('Exif'));
      const [only, ...others] = describeItems(result);
      const [before] = describeItems(source);
      assert.deepEqual(others, []);
      const rest = before?.references
        .map(([kind, ...to]) => [kind, ...to.filter((id) => id !== 2)])
        .filter(({ length }) => length > 1);
      assert.deepEqual(only, { ...before, references: rest });
    });
  }

  it('the tables are shortened also if the last one is open to the end of the file', () => {
    const iref = references(reference('cdsc', 2, 1));
    const source = avif({ data, meta: { iinf, iloc: locations({ items: two }), more: iref } });
    const open = patched(source, source.length - iref.length, u32be(0));
    assert.ok(!stripped(open, editAvif).includes('cdsc'));
  });
});

describe('thumbnails and auxiliary pictures', () => {
  const extents: [number, number][] = [[dataAt, dataBytes]];
  const source = (types: string[], ...list: Buffer[]) =>
    avif({
      ftyp: ftyp('heic', 'mif1', 'heic'),
      meta: {
        iinf: items(...types.map((type, index): [number, string] => [index + 1, type])),
        iprp: box('iprp', box('ipco', size(2, 2), hvcC), associations([1, [1, 2]])),
        iloc: locations({ items: types.map((_, index) => ({ id: index + 1, extents })) }),
        more: references(...list),
      },
    });
  const left = (...parameters: Parameters<typeof source>) => [...read(stripped(source(...parameters))).items.keys()];
  for (const [what, types, list, expected] of [
    ['a thumbnail is removed', 2, [reference('thmb', 2, 1)], [1]],
    [
      'an alpha picture, a depth map and a gain map stay',
      4,
      [2, 3, 4].map((id) => reference('auxl', id, 1)),
      [1, 2, 3, 4],
    ],
    ['the alpha picture of a thumbnail is removed', 3, [reference('auxl', 3, 2), reference('thmb', 2, 1)], [1]],
    ['an alpha picture of both stays', 3, [reference('auxl', 3, 1, 2), reference('thmb', 2, 1)], [1, 3]],
    ['the tiles of a thumbnail are removed', 4, [reference('dimg', 2, 3, 4), reference('thmb', 2, 1)], [1]],
    [
      'tiles that the picture also uses stay',
      4,
      [reference('dimg', 2, 3, 4), reference('dimg', 1, 3), reference('thmb', 2, 1)],
      [1, 3],
    ],
    ['a thumbnail of which the picture is made stays', 2, [reference('dimg', 1, 2), reference('thmb', 2, 1)], [1, 2]],
    [
      'the picture itself is never removed',
      2,
      [reference('thmb', 1, 2), reference('auxl', 1, 2), reference('dimg', 2, 1)],
      [1, 2],
    ],
    [
      'a part of the picture that also belongs to a thumbnail stays',
      3,
      [reference('dimg', 1, 2), reference('auxl', 2, 3), reference('thmb', 3, 1)],
      [1, 2],
    ],
    ['a second picture stays', 2, [], [1, 2]],
    ['an auxiliary picture of nothing stays', 2, [reference('auxl', 2)], [1, 2]],
  ] as [string, number, Buffer[], number[]][]) {
    it(what, () => assert.deepEqual(left(Array<string>(types).fill('hvc1'), ...list), expected));
  }

  it('items that are no pictures are removed, whatever they are called', () =>
    assert.deepEqual(left(['hvc1', 'Exif', 'mime', 'uri ', 'jpeg', 'abcd', 'grid', 'tmap', 'iovl']), [1, 7, 8, 9]));
});

describe('a stripped AVIF', () => {
  it('an AVIF of a real encoder keeps what is shown', () => {
    const source = fixture('heif-enc-from-a-phone.avif');
    assert.ok(['SecretMaker', 'SecretXmp', 'SecretText'].every((secret) => source.includes(secret)));
    const result = stripped(source, editAvif);
    assert.ok(!result.includes('Secret'));
    assert.deepEqual(describeItems(result), describeItems(source).slice(0, 1));
  });

  it('a sequence keeps its tracks and their samples, and loses Exif and the notes of its tracks', () => {
    const notes = box('udta', joined('SecretText'));
    const moov = box(
      'moov',
      box('mvhd', Buffer.alloc(100)),
      notes,
      box('trak', track(0, 2, 2), box('meta', joined('SecretText'))),
    );
    const source = avif({
      ftyp: ftyp('avis', 'avif', 'msf1'),
      data: box('mdat', joined('pictureSecretabc')),
      meta: {
        iinf: items([1, 'av01'], [2, 'Exif']),
        iloc: locations({
          items: [
            { id: 1, extents: [[dataAt, 3]] },
            { id: 2, extents: [[dataAt + 7, 6]] },
          ],
        }),
      },
      extra: moov,
    });
    const result = stripped(source, editAvif);
    assert.equal(result.toString('latin1', dataAt, dataAt + 16), 'picture\0\0\0\0\0\0abc');
    assert.ok(result.includes('moov') && result.includes('tkhd') && !result.includes('Secret'));
  });

  it('a sequence without metadata is left as it is', () =>
    assert.deepEqual(editAvif(inMemory(avif({ ftyp: ftyp('avis', 'avif', 'msf1'), extra: movie([2, 2]) }))), []));
});

describe('a damaged picture', () => {
  it('a damaged picture that is proved is stripped to the same picture, and a second time not at all', () => {
    const source = phonePicture({ columns: 2, rows: 1, gap: 'SecretText', more: box('free', joined('x')) });
    const change = fc.record({ at: fc.nat(source.length - 1), byte: fc.constantFrom(0, 1, 2, 3, 0x7f, 0x80, 0xff) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const damaged = Buffer.from(source);
        for (const { at, byte } of changes) damaged[at] = byte;
        const proof = proveMediaType(inMemory(damaged));
        if (proof?.kind !== 'proved' || !proof.type.startsWith('image/')) return;
        const result = strip(proof.type, damaged);
        assert.deepEqual(proveMediaType(inMemory(result)), proof);
        assert.equal(piecesOf(proof.type as MediaType, result), undefined);
        assert.deepEqual(edited(result, []), result);
      }),
      { numRuns: rounds(500), seed },
    );
  });

  it('what is not a proved picture is not stripped', () => {
    for (const bytes of [Buffer.from('words'), phonePicture().subarray(0, -1), box('ftyp', joined('heic', u32be(0)))])
      assert.throws(() => editHeic(inMemory(bytes)), /^Error: Not a proved picture: /);
  });
});
