// Walks the segment of a WebM file: each element inside its parent, and known where a stranger could do harm.
import type { FileBytes } from '../media-type.ts';
import { type Element, elementBytes, ids, parseElement } from './webm-elements.ts';

type Open = { readonly id: number; readonly end: number; readonly isOpenEnded: boolean };

const maxElements = 1_000_000;
// Frames take more than this on average; only padding made of empty elements takes less.
const minBytesPerElement = 8;
const freeElements = 10_000;
const maxDepth = 12;

// Elements that hold elements, and what may hold them. Whatever else stands in them is passed over by its length.
const parents = new Map<number, readonly number[]>([
  [ids.seekHead, [ids.segment]],
  [ids.seek, [ids.seekHead]],
  [ids.info, [ids.segment]],
  [ids.tracks, [ids.segment]],
  [ids.trackEntry, [ids.tracks]],
  [ids.video, [ids.trackEntry]],
  [ids.audio, [ids.trackEntry]],
  [ids.cluster, [ids.segment]],
  [ids.blockGroup, [ids.cluster]],
  [ids.cues, [ids.segment]],
  [ids.cuePoint, [ids.cues]],
  [ids.cuePositions, [ids.cuePoint]],
  [ids.tags, [ids.segment]],
  [ids.tag, [ids.tags]],
  [ids.targets, [ids.tag]],
  [ids.simpleTag, [ids.tag, ids.simpleTag]],
]);
const anywhere = new Set<number>([ids.void, ids.checksum]);
const inCluster = new Set<number>([ids.timestamp, ids.simpleBlock, 0xa7, 0xab, 0x5854]);

/** `take` sees every element in order, before what it holds. A string says what is wrong. */
export function walkSegment(
  file: FileBytes,
  position: number,
  take: (element: Element, parent: number) => string | undefined,
): string | undefined {
  const segment = parseElement(file.read(position, elementBytes), position);
  if (segment?.id !== ids.segment) return 'no segment';
  const open = [openElement(segment, file.size)];
  if (open[0]?.end !== file.size) return 'the segment does not end with the file';
  const limit = Math.min(maxElements, freeElements + file.size / minBytesPerElement);
  let next = segment.start;
  for (let count = 0; next < file.size; count++) {
    if (count > limit) return 'too many elements';
    const bytes = file.read(next, elementBytes);
    const element = parseElement(bytes, next);
    if (element === undefined) return 'something else between elements';
    const parent = findParent(open, element, next);
    if (typeof parent === 'string') return parent;
    const defect = placeDefect(parent, element) ?? take(element, parent.id);
    if (defect !== undefined) return defect;
    const isHolder = parents.has(element.id);
    if (isHolder) open.push(openElement(element, parent.end));
    next = isHolder ? element.start : element.start + (element.length ?? 0);
  }
  return open.every(({ end }) => end === file.size) ? undefined : 'an element is cut short';
}

function openElement({ id, start, length }: Element, parentEnd: number): Open {
  return { id, end: length === undefined ? parentEnd : start + length, isOpenEnded: length === undefined };
}

/** Closes what ends here, and an open-ended cluster when something comes that only the segment can hold. */
function findParent(open: Open[], element: Element, position: number): Open | string {
  const isInSegment = parents.get(element.id)?.includes(ids.segment) === true || element.id === ids.chapters;
  for (;;) {
    const parent = open.at(-1);
    if (parent === undefined) return 'an element outside the segment';
    const isOver = parent.end === position || (parent.isOpenEnded && parent.id === ids.cluster && isInSegment);
    if (!isOver) return open.length > maxDepth ? 'elements too deep' : parent;
    open.pop();
  }
}

function placeDefect(parent: Open, element: Element): string | undefined {
  const { id, start, length } = element;
  const end = length === undefined ? parent.end : start + length;
  if (start > parent.end || end > parent.end) return 'an element is longer than what holds it';
  if (length === undefined && id !== ids.cluster) return 'an element without a length';
  const holders = parents.get(id);
  if (holders !== undefined) return holders.includes(parent.id) ? undefined : 'an element in the wrong place';
  if (anywhere.has(id)) return undefined;
  if (parent.id === ids.segment) return id === ids.chapters ? undefined : 'a stranger in the segment';
  if (parent.id === ids.cluster) return inCluster.has(id) ? undefined : 'a stranger in a cluster';
  if (id === ids.simpleBlock) return 'an element in the wrong place';
  return id === ids.block && parent.id !== ids.blockGroup ? 'an element in the wrong place' : undefined;
}
