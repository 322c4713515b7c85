// Proves a JPEG up to its end marker: one frame, tables before the scans that use them, and valid scans.
import type { FileBytes } from '../../media-type.ts';
import { corrupt, type Proof, proved } from '../../proof.ts';
import { hasNestedIndex } from './jpeg-multi-picture.ts';
import { frameMarkers, type JpegSegment, pictureMarkers, readSegments, sos } from './jpeg-segments.ts';

type Component = { readonly id: number; readonly quantTable: number };
type Frame = { readonly marker: number; readonly width: number; readonly height: number; components: Component[] };
type Image = {
  frame?: Frame;
  readonly quantTables: Set<number>;
  /** As in DHT: class in the high nibble, destination in the low nibble. */
  readonly huffmanTables: Set<number>;
  restartInterval: number;
  readonly coded: Set<number>;
};

/** Programs write about ten scans. A decoder visits every pixel in each, so many scans of a large picture keep it busy for half a minute. */
const usualScans = 20;
const maxScannedPixels = 2_500_000_000;

const isProgressive = (frameMarker: number) => frameMarker === 0xc2 || frameMarker === 0xca;
const isArithmetic = (frameMarker: number) => frameMarker === 0xc9 || frameMarker === 0xca;
const isLossless = (frameMarker: number) => frameMarker === 0xc3 || frameMarker === 0xcb;

/** What follows the end marker is not stored, so it is not part of the proof. */
export function proveJpeg(file: FileBytes): Proof | undefined {
  if (file.read(0, 3).toString('hex') !== 'ffd8ff') return undefined;
  const segments = readSegments(file);
  if (typeof segments === 'string') return corrupt('image/jpeg', segments);
  if (hasNestedIndex(file, segments)) return corrupt('image/jpeg', 'pictures inside pictures');
  const image: Image = { quantTables: new Set(), huffmanTables: new Set(), restartInterval: 0, coded: new Set() };
  for (const segment of segments.filter(({ marker }) => pictureMarkers.has(marker))) {
    const body = file.read(segment.bodyStart, segment.bodyEnd - segment.bodyStart);
    const reason = checkSegment(image, segment, body);
    if (reason !== undefined) return corrupt('image/jpeg', reason);
  }
  if (image.frame === undefined) return corrupt('image/jpeg', 'no frame header');
  const { width, height, components } = image.frame;
  if (image.coded.size < components.length) return corrupt('image/jpeg', 'a component has no scan');
  const scans = segments.filter(({ marker }) => marker === sos).length;
  if (scans > usualScans && scans * width * height > maxScannedPixels)
    return corrupt('image/jpeg', 'too many scans for its size');
  return proved('image/jpeg', { width, height });
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
  return at === body.length && at > 0 ? undefined : 'quantization table with a wrong length';
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
  return at === body.length && at > 0 ? undefined : 'Huffman table with a wrong length';
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
    if (component === undefined) return 'scan of a missing component';
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
  if (isArithmetic(frame.marker)) return true;
  const [first = 0, , bits = 0] = progress;
  const needsDc = !isProgressive(frame.marker) || (first === 0 && bits >> 4 === 0);
  const needsAc = !isProgressive(frame.marker) || first > 0;
  const { huffmanTables } = image;
  return (!needsDc || huffmanTables.has(tables >> 4)) && (!needsAc || huffmanTables.has(0x10 | (tables & 15)));
}
