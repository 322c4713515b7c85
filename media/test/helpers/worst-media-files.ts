// For every prover the files that are known to cost most for their size, hostile or only unusual. Tests and the benchmark prove them.
import { associations, avif, box as avifBox, ftyp, items, locations, size } from './avif-builder.ts';
import { gif } from './gif-builder.ts';
import { hvcC, reference, references } from './heic-builder.ts';
import { box, buildZip, chunk, element, format, mp3Frame, oggPage, opusHead, riff } from './media-builders.ts';
import { fixture, joined, u16le, u32be } from './media-files.ts';
import { png } from './png-builder.ts';
import { riffChunk, webp } from './webp-builder.ts';
import { nestedJpeg, stuffedJpeg } from './worst-jpeg-files.ts';

type WorstFile = {
  readonly prover: string;
  readonly name: string;
  /** Of about that many bytes, or fewer if the format has a limit. */
  readonly make: (bytes: number) => Buffer;
  readonly isSound: boolean;
};

export const worstFiles: readonly WorstFile[] = [
  { prover: 'text', name: 'the beginnings of tags', make: (bytes) => fill('a<s', bytes), isSound: true },
  { prover: 'text', name: 'empty lines', make: (bytes) => fill('\n', bytes), isSound: true },
  { prover: 'PDF', name: 'runs without rows', make: (bytes) => pdf(fill('0 0 ', bytes)), isSound: false },
  { prover: 'PDF', name: 'sections of runs without rows', make: pdfOfEmptySections, isSound: false },
  { prover: 'PDF', name: 'runs of one row', make: pdfOfRuns, isSound: true },
  { prover: 'PDF', name: 'one run of many rows', make: pdfOfRows, isSound: true },
  { prover: 'PDF', name: 'sections inside sections', make: pdfOfStreams, isSound: true },
  { prover: 'JPEG', name: 'pictures inside pictures', make: (bytes) => nestedJpeg(bytes / 102), isSound: false },
  { prover: 'JPEG', name: 'a scan of stuffed bytes', make: stuffedJpeg, isSound: true },
  { prover: 'PNG', name: '20,000 chunks', make: longPng, isSound: true },
  { prover: 'GIF', name: 'sub-blocks of one byte', make: longGif, isSound: true },
  { prover: 'GIF', name: '100,000 blocks', make: (bytes) => gif(fill([0x21, 0xfe, 0], bytes)), isSound: false },
  { prover: 'WebP', name: '20,000 frames', make: longWebp, isSound: true },
  { prover: 'AVIF', name: 'locations among 90 places', make: locatedAvif, isSound: true },
  { prover: 'HEIC', name: 'items of Exif between pictures', make: crowdedHeic, isSound: true },
  { prover: 'MP4', name: 'fragments of one sample', make: fragmentedMp4, isSound: true },
  { prover: 'MP4', name: 'a table of sizes', make: tabledMp4, isSound: true },
  { prover: 'WebM', name: 'blocks of one byte', make: longWebm, isSound: true },
  { prover: 'MP3', name: 'frames of 24 bytes', make: (bytes) => fill(mp3Frame(0xf3, 0x14, 24), bytes), isSound: true },
  { prover: 'Ogg', name: 'pages of one byte', make: (bytes) => ogg('x', bytes), isSound: true },
  { prover: 'Ogg', name: 'full pages', make: (bytes) => ogg('x'.repeat(65_000), bytes), isSound: true },
  { prover: 'WAV', name: '1,000 chunks', make: longWav, isSound: true },
  { prover: 'ZIP', name: '10,000 entries with extra fields', make: longZip, isSound: true },
  { prover: 'DOCX', name: 'content types of open tags', make: longTypes, isSound: true },
];

const row = '0000000009 00000 n \n';

function fill(part: Buffer | string | number[], bytes: number): Buffer {
  const whole = joined(part);
  return Buffer.alloc(Math.max(4, Math.floor(bytes / whole.length)) * whole.length, whole);
}

const pdfHead = '%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n';

function pdf(runs: Buffer | string): Buffer {
  const tail = `trailer\n<</Root 1 0 R>>\nstartxref\n${pdfHead.length}\n%%EOF\n`;
  return joined(pdfHead, 'xref\n', runs, tail);
}

/** As many as are allowed. */
function pdfOfRuns(bytes: number): Buffer {
  return pdf(joined(`0 2\n${row}${row}`, fill(`3 1\n${row}`, Math.min(bytes, 99_000 * 24))));
}

function pdfOfRows(bytes: number): Buffer {
  const rows = fill(row, bytes);
  return pdf(joined(`0 ${rows.length / row.length}\n`, rows));
}

/** As many sections as are allowed, each with as many empty runs as fit. */
function pdfOfEmptySections(bytes: number): Buffer {
  const sections = 1000;
  const runs = fill('0 0 ', bytes / sections);
  const parts: Buffer[] = [joined(pdfHead)];
  let at = pdfHead.length;
  let previous = 0;
  for (let index = 0; index < sections; index++) {
    const section = joined('xref\n', runs, `trailer\n<</Root 1 0 R/Prev ${previous}>>\nstartxref\n`);
    parts.push(section);
    previous = at;
    at += section.length;
  }
  return joined(...parts, `${previous}\n%%EOF\n`);
}

/** The dictionary of each section spans all sections behind it, up to the only `stream`. */
function pdfOfStreams(bytes: number): Buffer {
  const sections = Math.min(1000, Math.floor(bytes / 64));
  const objects = Array.from({ length: sections }, (_, index) => {
    const previous = pdfHead.length + (index + 1) * 64;
    return `1 0 obj <</Type /XRef /Length 0 /Prev ${previous}`.padEnd(64);
  });
  const last = '1 0 obj <</Type /XRef /Length 0 /Root 1 0 R>> stream\nendstream\n';
  return joined(pdfHead, ...objects, last, `startxref\n${pdfHead.length}\n%%EOF\n`);
}

function longPng(bytes: number): Buffer {
  const count = Math.min(19_990, Math.floor(bytes / 30));
  const texts = Array.from({ length: count }, () => ['tEXt', Buffer.from('a\0b')] as const);
  return png(['IHDR', '00000001000000010800000000'], ...texts, ['IDAT', '78da6360000000020001'], ['IEND']);
}

function longGif(bytes: number): Buffer {
  return gif(joined(Buffer.from('2c00000000010001000002', 'hex'), fill([1, 0x44], bytes), [0]));
}

function longWebp(bytes: number): Buffer {
  const picture = Buffer.alloc(8, 0x2f);
  picture.writeUInt32LE(0, 1);
  const count = Math.min(19_990, Math.floor(bytes / 40));
  const frame = ['ANMF', Buffer.concat([Buffer.alloc(16), riffChunk('VP8L', picture)])] as const;
  const frames = Array.from({ length: count }, () => frame);
  return webp(['VP8X', Buffer.from('02000000000000000000', 'hex')], ['ANIM', Buffer.alloc(6)], ...frames);
}

/** 32,000 extents, all in the last of many data boxes. */
function locatedAvif(): Buffer {
  const data = Array.from({ length: 90 }, () => avifBox('mdat', Buffer.alloc(16)));
  const head = avifBox('ftyp', Buffer.from('avif\0\0\0\0mif1avif', 'latin1'));
  const extent = Buffer.alloc(8);
  extent.writeUInt32BE(head.length + 89 * 24 + 8, 0);
  extent.writeUInt32BE(16, 4);
  const extents = fill(extent, 255_000);
  const count = (extents.length / 8).toString(16).padStart(4, '0');
  const properties = avifBox('ipco', avifBox('ispe', '000000000000000200000002'), avifBox('av1C', '81000c00'));
  const meta = avifBox(
    'meta',
    '00000000',
    avifBox('hdlr', '0000000000000000', Buffer.from('pict'), '00000000000000000000000000'),
    avifBox('pitm', '000000000001'),
    avifBox('iinf', '000000000001', avifBox('infe', '0200000000010000', Buffer.from('av01\0'))),
    avifBox('iloc', `00000000440000010001 0000${count}`.replace(' ', ''), extents),
    avifBox('iprp', properties, avifBox('ipma', '00000000000000010001020102')),
  );
  return joined(head, ...data, meta);
}

/** Each picture is followed by bytes to clear and an item to remove, and refers to others. */
function crowdedHeic(): Buffer {
  const numbers = Array.from({ length: 6_000 }, (_, index) => index + 1);
  const place = (id: number): [number, number] => [32 + (id - 1) * 16, 8];
  return avif({
    ftyp: ftyp('heic', 'mif1', 'heic'),
    data: avifBox('mdat', Buffer.alloc(numbers.length * 16, 'x')),
    meta: {
      iinf: items(...numbers.map((id): [number, string] => [id, id % 2 === 1 ? 'hvc1' : 'Exif'])),
      iloc: locations({ items: numbers.map((id) => ({ id, extents: [place(id)] })) }),
      iprp: avifBox(
        'iprp',
        avifBox('ipco', size(2, 2), hvcC, avifBox('udes')),
        associations(...numbers.map((id): [number, number[]] => [id, id === 1 ? [1, 2] : [3]])),
      ),
      more: references(
        ...numbers.map((id) => reference(id % 2 === 1 ? 'dimg' : 'cdsc', id, ((id * 7) % 3_000) * 2 + 1)),
      ),
    },
  });
}

function fragmentedMp4(bytes: number): Buffer {
  const mp4 = fixture('ffmpeg-fragmented.mp4');
  const track = box('tfhd', u32be(0), u32be(1));
  const run = box('trun', u32be(0x200), u32be(1), u32be(1));
  const fragment = box('moof', box('mfhd', u32be(0), u32be(1)), box('traf', track, fill(run, 2000)));
  const room = Math.min(40_000 * fragment.length, bytes);
  return joined(mp4, fill(fragment, room));
}

/** The sizes of a video of very many samples, all of no bytes. */
function tabledMp4(bytes: number): Buffer {
  const mp4 = fixture('ffmpeg-h264-aac.mp4');
  const at = mp4.indexOf('stsz') - 4;
  const length = mp4.readUInt32BE(at);
  const rows = fill(u32be(0), bytes);
  const table = box('stsz', u32be(0), u32be(0), u32be(rows.length / 4), rows);
  const grown = Buffer.from(mp4.subarray(0, at));
  // Every box that contains the table grows with it.
  for (const name of ['moov', 'trak', 'mdia', 'minf', 'stbl']) {
    const start = grown.lastIndexOf(name) - 4;
    grown.writeUInt32BE(grown.readUInt32BE(start) + table.length - length, start);
  }
  return joined(grown, table, mp4.subarray(at + length));
}

function longWebm(bytes: number): Buffer {
  const track = joined(element(0xd7, [1]), element(0x83, [1]), element(0x86, 'V_VP8'));
  const head = joined(element(0x1549a966, ''), element(0x1654ae6b, element(0xae, track)));
  const block = joined([0xa3, 0x86], [0x81, 0, 0, 0, 0, 0]);
  const cluster = element(0x1f43b675, joined(element(0xe7, [0]), fill(block, Math.min(bytes, 990_000 * 8))));
  return joined(element(0x1a45dfa3, element(0x4282, 'webm')), element(0x18538067, joined(head, cluster)));
}

function ogg(payload: string, bytes: number): Buffer {
  const count = Math.max(1, Math.floor(bytes / (payload.length + 28)));
  const lacing = [...Array(Math.floor(payload.length / 255)).fill(255), payload.length % 255];
  const shape = { flags: 0, payload, lacing };
  const pages = Array.from({ length: count }, (_, index) => oggPage({ ...shape, sequence: index + 1 }));
  const last = oggPage({ flags: 4, sequence: count + 1, payload: 'x' });
  return Buffer.concat([oggPage({ flags: 2, sequence: 0, payload: opusHead }), ...pages, last]);
}

function longWav(bytes: number): Buffer {
  const lists = Array.from({ length: 900 }, () => chunk('LIST', Buffer.from('INFO')));
  return riff(format(), chunk('data', Buffer.alloc(bytes, 0x80)), ...lists);
}

/** As many and as small extra fields as an entry may have. */
function longZip(bytes: number): Buffer {
  const count = Math.min(9_990, Math.max(1, Math.floor(bytes / 1_500)));
  const fields = joined(...Array.from({ length: 300 }, (_, id) => joined(u16le(id + 100), u16le(0))));
  const entries = Array.from({ length: count }, (_, index) => ({ name: `${index}`, content: 'x', extra: fields }));
  return buildZip(entries);
}

function longTypes(bytes: number): Buffer {
  const types = `<Types>${'<Override '.repeat(Math.min(100_000, bytes / 10))}`;
  return buildZip([{ name: '[Content_Types].xml', content: types, method: 8 }, { name: 'word/document.xml' }]);
}
