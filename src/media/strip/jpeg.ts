// Strips a JPEG: of APPn and COM only JFIF, the ICC profile and Adobe's colour transform stay, and the orientation.
import { readOrientation, writeOrientation } from '../exif.ts';
import type { FileBytes } from '../media-type.ts';
import { readJpegSegments } from '../proofs/jpeg.ts';
import type { JpegSegment } from '../proofs/jpeg-segments.ts';
import { type Edit, removal } from './edit.ts';

const app0 = 0xe0;
const app1 = 0xe1;
const app15 = 0xef;
const comment = 0xfe;
/** Decoders need these to get the colours right; every other APPn is for archives and makers. */
const keptMarks = new Map([
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
]);
const exifMark = Buffer.from('Exif\0\0', 'latin1');
const jfifBytes = 14;

export function editJpeg(file: FileBytes): Edit[] {
  const segments = readJpegSegments(file);
  if (typeof segments === 'string') throw new Error(`Not a proved JPEG: ${segments}`);
  const exif = readExif(file, segments);
  const edits: Edit[] = [];
  for (const segment of segments) {
    const edit = exif?.minimal === segment ? undefined : editSegment(file, segment);
    if (edit !== undefined) edits.push(edit);
  }
  // Further pictures (depth, gain map) go: they hold metadata of their own, and nothing may follow the end of what is stored.
  const end = segments.at(-1)?.end ?? file.size;
  if (end < file.size) edits.push({ from: end, to: file.size, bytes: Buffer.alloc(0) });
  if (exif === undefined || exif.orientation === 1 || exif.minimal !== undefined) return edits;
  // JFIF wants to be the first segment, and so does Exif: behind JFIF is where every reader finds it.
  const [first] = segments;
  const at = first?.marker === app0 ? first.end : 2;
  return [...edits, { from: at, to: at, bytes: segmentOf(app1, exifBody(exif.orientation)) }];
}

/** Undefined when the segment stays as it is. */
function editSegment(file: FileBytes, segment: JpegSegment): Edit | undefined {
  const { marker, bodyStart, bodyEnd, start, end } = segment;
  const isMetadata = (marker >= app0 && marker <= app15) || marker === comment;
  if (!isMetadata) return undefined;
  const head = file.read(bodyStart, Math.min(bodyEnd - bodyStart, jfifBytes));
  const text = head.toString('latin1');
  const mark = keptMarks.get(marker);
  if (mark !== undefined && text.startsWith(mark)) return undefined;
  if (marker !== app0 || !text.startsWith('JFIF\0') || head.length < jfifBytes) return removal(segment);
  if (bodyEnd - bodyStart === jfifBytes) return undefined;
  // A thumbnail can show what was cut away from the picture: the last two bytes are its width and height.
  const bare = Buffer.concat([head.subarray(0, jfifBytes - 2), Buffer.alloc(2)]);
  return { from: start, to: end, bytes: segmentOf(app0, bare) };
}

type Exif = { readonly orientation: number; readonly minimal: JpegSegment | undefined };

/** The orientation of the first Exif, and its segment when that holds nothing else. */
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
