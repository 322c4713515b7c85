// Checks one movie fragment of an MP4 file: its tracks are known, and its runs of samples fit their boxes.
import type { ByteReader } from '../media-type.ts';
import { type Box, walkBoxes } from './iso-boxes.ts';

const maxTracks = 100;
// Data offset and first-sample flags stand before the rows; duration, size, flags and time offset make a row.
const headFlags = [0x000001, 0x000004];
const rowFlags = [0x000100, 0x000200, 0x000400, 0x000800];

export async function fragmentDefect(
  file: ByteReader,
  fragment: Box,
  tracks: ReadonlySet<number>,
): Promise<string | undefined> {
  const boxes = await walkBoxes(file, fragment.start + fragment.headerSize, fragment.end);
  const parts = boxes?.filter(({ type }) => type === 'traf') ?? [];
  if (boxes?.filter(({ type }) => type === 'mfhd').length !== 1) return 'a fragment without its header';
  if (parts.length > maxTracks) return 'too many tracks';
  for (const part of parts) {
    const defect = await partDefect(file, part, tracks);
    if (defect !== undefined) return defect;
  }
  return undefined;
}

async function partDefect(file: ByteReader, part: Box, tracks: ReadonlySet<number>): Promise<string | undefined> {
  const boxes = await walkBoxes(file, part.start + part.headerSize, part.end);
  const headers = boxes?.filter(({ type }) => type === 'tfhd') ?? [];
  const header = headers[0];
  if (boxes === undefined || header === undefined || headers.length > 1) return 'a broken fragment';
  const track = await file.read(header.start + header.headerSize + 4, 4);
  if (track.length < 4 || !tracks.has(track.readUInt32BE(0))) return 'a fragment of no track';
  for (const run of boxes.filter(({ type }) => type === 'trun')) {
    if (!(await isRunSound(file, run))) return 'a run of samples longer than its box';
  }
  return undefined;
}

async function isRunSound(file: ByteReader, run: Box): Promise<boolean> {
  const start = run.start + run.headerSize;
  const head = await file.read(start, 8);
  if (head.length < 8 || run.end - start < 8) return false;
  const flags = head.readUInt32BE(0) & 0xffffff;
  const bytesOf = (wanted: readonly number[]): number => wanted.filter((flag) => (flags & flag) !== 0).length * 4;
  return 8 + bytesOf(headFlags) + head.readUInt32BE(4) * bytesOf(rowFlags) <= run.end - start;
}
