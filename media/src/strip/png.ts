// Strips a PNG: keeps only the chunks of the picture and its colours, and the orientation.
import { crc32 } from 'node:zlib';
import { readOrientation, writeOrientation } from '../exif.ts';
import type { FileBytes } from '../media-type.ts';
import { type PngChunk, readPngChunks } from '../proofs/images/png.ts';
import { type Edit, removal } from './edit.ts';

const picture = 'IHDR PLTE IDAT IEND tRNS bKGD hIST sPLT pHYs sBIT acTL fcTL fdAT';
const colours = 'gAMA cHRM sRGB iCCP cICP mDCV cLLI';
const kept = new Set(`${picture} ${colours}`.split(' '));
const maxExifBytes = 65_536;
/** Behind the signature and IHDR, whose length is fixed. */
const headerEnd = 33;

export function editPng(file: FileBytes): Edit[] {
  const chunks = readPngChunks(file);
  if (typeof chunks === 'string') throw new Error(`Not a proved PNG: ${chunks}`);
  const minimal = readMinimalExif(file, chunks);
  const unwanted = chunks.filter((chunk) => !kept.has(chunk.type) && chunk !== minimal?.chunk);
  const edits = unwanted.map(removal);
  if (minimal === undefined || minimal.chunk !== undefined) return edits;
  return [{ from: headerEnd, to: headerEnd, bytes: minimal.bytes }, ...edits];
}

type MinimalExif = { readonly bytes: Buffer; readonly chunk: PngChunk | undefined };

/** The smallest eXIf that keeps the orientation, and the existing chunk if it is identical. Undefined for an upright picture. */
function readMinimalExif(file: FileBytes, chunks: PngChunk[]): MinimalExif | undefined {
  const exif = chunks.find(({ type }) => type === 'eXIf');
  if (exif === undefined) return undefined;
  const orientation = readOrientation(file.read(exif.dataStart, Math.min(exif.length, maxExifBytes)));
  if (orientation === 1) return undefined;
  const bytes = chunkOf('eXIf', writeOrientation(orientation));
  const own = file.read(exif.start, Math.min(exif.end - exif.start, maxExifBytes));
  return { bytes, chunk: own.equals(bytes) ? exif : undefined };
}

function chunkOf(type: string, data: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)]);
  chunk.writeUInt32BE(data.length, 0);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}
