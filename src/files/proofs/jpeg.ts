// Proves a JPEG: one frame, its tables before its scans, every scan searched for markers, and nothing behind EOI.
import { type ByteReader, corrupt, type Proof, proved } from '../media-type.ts';
import { isMultiPicture } from './jpeg-multi-picture.ts';
import { readAhead } from './read-ahead.ts';

export type JpegSegment = {
  readonly marker: number;
  /** Where the segment before this one ended, so that fill bytes belong to the marker they precede. */
  readonly start: number;
  /** After marker and length. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** Of SOS: the end of its entropy-coded data. */
  readonly end: number;
  /** Of SOS: how many RSTn stand in its data, all in their order. */
  readonly restarts: number;
};

type Component = { readonly id: number; readonly quantTable: number };
type Frame = { readonly marker: number; readonly width: number; readonly height: number; components: Component[] };
type Image = {
  frame?: Frame;
  readonly quantTables: Set<number>;
  /** Class in the high nibble, destination in the low one, as in DHT. */
  readonly huffmanTables: Set<number>;
  restartInterval: number;
  readonly coded: Set<number>;
};

const eoi = 0xd9;
const sos = 0xda;
const frameMarkers = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc9, 0xca, 0xcb]);
/** Frames, tables and scans: what a decoder cannot do without. */
const pictureMarkers = new Set([...frameMarkers, 0xc4, 0xcc, 0xdb, 0xdd, sos]);
const isProgressive = (frameMarker: number) => frameMarker === 0xc2 || frameMarker === 0xca;
const isLossless = (frameMarker: number) => frameMarker === 0xc3 || frameMarker === 0xcb;
const maxFillBytes = 64;
const headerBytes = maxFillBytes + 4;
const maxSegments = 10_000;
/** A picture of a few kilobytes with thousands of scans keeps a decoder busy for minutes. */
const maxScans = 500;
const entropyPieceBytes = 65_536;

export async function proveJpeg(file: ByteReader): Promise<Proof | undefined> {
  if (!(await isJpeg(file))) return undefined;
  const segments = await readJpegSegments(file);
  if (typeof segments === 'string') return corrupt('image/jpeg', segments);
  const image: Image = { quantTables: new Set(), huffmanTables: new Set(), restartInterval: 0, coded: new Set() };
  const reader = readAhead(file);
  for (const segment of segments.filter(({ marker }) => pictureMarkers.has(marker))) {
    const body = await reader.read(segment.bodyStart, segment.bodyEnd - segment.bodyStart);
    const reason = checkSegment(image, segment, body);
    if (reason !== undefined) return corrupt('image/jpeg', reason);
  }
  if (image.frame === undefined) return corrupt('image/jpeg', 'no frame header');
  if (image.coded.size < image.frame.components.length) return corrupt('image/jpeg', 'a component has no scan');
  return proved('image/jpeg', { width: image.frame.width, height: image.frame.height });
}

/** From the frame header alone: what follows it is not read. */
export async function readJpegSize(file: ByteReader): Promise<{ width: number; height: number } | undefined> {
  const reader = readAhead(file, 4096);
  let position = (await isJpeg(file)) ? 2 : file.size;
  for (let count = 0; count < maxSegments; count++) {
    const head = reader.peek(position, headerBytes) ?? (await reader.read(position, headerBytes));
    const segment = parseSegment(head, position, file.size);
    if (typeof segment === 'string' || segment.marker === sos) return undefined;
    position = segment.end;
    if (!frameMarkers.has(segment.marker)) continue;
    const body = await reader.read(segment.bodyStart, segment.bodyEnd - segment.bodyStart);
    const frame = parseFrame(segment.marker, body);
    return typeof frame === 'string' ? undefined : { width: frame.width, height: frame.height };
  }
  return undefined;
}

async function isJpeg(file: ByteReader): Promise<boolean> {
  return (await file.read(0, 3)).toString('hex') === 'ffd8ff';
}

/** Every segment after SOI, up to and with the EOI that ends the file or the first of several pictures; or what is wrong. */
export async function readJpegSegments(file: ByteReader): Promise<JpegSegment[] | string> {
  const reader = readAhead(file);
  const segments: JpegSegment[] = [];
  let position = 2;
  let scans = 0;
  for (;;) {
    const head = reader.peek(position, headerBytes) ?? (await reader.read(position, headerBytes));
    const header = parseSegment(head, position, file.size);
    if (typeof header === 'string') return header;
    if (header.marker === sos) scans += 1;
    if (segments.length === maxSegments || scans > maxScans) return 'too many segments or scans';
    const segment = header.marker === sos ? await readScan(reader, header) : header;
    if (segment === undefined) return 'cut short inside a scan';
    segments.push(segment);
    position = segment.end;
    if (segment.marker !== eoi) continue;
    const isWhole = position === file.size || (await isMultiPicture(file, segments, position, proveJpeg));
    return isWhole ? segments : `${file.size - position} bytes after the end`;
  }
}

function parseSegment(bytes: Buffer, start: number, fileSize: number): JpegSegment | string {
  let at = 0;
  // Fill bytes may stand before a marker (T.81, B.1.1.2).
  while (at < maxFillBytes && bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1;
  const marker = bytes[at + 1];
  if (bytes[at] !== 0xff || marker === undefined) return `no marker at ${start}`;
  const bodyStart = start + at + 4;
  if (marker === eoi) return { marker, start, bodyStart, bodyEnd: bodyStart, end: bodyStart - 2, restarts: 0 };
  // What is left are SOI and RSTn out of place, DNL, and markers that are hierarchical or reserved.
  const isMetadata = (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
  if (!isMetadata && !pictureMarkers.has(marker)) return `marker ${marker.toString(16)} out of place at ${start}`;
  if (bytes.length < at + 4) return 'cut short inside a segment length';
  const end = bodyStart - 2 + bytes.readUInt16BE(at + 2);
  if (end < bodyStart || end > fileSize) return `segment at ${start} has a wrong length`;
  return { marker, start, bodyStart, bodyEnd: end, end, restarts: 0 };
}

async function readScan(file: ByteReader, header: JpegSegment): Promise<JpegSegment | undefined> {
  const state = { isAfterFF: false, restarts: 0 };
  for (let position = header.bodyEnd; position < file.size; position += entropyPieceBytes) {
    const index = findMarker(await file.read(position, entropyPieceBytes), state);
    if (index >= 0) return { ...header, end: position + index - 1, restarts: state.restarts };
  }
  return undefined;
}

/** The index of the code of the marker that ends the scan; stuffed zeros and RSTn in their order do not end it. */
function findMarker(piece: Buffer, state: { isAfterFF: boolean; restarts: number }): number {
  const { length } = piece;
  let index = 0;
  while (index < length) {
    if (!state.isAfterFF) {
      while (index < length && piece[index] !== 0xff) index += 1;
      state.isAfterFF = index < length;
      index += 1;
      continue;
    }
    const code = piece[index];
    const isRestart = code === 0xd0 + (state.restarts % 8);
    if (code !== 0xff && code !== 0 && !isRestart) return index;
    if (isRestart) state.restarts += 1;
    state.isAfterFF = code === 0xff;
    index += 1;
  }
  return -1;
}

function checkSegment(image: Image, segment: JpegSegment, body: Buffer): string | undefined {
  const { marker } = segment;
  if (frameMarkers.has(marker)) {
    if (image.frame !== undefined) return 'more than one frame';
    const frame = parseFrame(marker, body);
    if (typeof frame === 'string') return frame;
    image.frame = frame;
    return undefined;
  }
  if (marker === sos) return checkScan(image, segment, body);
  if (marker === 0xdb) return addQuantTables(image.quantTables, body);
  if (marker === 0xc4) return addHuffmanTables(image.huffmanTables, body);
  if (marker === 0xcc) return body.length > 0 && body.length % 2 === 0 ? undefined : 'wrong arithmetic conditioning';
  if (body.length !== 2) return 'wrong restart interval';
  image.restartInterval = body.readUInt16BE(0);
  return undefined;
}

function parseFrame(marker: number, body: Buffer): Frame | string {
  const count = body[5] ?? 0;
  if (count < 1 || count > 4 || body.length !== 6 + 3 * count) return 'wrong frame header';
  const precision = body.readUInt8(0);
  const isDeep = isLossless(marker) ? precision >= 2 && precision <= 16 : precision === 12 && marker !== 0xc0;
  if (precision !== 8 && !isDeep) return `precision ${precision}`;
  const components: Component[] = [];
  for (let at = 6; at < body.length; at += 3) {
    const sampling = body.readUInt8(at + 1);
    const [across, down] = [sampling >> 4, sampling & 15];
    if (across < 1 || across > 4 || down < 1 || down > 4) return 'wrong sampling factors';
    components.push({ id: body.readUInt8(at), quantTable: body.readUInt8(at + 2) });
  }
  if (new Set(components.map(({ id }) => id)).size < count) return 'two components with one name';
  const [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)];
  return width === 0 || height === 0 ? 'no width or height' : { marker, width, height, components };
}

function addQuantTables(tables: Set<number>, body: Buffer): string | undefined {
  let at = 0;
  while (at < body.length) {
    const head = body.readUInt8(at);
    if (head >> 4 > 1 || (head & 15) > 3) return 'wrong quantization table';
    tables.add(head & 15);
    at += head >> 4 === 0 ? 65 : 129;
  }
  return at === body.length && at > 0 ? undefined : 'quantization table of a wrong length';
}

function addHuffmanTables(tables: Set<number>, body: Buffer): string | undefined {
  let at = 0;
  while (at < body.length) {
    const head = body.readUInt8(at);
    if (head >> 4 > 1 || (head & 15) > 3 || at + 17 > body.length) return 'wrong Huffman table';
    let codes = 0;
    let free = 1;
    for (const count of body.subarray(at + 1, at + 17)) {
      codes += count;
      free = free * 2 - count;
      if (free < 0) return 'Huffman table with too many codes';
    }
    tables.add(head);
    at += 17 + codes;
  }
  return at === body.length && at > 0 ? undefined : 'Huffman table of a wrong length';
}

function checkScan(image: Image, segment: JpegSegment, body: Buffer): string | undefined {
  const { frame } = image;
  const count = body[0] ?? 0;
  if (frame === undefined) return 'scan before the frame header';
  if (count < 1 || count > 4 || body.length !== 4 + 2 * count) return 'wrong scan header';
  if (segment.end === segment.bodyEnd) return 'scan without data';
  if (segment.restarts > 0 && image.restartInterval === 0) return 'restart marker without an interval';
  const progress = body.subarray(1 + 2 * count);
  if (isProgressive(frame.marker) && !isProgression(progress, count)) return 'wrong progression';
  for (let at = 1; at < 1 + 2 * count; at += 2) {
    const component = frame.components.find(({ id }) => id === body[at]);
    if (component === undefined) return 'scan of a component that is not there';
    if (!hasTables(image, frame, component, body.readUInt8(at + 1), progress)) return 'scan without its tables';
    if (isProgressive(frame.marker) && progress[0] !== 0 && !image.coded.has(component.id)) return 'AC before DC';
    image.coded.add(component.id);
  }
  return undefined;
}

/** One DC scan, or an AC band of one component (T.81, G.1.1.1). */
function isProgression(progress: Buffer, count: number): boolean {
  const [first = 0, last = 0, bits = 0] = progress;
  return (first === 0 ? last === 0 : count === 1 && last >= first && last <= 63) && (bits & 15) <= 13;
}

function hasTables(image: Image, frame: Frame, component: Component, tables: number, progress: Buffer): boolean {
  if (isLossless(frame.marker)) return frame.marker === 0xcb || image.huffmanTables.has(tables >> 4);
  if (!image.quantTables.has(component.quantTable)) return false;
  if (frame.marker > 0xc8) return true;
  const [first = 0, , bits = 0] = progress;
  const needsDc = !isProgressive(frame.marker) || (first === 0 && bits >> 4 === 0);
  const needsAc = !isProgressive(frame.marker) || first > 0;
  const { huffmanTables } = image;
  return (!needsDc || huffmanTables.has(tables >> 4)) && (!needsAc || huffmanTables.has(0x10 | (tables & 15)));
}
