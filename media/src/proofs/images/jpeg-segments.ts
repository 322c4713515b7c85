// Reads the segments of a JPEG up to its end marker. It searches every scan for the marker that ends it.
import type { FileBytes } from '../../media-type.ts';

export type JpegSegment = {
  readonly marker: number;
  /** The end of the previous segment. So fill bytes belong to the marker that follows them. */
  readonly start: number;
  /** After the marker and the length. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** For SOS, the end of its entropy-coded data. */
  readonly end: number;
  /** For SOS, the number of RSTn markers in its data. They are in order. */
  readonly restarts: number;
};

const eoi = 0xd9;
export const sos = 0xda;
export const frameMarkers = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc9, 0xca, 0xcb]);
/** Frames, tables and scans: everything that a decoder needs. */
export const pictureMarkers = new Set([...frameMarkers, 0xc4, 0xcc, 0xdb, 0xdd, sos]);
const maxFillBytes = 64;
const headerBytes = maxFillBytes + 4;
const maxSegments = 10_000;
/** A picture of a few kilobytes with thousands of scans keeps a decoder busy for minutes. */
const maxScans = 500;
const entropyPieceBytes = 65_536;

/** Every segment from SOI (excluded) to EOI (included). A string describes the defect. */
export function readSegments(file: FileBytes): JpegSegment[] | string {
  const segments: JpegSegment[] = [];
  let position = 2;
  let scans = 0;
  for (;;) {
    const head = file.read(position, headerBytes);
    const header = parseSegment(head, position, file.size);
    if (typeof header === 'string') return header;
    if (header.marker === sos) scans += 1;
    if (segments.length === maxSegments || scans > maxScans) return 'too many segments or scans';
    const segment = header.marker === sos ? readScan(file, header) : header;
    if (segment === undefined) return 'truncated inside a scan';
    segments.push(segment);
    position = segment.end;
    if (segment.marker === eoi) return segments;
  }
}

function parseSegment(bytes: Buffer, start: number, fileSize: number): JpegSegment | string {
  let at = 0;
  // Fill bytes may precede a marker (T.81, B.1.1.2).
  while (at < maxFillBytes && bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1;
  const marker = bytes[at + 1];
  if (bytes[at] !== 0xff || marker === undefined) return `no marker at ${start}`;
  const bodyStart = start + at + 4;
  if (marker === eoi) return { marker, start, bodyStart, bodyEnd: bodyStart, end: bodyStart - 2, restarts: 0 };
  // The check refuses misplaced SOI and RSTn, DNL, and hierarchical or reserved markers.
  const isMetadata = (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
  if (!isMetadata && !pictureMarkers.has(marker)) return `marker ${marker.toString(16)} out of place at ${start}`;
  if (bytes.length < at + 4) return 'truncated inside a segment length';
  const end = bodyStart - 2 + bytes.readUInt16BE(at + 2);
  if (end < bodyStart || end > fileSize) return `segment at ${start} has a wrong length`;
  return { marker, start, bodyStart, bodyEnd: end, end, restarts: 0 };
}

function readScan(file: FileBytes, header: JpegSegment): JpegSegment | undefined {
  const state = { isAfterFF: false, restarts: 0 };
  for (let position = header.bodyEnd; position < file.size; position += entropyPieceBytes) {
    const index = findMarker(file.read(position, entropyPieceBytes), state);
    if (index >= 0) return { ...header, end: position + index - 1, restarts: state.restarts };
  }
  return undefined;
}

/** The index of the marker code that ends the scan, or -1. Stuffed zeros and RSTn markers in order do not end it. */
function findMarker(piece: Buffer, state: { isAfterFF: boolean; restarts: number }): number {
  const { length } = piece;
  let { isAfterFF, restarts } = state;
  let found = -1;
  for (let index = 0; index < length && found < 0; index++) {
    const code = piece[index];
    if (isAfterFF && code !== 0xff && code !== 0) {
      if (code === 0xd0 + (restarts & 7)) restarts += 1;
      else found = index;
    }
    isAfterFF = code === 0xff;
  }
  state.isAfterFF = isAfterFF;
  state.restarts = restarts;
  return found;
}
