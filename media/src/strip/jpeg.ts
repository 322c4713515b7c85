// Strips a JPEG: removes all APPn and COM segments except JFIF, the ICC profile, Adobe's colour transform and the orientation, and all bytes after the end.
import { readOrientation, writeOrientation } from '../exif.ts';
import type { FileBytes } from '../media-type.ts';
import { type JpegSegment, readSegments } from '../proofs/images/jpeg-segments.ts';
import { type Edit, removal } from './edit.ts';

const app0 = 0xe0;
const app1 = 0xe1;
const app2 = 0xe2;
const app14 = 0xee;
/** Decoders need this and Adobe's colour transform for correct colours. Every other APPn segment is metadata. */
const iccMark = 'ICC_PROFILE\0';
/** The mark, version, flags and transform. Nothing that follows them is part of the segment's definition. */
const adobeBytes = 12;
const exifMark = Buffer.from('Exif\0\0');
const jfifBytes = 14;

export function editJpeg(file: FileBytes): Edit[] {
  const segments = readSegments(file);
  if (typeof segments === 'string') throw new Error(`Not a proved JPEG: ${segments}`);
  const exif = readExif(file, segments);
  const edits: Edit[] = [];
  for (const segment of segments) {
    const edit = exif?.minimal === segment ? undefined : editSegment(file, segment);
    if (edit !== undefined) edits.push(edit);
  }
  // Removes what follows EOI, whatever it is: vendor trailers, films, further pictures, a file of another format.
  const end = segments.at(-1)?.end ?? file.size;
  if (end < file.size) edits.push(removal({ start: end, end: file.size }));
  if (exif === undefined || exif.orientation === 1 || exif.minimal !== undefined) return edits;
  // JFIF and Exif should both be the first segment. Every reader finds Exif after JFIF.
  const [first] = segments;
  const at = first?.marker === app0 ? first.end : 2;
  return [...edits, { from: at, to: at, bytes: segmentOf(app1, exifBody(exif.orientation)) }];
}

/** Undefined if the segment needs no change. */
function editSegment(file: FileBytes, segment: JpegSegment): Edit | undefined {
  const { marker, bodyStart, bodyEnd, start, end } = segment;
  // APPn and COM have the highest markers.
  if (marker < app0) return undefined;
  const length = bodyEnd - bodyStart;
  const head = file.read(bodyStart, Math.min(length, jfifBytes));
  const text = head.toString('latin1');
  if (marker === app2 && text.startsWith(iccMark)) return undefined;
  if (marker === app14 && text.startsWith('Adobe') && length >= adobeBytes)
    return length === adobeBytes
      ? undefined
      : { from: start, to: end, bytes: segmentOf(app14, head.subarray(0, adobeBytes)) };
  if (marker !== app0 || !text.startsWith('JFIF\0') || head.length < jfifBytes) return removal(segment);
  if (length === jfifBytes) return undefined;
  // Removes the thumbnail, which can show a cropped part of the picture. The last two bytes are its width and height.
  const bare = Buffer.concat([head.subarray(0, jfifBytes - 2), Buffer.alloc(2)]);
  return { from: start, to: end, bytes: segmentOf(app0, bare) };
}

type Exif = { readonly orientation: number; readonly minimal: JpegSegment | undefined };

/** The orientation in the first Exif segment, and the segment itself if it contains nothing else. */
function readExif(file: FileBytes, segments: JpegSegment[]): Exif | undefined {
  for (const segment of segments) {
    if (segment.marker !== app1) continue;
    const body = file.read(segment.bodyStart, segment.bodyEnd - segment.bodyStart);
    if (!body.subarray(0, exifMark.length).equals(exifMark)) continue;
    const orientation = readOrientation(body.subarray(exifMark.length));
    const isMinimal = orientation !== 1 && body.equals(exifBody(orientation));
    return { orientation, minimal: isMinimal ? segment : undefined };
  }
  return undefined;
}

function exifBody(orientation: number): Buffer {
  return Buffer.concat([exifMark, writeOrientation(orientation)]);
}

function segmentOf(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}
