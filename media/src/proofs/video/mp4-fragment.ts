// Checks one movie fragment of an MP4 file: its tracks are known, and its sample runs fit their boxes.
import type { FileBytes } from '../../media-type.ts';
import { type Box, readContent, walkBoxes } from '../iso-boxes.ts';

const maxTracks = 100;
// The data offset and the first-sample flags precede the rows. A row has a duration, a size, flags and a time offset.
const headFlags = [0x000001, 0x000004];
const rowFlags = [0x000100, 0x000200, 0x000400, 0x000800];

/** `boxes`: how many boxes the fragments of the file may still have. `tracks`: the track ids they may refer to. */
type FragmentBudget = { boxes: number; readonly tracks: ReadonlySet<number> };

export function fragmentDefect(file: FileBytes, fragment: Box, budget: FragmentBudget): string | undefined {
  const boxes = childrenWithin(file, fragment, budget);
  const headers = boxes?.filter(({ type }) => type === 'mfhd');
  if (boxes === undefined || headers?.length !== 1) return 'a fragment without its header';
  const parts = boxes.filter(({ type }) => type === 'traf');
  if (parts.length > maxTracks) return 'too many tracks';
  for (const part of parts) {
    const defect = partDefect(file, part, budget);
    if (defect !== undefined) return defect;
  }
  return undefined;
}

function partDefect(file: FileBytes, part: Box, budget: FragmentBudget): string | undefined {
  const boxes = childrenWithin(file, part, budget);
  if (boxes === undefined) return 'a broken fragment';
  const [header, ...others] = boxes.filter(({ type }) => type === 'tfhd');
  if (header === undefined || others.length > 0) return 'a broken fragment';
  const head = readContent(file, header, 8);
  if (head.length < 8 || !budget.tracks.has(head.readUInt32BE(4))) return 'a fragment of an unknown track';
  for (const run of boxes.filter(({ type }) => type === 'trun')) {
    if (!isRunValid(file, run)) return 'a run of samples longer than its box';
  }
  return undefined;
}

/** Undefined if the children do not fill their box, or if the budget is used up. */
function childrenWithin(file: FileBytes, { start, headerSize, end }: Box, budget: FragmentBudget): Box[] | undefined {
  const boxes = walkBoxes(file, start + headerSize, end);
  budget.boxes -= boxes?.length ?? 0;
  return budget.boxes < 0 ? undefined : boxes;
}

function isRunValid(file: FileBytes, run: Box): boolean {
  const head = readContent(file, run, 8);
  if (head.length < 8) return false;
  const flags = head.readUInt32BE(0) & 0xffffff;
  const bytesOf = (wanted: readonly number[]): number => wanted.filter((flag) => (flags & flag) !== 0).length * 4;
  return 8 + bytesOf(headFlags) + head.readUInt32BE(4) * bytesOf(rowFlags) <= run.end - run.start - run.headerSize;
}
