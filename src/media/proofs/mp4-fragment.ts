// Checks one movie fragment of an MP4 file: its tracks are known, and its runs of samples fit their boxes.
import type { FileBytes } from '../media-type.ts';
import { type Box, walkBoxes } from './iso-boxes.ts';

const maxTracks = 100;
// Data offset and first-sample flags stand before the rows; duration, size, flags and time offset make a row.
const headFlags = [0x000001, 0x000004];
const rowFlags = [0x000100, 0x000200, 0x000400, 0x000800];

/** What all fragments of a file may still hold, and whose they may be. */
export type FragmentRoom = { boxes: number; readonly tracks: ReadonlySet<number> };

export function fragmentDefect(file: FileBytes, fragment: Box, room: FragmentRoom): string | undefined {
  const boxes = childrenWithin(file, fragment, room);
  const parts = boxes?.filter(({ type }) => type === 'traf') ?? [];
  if (boxes?.filter(({ type }) => type === 'mfhd').length !== 1) return 'a fragment without its header';
  if (parts.length > maxTracks) return 'too many tracks';
  for (const part of parts) {
    const defect = partDefect(file, part, room);
    if (defect !== undefined) return defect;
  }
  return undefined;
}

function partDefect(file: FileBytes, part: Box, room: FragmentRoom): string | undefined {
  const boxes = childrenWithin(file, part, room);
  const headers = boxes?.filter(({ type }) => type === 'tfhd') ?? [];
  const header = headers[0];
  if (boxes === undefined || header === undefined || headers.length > 1) return 'a broken fragment';
  const track = file.read(header.start + header.headerSize + 4, 4);
  if (track.length < 4 || !room.tracks.has(track.readUInt32BE(0))) return 'a fragment of no track';
  for (const run of boxes.filter(({ type }) => type === 'trun')) {
    if (!isRunSound(file, run)) return 'a run of samples longer than its box';
  }
  return undefined;
}

/** Undefined where they do not fill their box, or are too many in all. */
function childrenWithin(file: FileBytes, { start, headerSize, end }: Box, room: FragmentRoom): Box[] | undefined {
  const boxes = walkBoxes(file, start + headerSize, end);
  room.boxes -= boxes?.length ?? 0;
  return room.boxes < 0 ? undefined : boxes;
}

function isRunSound(file: FileBytes, run: Box): boolean {
  const start = run.start + run.headerSize;
  const head = file.read(start, 8);
  if (head.length < 8 || run.end - start < 8) return false;
  const flags = head.readUInt32BE(0) & 0xffffff;
  const bytesOf = (wanted: readonly number[]): number => wanted.filter((flag) => (flags & flag) !== 0).length * 4;
  return 8 + bytesOf(headFlags) + head.readUInt32BE(4) * bytesOf(rowFlags) <= run.end - start;
}
