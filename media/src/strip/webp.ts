// Strips a WebP: removes EXIF, XMP and unknown chunks, also from frames, updates sizes and flags, and keeps the orientation.
import { readOrientation, writeOrientation } from '../exif.ts';
import type { FileBytes } from '../media-type.ts';
import { type RiffChunk, readRiffChunks } from '../proofs/images/webp.ts';
import { type Edit, growthOf, removal } from './edit.ts';

const kept = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L']);
const keptInFrame = new Set(['ALPH', 'VP8 ', 'VP8L']);
/** The place, size and duration of a frame come before its chunks. */
const frameHeaderBytes = 16;
const exifFlag = 0x08;
const xmpFlag = 0x04;
const maxExifBytes = 65_536;
/** The first byte of VP8X, which is the first chunk if there are others. */
const flagsAt = 20;

export function editWebp(file: FileBytes): Edit[] {
  const chunks = readRiffChunks(file, 12, file.size);
  if (typeof chunks === 'string') throw new Error(`Not a proved WebP: ${chunks}`);
  const minimal = readMinimalExif(file, chunks);
  const unwanted = chunks.filter((chunk) => !kept.has(chunk.type) && chunk !== minimal?.chunk);
  const inFrames = chunks.filter(({ type }) => type === 'ANMF').flatMap((frame) => editFrame(file, frame));
  // Also if it is a simple picture: only the extended format can contain metadata.
  if (unwanted.length === 0 && inFrames.length === 0) return [];
  const isAdded = minimal !== undefined && minimal.chunk === undefined;
  const added = isAdded ? minimal.bytes : Buffer.alloc(0);
  const flags = file.read(flagsAt, 1).readUInt8(0) & ~(exifFlag | xmpFlag);
  const edits = [
    { from: flagsAt, to: flagsAt + 1, bytes: Buffer.from([flags | (minimal ? exifFlag : 0)]) },
    ...inFrames,
    ...unwanted.map(removal),
    { from: file.size, to: file.size, bytes: added },
  ];
  return [{ from: 4, to: 8, bytes: uint32(file.size + growthOf(edits) - 8) }, ...edits];
}

/** Removes what is not part of the frame's picture, and updates the size of the frame. */
function editFrame(file: FileBytes, { start, dataStart, length }: RiffChunk): Edit[] {
  const parts = readRiffChunks(file, dataStart + frameHeaderBytes, dataStart + length);
  if (typeof parts === 'string') throw new Error(`Not a proved WebP: ${parts}`);
  const removals = parts.filter(({ type }) => !keptInFrame.has(type)).map(removal);
  if (removals.length === 0) return [];
  return [{ from: start + 4, to: start + 8, bytes: uint32(length + growthOf(removals)) }, ...removals];
}

type MinimalExif = { readonly bytes: Buffer; readonly chunk: RiffChunk | undefined };

/** The smallest EXIF that keeps the orientation, and the existing chunk if it is identical. Undefined for an upright picture. */
function readMinimalExif(file: FileBytes, chunks: RiffChunk[]): MinimalExif | undefined {
  const exif = chunks.find(({ type }) => type === 'EXIF');
  if (exif === undefined) return undefined;
  const data = file.read(exif.dataStart, Math.min(exif.length, maxExifBytes));
  // Some writers put the Exif mark of a JPEG before the TIFF structure.
  const hasMark = data.toString('latin1', 0, 6) === 'Exif\0\0';
  const orientation = readOrientation(hasMark ? data.subarray(6) : data);
  if (orientation === 1) return undefined;
  const tiff = writeOrientation(orientation);
  const bytes = Buffer.concat([Buffer.from('EXIF'), uint32(tiff.length), tiff]);
  return { bytes, chunk: data.equals(tiff) ? exif : undefined };
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
