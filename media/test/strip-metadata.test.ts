// Stripping: which types are stripped, how the plan is made of its pieces, and which stored bytes a rule excludes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type MediaType, mediaTypeNames } from '../src/media-type.ts';
import { isContainer, proveMediaType } from '../src/prove-media-type.ts';
import { planStrip } from '../src/strip-metadata.ts';
import { frame, jpeg, plainJpeg, scan, segment, tables } from './helpers/jpeg-builder.ts';
import { trailers } from './helpers/jpeg-trailers.ts';
import { buildZip, chunk, format, riff } from './helpers/media-builders.ts';
import { fixture, fixtures, hex, inMemory, joined, type Part, picture, pictures } from './helpers/media-files.ts';
import { plainPdf } from './helpers/pdf-builder.ts';
import { end, grey, type PngChunk, pixels, png, text } from './helpers/png-builder.ts';
import { secrets } from './helpers/secrets.ts';
import { piecesOf, strip } from './helpers/strip.ts';
import { extended, flags, lossless, webp } from './helpers/webp-builder.ts';
import { centralEntry, endRecord } from './helpers/zip-builder.ts';

const fromPhones: readonly (readonly [type: MediaType, bytes: Buffer])[] = [
  ['image/jpeg', picture('sharp-from-a-phone.jpg')],
  ['image/png', picture('sharp-from-a-phone.png')],
  ['image/webp', picture('sharp-from-a-phone.webp')],
  ['image/avif', fixture('heif-enc-from-a-phone.avif')],
  ['image/heic', fixture('heif-enc-from-a-phone.heic')],
];

describe('the plan of a stripped file', () => {
  const head = joined(tables, frame());
  it('a file without metadata needs no plan', () =>
    assert.equal(planStrip('image/jpeg', inMemory(jpeg(head, scan()))), undefined));

  it('a plan has the bytes between the cuts, and new bytes where they are added', () => {
    const note = segment(0xfe, 'note');
    const at = 2 + head.length;
    assert.deepEqual(planStrip('image/jpeg', inMemory(jpeg(head, note, scan()))), [
      { from: 0, to: at },
      { from: at + note.length, to: at + note.length + scan().length + 2 },
    ]);
  });

  it('a plan has no empty piece between two cuts', () => {
    const chunk = 15;
    assert.deepEqual(planStrip('image/png', inMemory(png(grey, text, text, pixels, end))), [
      { from: 0, to: 33 },
      { from: 33 + 2 * chunk, to: png(grey, text, text, pixels, end).length },
    ]);
  });

  it('a plan has no empty piece behind a cut at the end', () => {
    const source = webp(extended(2, 2, flags.xmp), lossless(2, 2), ['XMP ', Buffer.alloc(4)]);
    assert.deepEqual(
      piecesOf('image/webp', source)?.map((piece) => ('bytes' in piece ? piece.bytes.length : [piece.from, piece.to])),
      [[0, 4], 4, [8, 20], 1, [21, source.length - 12]],
    );
  });

  it('a plan has added bytes before the cut at the same place', () => {
    const exif = {
      type: 'eXIf',
      data: Buffer.from(
        '4d4d002a00000008 0002 010f000200000004414243 00 011200030000000100060000 00000000'.replaceAll(' ', ''),
        'hex',
      ),
    };
    const source = png(grey, [exif.type, exif.data], pixels, end);
    const pieces = piecesOf('image/png', source) ?? [];
    assert.deepEqual(
      pieces.map((piece) => ('bytes' in piece ? `${piece.bytes.length} new bytes` : `${piece.from} to ${piece.to}`)),
      ['0 to 33', '38 new bytes', `${33 + 12 + exif.data.length} to ${source.length}`],
    );
  });
});

describe('a picture that becomes a file of another format', () => {
  const plain = (type: string, data: string | Buffer): PngChunk => [type, joined(data)];

  it('a picture is refused if it is also a PDF without its metadata', () => {
    // The metadata keep the header of the PDF away from where readers look for it.
    const picture = (ending: string) =>
      png(
        grey,
        plain('tEXt', Buffer.alloc(2_000)),
        plain('sPLT', '%PDF-'),
        ['IDAT', joined(hex('789c6360000000020001'), ending)],
        end,
      );
    assert.ok(planStrip('image/png', inMemory(picture('words'))));
    assert.equal(proveMediaType(inMemory(picture('%%EOF')))?.kind, 'proved');
    assert.deepEqual(planStrip('image/png', inMemory(picture('%%EOF'))), { rule: 'hidden-file' });
  });

  it('a picture is refused if it is also an archive without its metadata', () => {
    // The metadata keep the directory away from where its end says it is.
    const entry = centralEntry();
    // The end is behind the entry, its checksum, and the head of the next chunk.
    const last = endRecord({ count: 1, size: entry.length + 4 + 8 });
    const hidden = png(grey, ['sPLT', entry], plain('tEXt', Buffer.alloc(50)), ['sPLT', last], pixels, end);
    assert.equal(proveMediaType(inMemory(hidden))?.kind, 'proved');
    assert.deepEqual(planStrip('image/png', inMemory(hidden)), { rule: 'hidden-file' });
  });
});

describe('a file that is stored unchanged', () => {
  const zip = buildZip([{ name: 'evil.txt', content: 'x' }]);
  const plan = (type: MediaType, ...parts: Part[]) => planStrip(type, inMemory(joined(...parts)));

  it('a picture with an archive in its pixels is excluded', () =>
    assert.deepEqual(plan('image/png', png(grey, ['IDAT', joined(hex('789c6360000000020001'), zip)], end)), {
      rule: 'hidden-file',
    }));

  it('a picture with an archive in its metadata is stored without it', () =>
    assert.deepEqual(strip('image/png', png(grey, ['prVt', zip], pixels, end)), png(grey, pixels, end)));

  it('a sound with a document in its notes is excluded', () => {
    const [head, tail] = [chunk('note', joined('%PDF-1.4\n')), chunk('note', joined('%%EOF\n'))];
    assert.deepEqual(plan('audio/wav', riff(head, format(), chunk('data', Buffer.alloc(8)), tail)), {
      rule: 'hidden-file',
    });
  });

  it('a document that ends with an archive is excluded', () => {
    const at = plainPdf.lastIndexOf('startxref');
    const rest = joined('\n', plainPdf.subarray(at));
    const archive = Buffer.from(zip);
    archive.writeUInt16LE(rest.length, archive.length - 2);
    assert.deepEqual(plan('application/pdf', plainPdf.subarray(0, at), '%', archive, rest), { rule: 'hidden-file' });
  });

  it('an archive may contain a document, and a text may quote one', () => {
    assert.equal(plan('application/zip', buildZip([{ name: 'a.pdf', content: fixture('cairo.pdf') }])), undefined);
    assert.equal(plan('text/plain', 'words %PDF-1.4 words %%EOF'), undefined);
    assert.equal(plan('application/zip', buildZip([{ name: 'a.zip', content: zip }])), undefined);
  });
});

describe('what follows the end of a JPEG', () => {
  for (const [what, tail] of trailers) {
    it(`a JPEG is stored up to its end: ${what}`, () => {
      const source = joined(plainJpeg, tail);
      assert.deepEqual(proveMediaType(inMemory(source)), proveMediaType(inMemory(plainJpeg)));
      assert.deepEqual(planStrip('image/jpeg', inMemory(source)), [{ from: 0, to: plainJpeg.length }]);
    });
  }

  it('a JPEG is excluded if an archive is in the picture itself', () => {
    const hidden = jpeg(tables, frame(), scan({ data: buildZip([{ name: 'a' }]) }));
    assert.deepEqual(planStrip('image/jpeg', inMemory(hidden)), { rule: 'hidden-file' });
  });
});

describe('types that are stripped', () => {
  for (const [type, source] of fromPhones) {
    it(`a picture from a phone loses place, device and text: ${type}`, () => {
      const present = secrets.filter((secret) => source.includes(secret, 'latin1'));
      assert.ok(present.length >= 2, 'the secrets are in the source');
      assert.deepEqual(
        secrets.filter((secret) => strip(type, source).includes(secret, 'latin1')),
        [],
      );
    });

    it(`a stripped picture has the same type and size, and is not changed a second time: ${type}`, () => {
      const once = strip(type, source);
      assert.ok(once.length <= source.length && !once.equals(source));
      assert.deepEqual(proveMediaType(inMemory(once)), proveMediaType(inMemory(source)));
      assert.equal(planStrip(type, inMemory(once)), undefined);
    });
  }

  it('a picture without metadata is left as it is', () => {
    for (const { name, type, bytes } of pictures().filter(({ name }) => !name.includes('from-a-phone')))
      assert.equal(planStrip(type, inMemory(bytes)), undefined, name);
  });

  it('a file of any other type is left as it is, and an archive or a text is not read', () => {
    const unreadable = { size: 100, read: () => assert.fail('read') };
    for (const type of mediaTypeNames.filter(isContainer)) assert.equal(planStrip(type, unreadable), undefined, type);
    for (const { name, type, bytes } of fixtures().filter(({ name }) => !/from-a-phone|thumbnail/.test(name)))
      assert.equal(planStrip(type, inMemory(bytes)), undefined, name);
  });

  it('a file of many small segments is read in few pieces', () => {
    const file = inMemory(jpeg(Buffer.alloc(4_000, segment(0xfe)), tables, frame(), scan()));
    let reads = 0;
    const read = (position: number, length: number) => {
      reads += 1;
      return file.read(position, length);
    };
    planStrip('image/jpeg', { size: file.size, read });
    assert.ok(reads < 10, `${reads} reads`);
  });
});
