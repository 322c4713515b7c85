// The table of media types: names, families, extensions and aliases, and the two results of a proof.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  agrees,
  isAlwaysAttached,
  isMediaType,
  isNameOf,
  type MediaFamily,
  type MediaType,
  mediaTypeNames,
  mediaTypes,
  typesOf,
} from '../src/media-type.ts';
import { corrupt, proved } from '../src/proof.ts';

const office = 'application/vnd.openxmlformats-officedocument';
const openText = 'application/vnd.oasis.opendocument.text';

/** The promise to apps: changing a line is a change of what the service accepts. */
const table: Record<MediaFamily, Record<string, { extensions: string; aliases: string; shared: string }>> = {
  image: {
    'image/jpeg': {
      extensions: 'jpg jpeg jpe jfif',
      aliases: 'image/jpg image/pjpeg image/jpe image/jfif image/x-jpeg image/x-jpg image/x-citrix-jpeg',
      shared: 'image/mpo',
    },
    'image/png': {
      extensions: 'png apng',
      aliases: 'image/x-png image/apng image/vnd.mozilla.apng image/x-citrix-png',
      shared: '',
    },
    'image/webp': { extensions: 'webp', aliases: 'image/x-webp', shared: '' },
    'image/gif': { extensions: 'gif', aliases: 'image/x-gif image/x-citrix-gif', shared: '' },
    'image/avif': { extensions: 'avif', aliases: 'image/avif-sequence', shared: 'image/heif' },
    'image/heic': {
      extensions: 'heic heif hif',
      aliases: 'image/heic-sequence image/x-heic',
      shared: 'image/heif image/heif-sequence image/x-heif',
    },
    'image/heif': {
      extensions: 'heif hif heic',
      aliases: 'image/heif-sequence image/x-heif',
      shared: 'image/heic image/heic-sequence image/x-heic',
    },
  },
  document: {
    'application/pdf': {
      extensions: 'pdf',
      aliases:
        'application/x-pdf application/acrobat application/nappdf application/vnd.pdf image/pdf text/pdf text/x-pdf',
      shared: '',
    },
    [`${office}.wordprocessingml.document`]: {
      extensions: 'docx',
      aliases: 'application/vnd.ms-word.document.macroenabled.12',
      shared:
        'application/msword application/vnd.ms-word application/x-msword application/zip application/x-zip application/x-zip-compressed application/x-compressed',
    },
    [`${office}.spreadsheetml.sheet`]: {
      extensions: 'xlsx',
      aliases: 'application/vnd.ms-excel.sheet.macroenabled.12',
      shared:
        'application/vnd.ms-excel application/vnd.msexcel application/excel application/x-excel application/x-msexcel application/zip application/x-zip application/x-zip-compressed application/x-compressed',
    },
    [openText]: {
      extensions: 'odt',
      aliases: 'application/x-vnd.oasis.opendocument.text',
      shared: 'application/zip application/x-zip application/x-zip-compressed application/x-compressed',
    },
  },
  text: {
    'text/plain': { extensions: 'txt', aliases: 'application/txt application/text application/x-txt', shared: '' },
    'text/csv': {
      extensions: 'csv',
      aliases:
        'application/csv application/x-csv text/x-csv text/comma-separated-values text/x-comma-separated-values application/comma-separated-values',
      shared:
        'application/vnd.ms-excel application/vnd.msexcel application/excel application/x-excel application/x-msexcel',
    },
  },
  archive: {
    'application/zip': {
      extensions: 'zip',
      aliases: 'application/x-zip-compressed application/x-zip application/zip-compressed multipart/x-zip',
      shared: 'application/x-compressed application/x-compress',
    },
  },
  audio: {
    'audio/mpeg': {
      extensions: 'mp3',
      aliases:
        'audio/mp3 audio/x-mpeg audio/x-mp3 audio/mpeg3 audio/x-mpeg-3 audio/x-mpeg3 audio/mpg audio/x-mpg audio/mpa-robust',
      shared: 'audio/mpa',
    },
    'audio/mp4': {
      extensions: 'm4a m4b',
      aliases: 'audio/m4a audio/x-m4a audio/m4b audio/x-m4b audio/x-mp4 audio/mp4a-latm',
      shared:
        'video/mp4 video/x-m4v audio/aac audio/x-aac audio/aacp video/quicktime video/3gpp video/3gpp2 audio/3gpp audio/3gpp2 application/mp4 audio/x-m4r',
    },
    'audio/ogg': {
      extensions: 'ogg oga opus',
      aliases: 'audio/x-ogg audio/opus audio/x-opus audio/vorbis audio/x-vorbis audio/x-vorbis+ogg audio/x-opus+ogg',
      shared: 'application/ogg application/x-ogg video/ogg video/x-ogg audio/x-flac+ogg audio/flac',
    },
    'audio/wav': {
      extensions: 'wav wave',
      aliases: 'audio/x-wav audio/wave audio/vnd.wave audio/x-pn-wav audio/x-pn-windows-acm',
      shared: '',
    },
  },
  video: {
    'video/mp4': {
      extensions: 'mp4 m4v 3gp',
      aliases: 'video/x-m4v video/m4v video/x-mp4 video/mp4v-es',
      shared:
        'video/quicktime audio/mp4 audio/m4a audio/x-m4a audio/m4b audio/x-m4b audio/x-mp4 video/3gpp video/3gpp2 audio/3gpp audio/3gpp2 application/mp4 audio/x-m4r',
    },
    'video/quicktime': {
      extensions: 'mov qt',
      aliases: 'video/x-quicktime image/mov',
      shared:
        'video/mp4 video/x-m4v audio/mp4 audio/m4a audio/x-m4a audio/m4b audio/x-m4b audio/x-mp4 video/3gpp video/3gpp2 audio/3gpp audio/3gpp2 application/mp4 audio/x-m4r',
    },
    'video/webm': {
      extensions: 'webm weba',
      aliases: 'audio/webm video/x-webm audio/x-webm',
      shared: 'video/x-matroska audio/x-matroska video/matroska audio/matroska application/x-matroska',
    },
  },
};

function sharedNamesOf(type: MediaType): readonly string[] {
  const rule = mediaTypes[type];
  return 'sharedNames' in rule ? rule.sharedNames : [];
}

const families = Object.keys(table) as MediaFamily[];

describe('the media types', () => {
  for (const family of families) {
    it(`the media types of the family ${family} are known by their extensions and names`, () => {
      const found = mediaTypeNames.filter((type) => mediaTypes[type].family === family);
      const rows = found.map((type) => {
        const { extensions, aliases } = mediaTypes[type];
        const shared = sharedNamesOf(type).join(' ');
        return [type, { extensions: extensions.join(' '), aliases: aliases.join(' '), shared }];
      });
      assert.deepEqual(Object.fromEntries(rows), table[family]);
      assert.deepEqual(typesOf(family), found);
    });
  }

  it('the media types of several families are listed in the order of the table, and of no family are none', () => {
    assert.deepEqual(typesOf('text', 'archive'), ['text/plain', 'text/csv', 'application/zip']);
    assert.deepEqual(typesOf('archive', 'text'), ['text/plain', 'text/csv', 'application/zip']);
    assert.deepEqual(typesOf(...families), mediaTypeNames);
    assert.deepEqual(typesOf(), []);
  });

  it('media types have extensions and names that belong to one type, except those of HEIC and HEIF, and shared names are no type of their own', () => {
    const rules = Object.entries(mediaTypes);
    const own = rules.filter(([type]) => type !== 'image/heif');
    const extensions = own.flatMap(([, rule]) => [...rule.extensions]);
    const names = rules.flatMap(([type, { aliases }]) => [type, ...aliases]);
    assert.equal(new Set(extensions).size, extensions.length);
    assert.equal(new Set(names).size, names.length);
    for (const type of mediaTypeNames) {
      const shared = sharedNamesOf(type);
      assert.deepEqual(
        shared.filter((name) => isNameOf(name, type)),
        [],
      );
      assert.equal(new Set(shared).size, shared.length);
    }
  });

  it('a name agrees with a type as its alias or as a shared name, and only an alias is a name of the type', () => {
    assert.deepEqual([agrees('audio/webm', 'video/webm'), isNameOf('audio/webm', 'video/webm')], [true, true]);
    assert.deepEqual([agrees('video/mp4', 'audio/mp4'), isNameOf('video/mp4', 'audio/mp4')], [true, false]);
    assert.deepEqual([agrees('audio/wav', 'audio/mpeg'), isNameOf('audio/wav', 'audio/mpeg')], [false, false]);
  });

  it('media types that browsers cannot show are always attached', () =>
    assert.deepEqual(mediaTypeNames.filter(isAlwaysAttached), ['image/heic', 'image/heif']));

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
