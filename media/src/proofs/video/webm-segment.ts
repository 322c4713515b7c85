// Walks the segment of a WebM file: each element fits its parent, and unknown elements are refused where they could do harm.
import type { FileBytes } from '../../media-type.ts';
import type { Objection } from '../../proof.ts';
import { type Element, elementBytes, ids, parseElement } from './webm-elements.ts';

type Open = { readonly id: number; readonly end: number; readonly isOpenEnded: boolean };

const maxElements = 1_000_000;
// Frames are larger than this on average. Only padding with empty elements is smaller.
const minBytesPerElement = 8;
const freeElements = 10_000;
/** Of elements around an element, with the segment. */
const maxDepth = 12;

// Elements that contain elements, and their allowed parents. The walk skips the content of all other elements.
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

/** Calls `take` for every element in order, before its children. */
export function walkSegment(
  file: FileBytes,
  position: number,
  take: (element: Element, parent: number) => Objection | undefined,
): Objection | undefined {
  const segment = parseElement(file.read(position, elementBytes), position);
  if (segment?.id !== ids.segment) return 'no segment';
  const root = openElement(segment, file.size);
  if (root.end !== file.size) return 'the segment does not end with the file';
  const open: Open[] = [];
  const limit = Math.min(maxElements, freeElements + file.size / minBytesPerElement);
  let next = segment.start;
  for (let count = 0; next < file.size; count++) {
    if (count > limit) return 'too many elements';
    const bytes = file.read(next, elementBytes);
    const element = parseElement(bytes, next);
    if (element === undefined) return 'unknown data between elements';
    const parent = findParent(root, open, element, next);
    if (typeof parent === 'string') return parent;
    const objection = objectionToPlace(parent, element) ?? take(element, parent.id);
    if (objection !== undefined) return objection;
    const isParent = parents.has(element.id);
    if (isParent) open.push(openElement(element, parent.end));
    next = isParent ? element.start : element.start + (element.length ?? 0);
  }
  return undefined;
}

function openElement({ id, start, length }: Element, parentEnd: number): Open {
  return { id, end: length === undefined ? parentEnd : start + length, isOpenEnded: length === undefined };
}

/** Closes the elements that end here. An element that only the segment can contain also closes an open-ended cluster. */
function findParent(root: Open, open: Open[], element: Element, position: number): Open | string {
  const isInSegment = parents.get(element.id)?.includes(ids.segment) === true || element.id === ids.chapters;
  for (;;) {
    const parent = open.at(-1) ?? root;
    const isOver = parent.end === position || (parent.isOpenEnded && parent.id === ids.cluster && isInSegment);
    if (!isOver) return open.length === maxDepth ? 'elements nested too deep' : parent;
    open.pop();
  }
}

function objectionToPlace(parent: Open, element: Element): Objection | undefined {
  const { id, start, length } = element;
  if (start + (length ?? 0) > parent.end) return 'an element is longer than its parent';
  if (length === undefined && id !== ids.cluster) return 'an element without a length';
  const allowed = parents.get(id);
  if (allowed !== undefined) return allowed.includes(parent.id) ? undefined : 'an element in the wrong place';
  if (anywhere.has(id)) return undefined;
  if (parent.id === ids.segment && id === ids.attachments) return { rule: 'hidden-file' };
  if (parent.id === ids.segment) return id === ids.chapters ? undefined : 'an unknown element in the segment';
  if (parent.id === ids.cluster) return inCluster.has(id) ? undefined : 'an unknown element in a cluster';
  if (id === ids.simpleBlock) return 'an element in the wrong place';
  return id === ids.block && parent.id !== ids.blockGroup ? 'an element in the wrong place' : undefined;
}
