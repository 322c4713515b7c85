// JPEG files with false values: lengths, dimensions, tables, scans.
import { type Case, overwrite, replace, times } from './image-surgery.ts';

type Segment = { readonly marker: number; readonly start: number; readonly end: number };

export function hostileJpegImages(jpeg: Buffer, progressive: Buffer): Case[] {
  return [
    ...cuts(jpeg),
    ...cuts(progressive),
    ...lies(jpeg),
    ...missing(jpeg),
    ...scans(jpeg, progressive),
    ...floods(jpeg),
  ];
}

/** Segments up to the first scan. The last one ends where its data begin. */
function segmentsOf(jpeg: Buffer): Segment[] {
  const segments: Segment[] = [];
  for (let start = 2; segments.at(-1)?.marker !== 0xda; ) {
    const end = start + 2 + jpeg.readUInt16BE(start + 2);
    segments.push({ marker: jpeg.readUInt8(start + 1), start, end });
    start = end;
  }
  return segments;
}

function find(jpeg: Buffer, marker: number): Segment {
  const found = segmentsOf(jpeg).find((segment) => segment.marker === marker);
  if (found === undefined) throw new Error(`No segment ${marker.toString(16)}`);
  return found;
}

function without(jpeg: Buffer, marker: number): Buffer {
  const gone = segmentsOf(jpeg).filter((segment) => segment.marker === marker);
  return gone.reduceRight((rest, { start, end }) => replace(rest, start, end - start), jpeg);
}

function cuts(jpeg: Buffer): Case[] {
  const ends = segmentsOf(jpeg).flatMap(({ start, end }) => [start, start + 1, start + 3, end - 1, end]);
  return [...ends, jpeg.length - 2, jpeg.length - 1].map((end) => [`cut at ${end}`, jpeg.subarray(0, end)]);
}

function lies(jpeg: Buffer): Case[] {
  const table = find(jpeg, 0xdb).start;
  const frame = find(jpeg, 0xc0).start;
  const huffman = find(jpeg, 0xc4).start;
  return [
    ['segment of length 0', overwrite(jpeg, table + 2, '0000')],
    ['segment of length 1', overwrite(jpeg, table + 2, '0001')],
    ['segment longer than the file', overwrite(jpeg, table + 2, 'ffff')],
    ['segment a byte too short', overwrite(jpeg, table + 2, '0042')],
    ['quantization table of an unknown kind', overwrite(jpeg, table + 4, '20')],
    ['no width', overwrite(jpeg, frame + 7, '0000')],
    ['no height', overwrite(jpeg, frame + 5, '0000')],
    ['no components', overwrite(jpeg, frame + 9, '00')],
    ['200 components', overwrite(jpeg, frame + 9, 'c8')],
    ['precision of 7 bits', overwrite(jpeg, frame + 4, '07')],
    ['sampling factor 0', overwrite(jpeg, frame + 11, '01')],
    ['two components with one name', overwrite(jpeg, frame + 13, '01')],
    ['Huffman table with too many codes', overwrite(jpeg, huffman + 5, '03')],
    ['Huffman table that overruns', overwrite(jpeg, huffman + 20, 'ff')],
    ['hierarchical', overwrite(jpeg, frame + 1, 'de')],
    ['differential frame', overwrite(jpeg, frame + 1, 'c5')],
    ['65535 by 65535', overwrite(jpeg, frame + 5, 'ffffffff'), { width: 65535, height: 65535 }],
  ];
}

function missing(jpeg: Buffer): Case[] {
  const frame = find(jpeg, 0xc0);
  const scan = find(jpeg, 0xda);
  const again = jpeg.subarray(frame.start, frame.end);
  return [
    ['no frame', without(jpeg, 0xc0)],
    ['no quantization tables', without(jpeg, 0xdb)],
    ['no Huffman tables', without(jpeg, 0xc4)],
    ['no scan', replace(jpeg, scan.start, jpeg.length - 2 - scan.start)],
    ['nothing but SOI and EOI', Buffer.from('ffd8ffd9', 'hex')],
    ['two frames', replace(jpeg, frame.end, 0, again)],
    ['two frames that contradict', replace(jpeg, frame.end, 0, overwrite(again, 5, 'ffffffff'))],
    ['SOI inside', replace(jpeg, frame.start, 0, 'ffd8')],
    ['EOI before the scan', replace(jpeg, scan.start, 0, 'ffd9')],
    ['RST before the scan', replace(jpeg, scan.start, 0, 'ffd0')],
    ['DNL', replace(jpeg, scan.start, 0, 'ffdc00040010')],
    ['text between segments', replace(jpeg, frame.start, 0, Buffer.from('<script>alert(1)</script>'))],
    ['frame after the scan', replace(replace(jpeg, jpeg.length - 2, 0, again), frame.start, again.length)],
  ];
}

function scans(jpeg: Buffer, progressive: Buffer): Case[] {
  const { start, end } = find(jpeg, 0xda);
  const first = find(progressive, 0xda);
  const empty = replace(jpeg, end, jpeg.length - 2 - end);
  const oneScan = progressive.subarray(first.start, progressive.indexOf(Buffer.from('ffc4', 'hex'), first.end));
  return [
    ['scan without data', empty],
    ['scan of an unknown component', overwrite(jpeg, start + 5, '09')],
    ['scan of no component', overwrite(jpeg, start + 4, '00')],
    ['scan with a table that is not there', overwrite(jpeg, start + 6, '33')],
    ['RST without an interval', replace(jpeg, end + 4, 0, 'ffd0')],
    ['RST out of order', replace(replace(jpeg, end + 4, 0, 'ffd5'), start, 0, 'ffdd00040001')],
    ['unknown marker in the data', replace(jpeg, end + 4, 0, 'ff42')],
    ['one component without a scan', replace(overwrite(jpeg, start, 'ffda000a02'), start + 9, 2)],
    ['AC before DC', overwrite(progressive, first.end - 3, '0105')],
    ['1000 scans', replace(progressive, first.start, 0, times(1000, oneScan))],
  ];
}

function floods(jpeg: Buffer): Case[] {
  const scan = find(jpeg, 0xda);
  const flood = (bytes: Buffer) => replace(jpeg, 2, 0, bytes);
  return [
    ['20,000 empty comments', flood(times(20_000, Buffer.from('fffe0002', 'hex')))],
    ['4 MiB of fill bytes', flood(Buffer.alloc(2 ** 22, 0xff))],
    [
      '8 MiB of stuffed bytes and no end',
      Buffer.concat([jpeg.subarray(0, scan.end), times(2 ** 22, Buffer.from('ff00', 'hex'))]),
    ],
    [
      '8 MiB of restarts and no end',
      Buffer.concat([
        jpeg.subarray(0, scan.end),
        times(2 ** 19, Buffer.from('ffd0ffd1ffd2ffd3ffd4ffd5ffd6ffd7', 'hex')),
      ]),
    ],
    ['4 MiB of quantization tables and no end', flood(times(64, tables())).subarray(0, -2)],
  ];
}

/** One segment full of the same table. */
function tables(): Buffer {
  const table = Buffer.concat([Buffer.alloc(1), Buffer.alloc(64, 1)]);
  const body = times(1000, table);
  const head = Buffer.from('ffdb0000', 'hex');
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}
