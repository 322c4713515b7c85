// Plants a canary into a picture, in every place where software keeps metadata. Nothing of it may be left after stripping.
import { crc32 } from 'node:zlib';

/** Like a position that a phone writes. */
export const canary = 'Canary 51.50335N 0.11951W';

type Plant = (bytes: Buffer, kind: number, place: number) => Buffer | undefined;

export const plants: Readonly<Record<'jpeg' | 'png' | 'webp', Plant>> = {
  jpeg: plantInJpeg,
  png: plantInPng,
  webp: plantInWebp,
};

const noted = Buffer.from(canary, 'latin1');

function joined(...parts: (string | Buffer | readonly number[])[]): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
}

/** A TIFF directory with a description and an orientation, as cameras write it. */
function tiff(orientation: number): Buffer {
  const [text, value] = [Buffer.alloc(12), Buffer.alloc(12)];
  text.set([0x01, 0x0e, 0, 2, 0, 0, 0, noted.length + 1, 0, 0, 0, 38]);
  value.set([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]);
  return joined('MM\0\x2a', [0, 0, 0, 8, 0, 2], text, value, [0, 0, 0, 0], noted, [0]);
}

const jfif = joined('JFIF\0', [1, 2, 0, 0, 1, 0, 1]);
const segments: readonly (readonly [marker: number, body: Buffer])[] = [
  [0xfe, noted],
  [0xe1, joined('Exif\0\0', tiff(1))],
  [0xe1, joined('Exif\0\0', tiff(6))],
  [0xe1, joined('http://ns.adobe.com/xap/1.0/\0<x>', noted, '</x>')],
  [0xe0, joined(jfif, [9, 1], noted, [0, 0])],
  [0xe0, joined('JFXX\0', [0x10], noted)],
  [0xe2, joined('MPF\0', noted)],
  [0xe2, joined('FPXR\0', noted)],
  [0xed, joined('Photoshop 3.0\0', noted)],
  [0xee, joined('Adobe', [0, 100, 0, 0, 0, 0, 1], noted)],
  [0xee, noted],
  [0xe5, noted],
  [0xef, noted],
];

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

/** Before any segment, also between scans. */
function plantInJpeg(bytes: Buffer, kind: number, place: number): Buffer | undefined {
  const starts: number[] = [];
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    starts.push(at);
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xd9) break;
    at += 2 + bytes.readUInt16BE(at + 2);
    if (marker === 0xda) at = nextMarker(bytes, at);
  }
  if (starts.length === 0) return undefined;
  const [marker, body] = pick(segments, kind);
  const at = pick(starts, place);
  const head = Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]);
  return joined(bytes.subarray(0, at), head, body, bytes.subarray(at));
}

function nextMarker(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    const code = bytes[at + 1] ?? 0;
    if (bytes[at] === 0xff && code !== 0 && code !== 0xff && (code < 0xd0 || code > 0xd7)) return at;
  }
  return bytes.length;
}

const pngChunks: readonly (readonly [type: string, data: Buffer])[] = [
  ['tEXt', joined('Comment\0', noted)],
  ['iTXt', joined('XML:com.adobe.xmp\0\0\0\0\0', noted)],
  ['zTXt', joined('Comment\0\0', noted)],
  ['eXIf', tiff(1)],
  ['eXIf', tiff(8)],
  ['tIME', noted],
  ['xyZz', noted],
  ['caBX', noted],
  ['iDOT', noted],
  ['gIFx', noted],
];

function plantInPng(bytes: Buffer, kind: number, place: number): Buffer | undefined {
  const ends: number[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length || bytes.toString('latin1', at + 4, at + 8) === 'IEND') break;
    ends.push(end);
    at = end;
  }
  if (ends.length === 0) return undefined;
  const [type, data] = pick(pngChunks, kind);
  const body = joined(type, data);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  const at = pick(ends, place);
  return joined(bytes.subarray(0, at), length, body, sum, bytes.subarray(at));
}

const webpChunks: readonly (readonly [type: string, data: Buffer])[] = [
  ['EXIF', tiff(1)],
  ['EXIF', joined('Exif\0\0', tiff(3))],
  ['EXIF', tiff(6)],
  ['XMP ', noted],
  ['note', noted],
  ['iptc', noted],
];

/** At the end of any chunk, or at the end of a frame. */
function plantInWebp(bytes: Buffer, kind: number, place: number): Buffer | undefined {
  const places: { at: number; frame?: number }[] = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > bytes.length) break;
    places.push({ at: end });
    if (bytes.toString('latin1', at, at + 4) === 'ANMF') places.push({ at: end, frame: at + 4 });
    at = end;
  }
  if (places.length === 0) return undefined;
  const [type, data] = pick(webpChunks, kind);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  const chunk = joined(type, length, data, data.length % 2 === 1 ? [0] : []);
  const { at, frame } = pick(places, place);
  const planted = joined(bytes.subarray(0, at), chunk, bytes.subarray(at));
  planted.writeUInt32LE(planted.length - 8, 4);
  if (frame !== undefined) planted.writeUInt32LE((planted.readUInt32LE(frame) + chunk.length) >>> 0, frame);
  return planted;
}
