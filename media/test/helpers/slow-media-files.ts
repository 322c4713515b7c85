// Files of very many small parts, valid and not, that would take a careless prover long.
import { box, buildZip, element, mp3Frame, oggPage, opusHead } from './media-builders.ts';
import { fixture, joined } from './media-files.ts';

type SlowFile = { name: string; bytes: Buffer; isSound: boolean };

/** Valid files are proved, the others refused, both in pieces. */
export function slowMedia(): SlowFile[] {
  const mp4 = fixture('ffmpeg-faststart.mp4');
  const openTags = `<Types>${'<Override '.repeat(100_000)}`;
  const blanks = `<Override PartName${' '.repeat(1_000_000)}>`;
  return [
    { name: 'a text of 8 MB', bytes: Buffer.from('Ein längerer Satz. '.repeat(400_000)), isSound: true },
    { name: 'a PDF with 200,000 objects', bytes: longPdf(200_000), isSound: true },
    { name: 'a ZIP with 10,000 entries', bytes: longZip(), isSound: true },
    { name: 'content types of open tags', bytes: misleading(openTags), isSound: true },
    { name: 'content types of blanks', bytes: misleading(blanks), isSound: true },
    { name: 'an MP3 of 40,000 frames', bytes: repeated(mp3Frame(0xf3, 0x14, 24), 40_000), isSound: true },
    { name: 'an Ogg of 20,000 pages', bytes: longOgg(), isSound: true },
    { name: 'an MP4 of 90,000 boxes', bytes: joined(mp4, repeated(box('free'), 90_000)), isSound: true },
    { name: 'an MP4 of 200,000 boxes', bytes: joined(mp4, repeated(box('free'), 200_000)), isSound: false },
    { name: 'a WebM of a million empty elements', bytes: emptyWebm(), isSound: false },
  ];
}

function repeated(part: Buffer, times: number): Buffer {
  return Buffer.alloc(part.length * times, part);
}

function longPdf(count: number): Buffer {
  const head = '%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n';
  const rows = '0000000009 00000 n \n'.repeat(count);
  return joined(head, `xref\n0 ${count}\n${rows}trailer\n<</Root 1 0 R>>\nstartxref\n${head.length}\n%%EOF\n`);
}

function longZip(): Buffer {
  return buildZip(
    Array.from({ length: 10_000 }, (_, index) => ({ name: `${'folder/'.repeat(20)}${index}`, content: 'x' })),
  );
}

/** Its content types name no main part, so that it is an archive and not a document. */
function misleading(types: string): Buffer {
  return buildZip([{ name: '[Content_Types].xml', content: types, method: 8 }, { name: 'word/document.xml' }]);
}

function longOgg(): Buffer {
  const pages = Array.from({ length: 20_000 }, (_, index) => oggPage({ flags: 0, sequence: index + 1, payload: 'x' }));
  const last = oggPage({ flags: 4, sequence: 20_001, payload: 'x' });
  return joined(oggPage({ flags: 2, sequence: 0, payload: opusHead }), ...pages, last);
}

function emptyWebm(): Buffer {
  const voids = Buffer.alloc(2_000_010, Buffer.from([0xec, 0x80]));
  return joined(element(0x1a45dfa3, element(0x4282, 'webm')), element(0x18538067, voids));
}
