// The memory in which uploads arrive: a bounded number of slots that are used again, and that the threads of files see too.

/** A file of up to this size needs no temporary file. */
export const slotBytes = 2 ** 20;
/** Far more than removing metadata adds to a file. */
const spareBytes = 2 ** 16;
/** For all uploads of the process. */
export const mostSlots = 32;

/** `at` is its place in the shared memory. The last bytes are spare. */
export type Slot = { readonly at: number; readonly bytes: Buffer };

/** Reserved addresses only: a slot takes memory when it is first used. A growable buffer begins at a page, as `O_DIRECT` requires. */
export const slotMemory = new SharedArrayBuffer(0, { maxByteLength: mostSlots * (slotBytes + spareBytes) });

const free: Slot[] = [];

/** The slot that was used last is used first, so that the others stay out of memory. Undefined if all are taken. */
export function takeSlot(): Slot | undefined {
  return free.pop() ?? makeSlot();
}

export function giveBack(slot: Slot): void {
  free.push(slot);
}

function makeSlot(): Slot | undefined {
  const at = slotMemory.byteLength;
  if (at === slotMemory.maxByteLength) return undefined;
  slotMemory.grow(at + slotBytes + spareBytes);
  return { at, bytes: slotAt(slotMemory, at) };
}

export function slotAt(memory: SharedArrayBuffer, at: number): Buffer {
  return Buffer.from(memory, at, slotBytes + spareBytes);
}
