// Purposes as data: a file of purposes is taken as a whole, or refused with every problem that it has.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mediaTypeNames, typesOf } from '#media/media-type';
import { acceptOf, builtInPurposes, extensionsOf, type Purpose, parsePurposes } from '../../src/files/purpose.ts';
import { variantsCure } from '../../src/files/variants/variant.ts';

const right: Purpose = {
  name: 'scan',
  types: ['image/png', 'application/pdf'],
  maxBytes: 1000,
  readableBy: 'owner',
  served: 'inline',
};
const listProblem = { problems: ['must be a list of purposes, or {"purposes": […]}'] };

describe('a file of purposes', () => {
  for (const [name, value, expected] of [
    ['a list', [right], [right]],
    ['an object with a list', { purposes: [right] }, [right]],
    [
      'limits of pixels',
      [{ ...right, maxPixels: 5, maxSide: 6 }],
      [
        {
          name: 'scan',
          types: right.types,
          maxBytes: 1000,
          maxPixels: 5,
          maxSide: 6,
          readableBy: 'owner',
          served: 'inline',
        },
      ],
    ],
    ['other values', [{ ...right, readableBy: 'signed-in', served: 'attachment', maxBytes: 1 }], undefined],
    ['a name of one letter', [{ ...right, name: 'a' }], undefined],
    ['a name of 32 characters', [{ ...right, name: `a-_9${'b'.repeat(28)}` }], undefined],
    ['two purposes', [right, { ...right, name: 'other' }], undefined],
    ['every type', [{ ...right, types: mediaTypeNames }], undefined],
    ['links and retention', [{ ...right, links: true, keepFor: '3650d', readableBy: 'named' }], undefined],
    ['variants', [{ ...right, variants: { thumb: '320x320', 'wide-2': '1600' } }], undefined],
  ] as const) {
    it(`a file of purposes is taken with ${name}`, () => {
      assert.deepEqual(parsePurposes(JSON.stringify(value)), { purposes: expected ?? value });
    });
  }

  for (const [name, text, expected] of [
    ['what is not JSON', '[', { problems: ['is not JSON'] }],
    ['nothing', '', { problems: ['is not JSON'] }],
    ['null', 'null', listProblem],
    ['a number', '5', listProblem],
    ['an object without a list', '{}', listProblem],
    ['an object whose purposes are no list', '{"purposes":{}}', listProblem],
    ['an empty list', '[]', listProblem],
    ['an empty list in an object', '{"purposes":[]}', listProblem],
    [
      'entries that are no objects',
      '[null, 5, "x"]',
      { problems: ['purpose 1 is not an object', 'purpose 2 is not an object', 'purpose 3 is not an object'] },
    ],
  ] as const) {
    it(`a file of purposes is refused: ${name}`, () => {
      assert.deepEqual(parsePurposes(text), expected);
    });
  }

  const nameCure = 'lower-case letters, digits, - and _, at most 32 characters';
  const keepForCure = 'a duration from 1m to 3650d (30d, 12h, 90m), or nothing';
  const typesCure = `a list of ${mediaTypeNames.join(', ')}`;
  for (const [field, value, cure] of [
    ['name', 5, nameCure],
    ['name', '', nameCure],
    ['name', 'Scan', nameCure],
    ['name', '9a', nameCure],
    ['name', 'a b', nameCure],
    ['name', ' a', nameCure],
    ['name', 'a'.repeat(33), nameCure],
    ['types', undefined, typesCure],
    ['types', 'image/png', typesCure],
    ['types', [], typesCure],
    ['types', ['image/png', 'image/tiff'], typesCure],
    ['types', [5], typesCure],
    ['types', [['image/png']], typesCure],
    ['types', ['toString'], typesCure],
    ['maxBytes', undefined, 'a number of bytes'],
    ['maxBytes', 0, 'a number of bytes'],
    ['maxBytes', -1, 'a number of bytes'],
    ['maxBytes', 1.5, 'a number of bytes'],
    ['maxBytes', 1e300, 'a number of bytes'],
    ['maxBytes', '5', 'a number of bytes'],
    ['maxPixels', 0, 'a number of pixels, or nothing'],
    ['maxPixels', null, 'a number of pixels, or nothing'],
    ['maxSide', 0, 'a number of pixels, or nothing'],
    ['maxSide', '9', 'a number of pixels, or nothing'],
    ['variants', { thumb: '320x' }, variantsCure],
    ['variants', ['thumb'], variantsCure],
    ['readableBy', undefined, 'owner, named or signed-in'],
    ['readableBy', 'all', 'owner, named or signed-in'],
    ['links', 'yes', 'true, false, or nothing'],
    ['keepFor', 30, keepForCure],
    ['keepFor', '0d', keepForCure],
    ['keepFor', '1s', keepForCure],
    ['keepFor', '3651d', keepForCure],
    ['keepFor', '30 d', keepForCure],
    ['served', undefined, 'inline or attachment'],
    ['served', 'download', 'inline or attachment'],
  ] as const) {
    it(`a file of purposes is refused where ${field} is ${JSON.stringify(value)?.slice(0, 40)}, with a cure`, () => {
      const parsed = parsePurposes(JSON.stringify([{ ...right, [field]: value }]));
      const title =
        field === 'name' && typeof value !== 'string' ? 'purpose 1' : `purpose ${field === 'name' ? value : 'scan'}`;
      assert.deepEqual(parsed, { problems: [`${title}: ${field} must be ${cure}`] });
    });
  }

  it('a file of purposes is refused with every problem of every purpose at once', () => {
    const text = JSON.stringify([{ ...right, maxbytes: 5, served: 'x' }, right, right, {}]);
    assert.deepEqual(parsePurposes(text), {
      problems: [
        'purpose scan: served must be inline or attachment',
        'purpose scan: maxbytes is not a known field',
        `purpose 4: name must be ${nameCure}`,
        `purpose 4: types must be ${typesCure}`,
        'purpose 4: maxBytes must be a number of bytes',
        'purpose 4: readableBy must be owner, named or signed-in',
        'purpose 4: served must be inline or attachment',
        'name "scan" is used twice',
      ],
    });
  });
});

describe('the built-in purposes', () => {
  it('the built-in purposes would be taken from a file', () => {
    assert.deepEqual(parsePurposes(JSON.stringify(builtInPurposes)), { purposes: builtInPurposes });
  });

  it('each built-in purpose accepts its families, up to its size, for its readers', () => {
    const mebibyte = 2 ** 20;
    const [images, documents] = [typesOf('image'), typesOf('document', 'text')];
    const [sounds, films] = [typesOf('audio'), typesOf('video')];
    const all = [...images, ...documents, ...sounds, ...films, ...typesOf('archive')];
    assert.deepEqual(
      builtInPurposes.map(({ name, types, maxBytes, readableBy, served }) => [
        name,
        types,
        maxBytes / mebibyte,
        readableBy,
        served,
      ]),
      [
        ['avatar', ['image/jpeg', 'image/png', 'image/webp'], 5, 'signed-in', 'inline'],
        ['image', images, 15, 'named', 'inline'],
        ['document', documents, 25, 'named', 'attachment'],
        ['audio', sounds, 25, 'named', 'inline'],
        ['video', films, 200, 'named', 'inline'],
        ['attachment', all, 50, 'named', 'attachment'],
      ],
    );
    assert.deepEqual(
      builtInPurposes.map(({ maxPixels, maxSide }) => [maxPixels, maxSide]),
      [[40e6, 8192], [50e6, undefined], ...[1, 2, 3].map(() => [undefined, undefined]), [50e6, undefined]],
    );
    const usual = { thumb: '320x320', preview: '1600' };
    assert.deepEqual(
      builtInPurposes.map(({ variants }) => variants),
      [usual, usual, undefined, undefined, undefined, usual],
    );
    assert.deepEqual(all.toSorted(), mediaTypeNames.toSorted());
  });

  it('a file picker gets every type and every extension of a purpose', () => {
    assert.equal(acceptOf(right), 'image/png,application/pdf,.png,.apng,.pdf');
    assert.deepEqual(extensionsOf(['image/jpeg', 'audio/ogg']), ['jpg', 'jpeg', 'jpe', 'jfif', 'ogg', 'oga', 'opus']);
    assert.deepEqual(extensionsOf(['image/heic', 'image/heif']), ['heic', 'heif', 'hif']);
    assert.deepEqual(extensionsOf([]), []);
  });
});
