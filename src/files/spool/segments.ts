// The memory in which uploads arrive: a bounded number of segments that are used again, and that the threads of files see too.

/** A file of up to this size needs no temporary file. */
export const segmentBytes = 2 ** 20;
/** Far more than removing metadata adds to a file. */
const spareBytes = 2 ** 16;
/** For all uploads of the process. */
export const mostSegments = 32;

/** `at` is its place in the shared memory. The last bytes are spare. */
export type Segment = { readonly at: number; readonly bytes: Buffer };

/** Reserved addresses only: a segment takes memory when it is first used. A growable buffer begins at a page, as `O_DIRECT` requires. */
export const segmentMemory = new SharedArrayBuffer(0, { maxByteLength: mostSegments * (segmentBytes + spareBytes) });

const free: Segment[] = [];

/** The segment that was used last is used first, so that the others stay out of memory. Undefined if all are taken. */
export function takeSegment(): Segment | undefined {
  return free.pop() ?? makeSegment();
}

export function giveBack(segment: Segment): void {
  free.push(segment);
}

function makeSegment(): Segment | undefined {
  const at = segmentMemory.byteLength;
  if (at === segmentMemory.maxByteLength) return undefined;
  segmentMemory.grow(at + segmentBytes + spareBytes);
  return { at, bytes: segmentAt(segmentMemory, at) };
}

export function segmentAt(memory: SharedArrayBuffer, at: number): Buffer {
  return Buffer.from(memory, at, segmentBytes + spareBytes);
}
