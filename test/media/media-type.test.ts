// The table of media types: names, families, extensions and aliases, and the two results of a proof.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  corrupt,
  isMediaType,
  type MediaFamily,
  mediaTypeNames,
  mediaTypes,
  proved,
  typesOf,
} from '../../src/media/media-type.ts';

const office = 'application/vnd.openxmlformats-officedocument';
const openText = 'application/vnd.oasis.opendocument.text';

/** The promise to apps: changing a line is a change of what the service accepts. */
const table: Record<MediaFamily, Record<string, { extensions: string; aliases: string }>> = {
  image: {
    'image/jpeg': { extensions: 'jpg jpeg', aliases: 'image/jpg image/pjpeg' },
    'image/png': { extensions: 'png', aliases: 'image/x-png' },
    'image/webp': { extensions: 'webp', aliases: '' },
    'image/gif': { extensions: 'gif', aliases: '' },
    'image/avif': { extensions: 'avif', aliases: '' },
  },
  document: {
    'application/pdf': { extensions: 'pdf', aliases: 'application/x-pdf' },
    [`${office}.wordprocessingml.document`]: { extensions: 'docx', aliases: '' },
    [`${office}.spreadsheetml.sheet`]: { extensions: 'xlsx', aliases: '' },
    [openText]: { extensions: 'odt', aliases: '' },
  },
  text: {
    'text/plain': { extensions: 'txt', aliases: '' },
    'text/csv': {
      extensions: 'csv',
      aliases: 'application/csv text/comma-separated-values application/vnd.ms-excel',
    },
  },
  archive: {
    'application/zip': { extensions: 'zip', aliases: 'application/x-zip-compressed application/x-zip' },
  },
  audio: {
    'audio/mpeg': { extensions: 'mp3', aliases: 'audio/mp3 audio/x-mpeg audio/x-mp3' },
    'audio/mp4': { extensions: 'm4a', aliases: 'audio/m4a audio/x-m4a audio/aac' },
    'audio/ogg': { extensions: 'ogg oga opus', aliases: 'audio/opus application/ogg' },
    'audio/wav': { extensions: 'wav', aliases: 'audio/x-wav audio/wave audio/vnd.wave' },
  },
  video: {
    'video/mp4': { extensions: 'mp4', aliases: '' },
    'video/webm': { extensions: 'webm', aliases: '' },
  },
};

const families = Object.keys(table) as MediaFamily[];

describe('the media types', () => {
  for (const family of families) {
    it(`the media types of the family ${family} are known by their extensions and aliases`, () => {
      const found = Object.entries(mediaTypes).filter(([, rule]) => rule.family === family);
      const rows = found.map(([type, { extensions, aliases }]) => [
        type,
        { extensions: extensions.join(' '), aliases: aliases.join(' ') },
      ]);
      assert.deepEqual(Object.fromEntries(rows), table[family]);
      assert.deepEqual(
        typesOf(family),
        found.map(([type]) => type),
      );
    });
  }

  it('the media types of several families are listed in the order of the table, and of no family are none', () => {
    assert.deepEqual(typesOf('text', 'archive'), ['text/plain', 'text/csv', 'application/zip']);
    assert.deepEqual(typesOf('archive', 'text'), ['text/plain', 'text/csv', 'application/zip']);
    assert.deepEqual(typesOf(...families), mediaTypeNames);
    assert.deepEqual(typesOf(), []);
  });

  it('media types have extensions and names that belong to one type', () => {
    const rules = Object.entries(mediaTypes);
    const extensions = rules.flatMap(([, rule]) => [...rule.extensions]);
    const names = rules.flatMap(([type, { aliases }]) => [type, ...aliases]);
    assert.equal(new Set(extensions).size, extensions.length);
    assert.equal(new Set(names).size, names.length);
  });

  for (const [text, expected] of [
    ['image/jpeg', true],
    ['text/csv', true],
    ['image/jpg', false],
    ['IMAGE/JPEG', false],
    ['image/svg+xml', false],
    ['toString', false],
    ['', false],
  ] as const) {
    it(`the media types ${expected ? 'include' : 'do not include'} “${text}”`, () =>
      assert.equal(isMediaType(text), expected));
  }
});

describe('the result of a proof', () => {
  it('a proof names the type, and the size of a picture', () => {
    assert.deepEqual(proved('application/pdf'), { kind: 'proved', type: 'application/pdf' });
    const size = { width: 2, height: 3 };
    assert.deepEqual(proved('image/png', size), { kind: 'proved', type: 'image/png', ...size });
  });

  it('a refusal names the type that a broken file begins like, and what is wrong', () => {
    assert.deepEqual(corrupt('image/png', 'cut'), { kind: 'corrupt', type: 'image/png', reason: 'cut' });
  });
});
