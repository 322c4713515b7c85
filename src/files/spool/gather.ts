// Gathers the chunks of an upload in a slot, so that the disk gets few large pieces instead of many small ones.
import { giveBack, type Slot, slotBytes, takeSlot } from './slots.ts';

/** A slow client gains nothing, and others need its slot. */
const mostMilliseconds = 1000;

type Gathered = {
  /** How many bytes are in memory. */
  readonly length: number;
  /** The slot with all bytes so far. Undefined if there are none, or some were written. */
  readonly whole: Slot | undefined;
  /** Undefined if nothing must be waited for: the chunk is in memory, and can be used again by the caller. */
  write(chunk: Buffer): Promise<void> | undefined;
  /** Writes what is in memory. */
  flush(): Promise<void>;
  /** Must be called. Forgets what was not written. */
  end(): void;
};

export type GatherOptions = {
  /** May give up waiting for a write, which then goes on. */
  readonly inTime?: (writing: Promise<void>) => Promise<void>;
  readonly now?: () => number;
  /** For a file that does not fit into a slot anyway: pieces that leave half of the slot out of memory. */
  readonly isLarge?: boolean;
};

/** The bytes that `write` gets are valid until it resolves. Without a free slot, it gets each chunk at once. */
export function createGathered(
  write: (bytes: Buffer) => Promise<void>,
  { inTime = (writing) => writing, now = () => performance.now(), isLarge = false }: GatherOptions = {},
): Gathered {
  const most = isLarge ? slotBytes / 2 : slotBytes;
  let slot: Slot | undefined;
  let length = 0;
  let since = 0;
  let [isWhole, isEnded] = [true, false];

  const leave = () => {
    if (slot !== undefined) giveBack(slot);
    slot = undefined;
    length = 0;
  };

  async function flush(): Promise<void> {
    if (slot === undefined || length === 0) return;
    isWhole = false;
    const full = slot;
    slot = undefined;
    const writing = write(full.bytes.subarray(0, length));
    try {
      await inTime(writing);
    } catch (error) {
      const settled = () => giveBack(full);
      // A write that took too long still reads from the slot.
      writing.then(settled, settled);
      throw error;
    }
    slot = full;
    length = 0;
    if (isEnded) leave();
  }

  function copy(bytes: Buffer, to: Slot): void {
    if (length === 0) since = now();
    // Not `set`, which copies shared memory byte by byte.
    bytes.copy(to.bytes, length);
    length += bytes.length;
  }

  async function fill(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length && slot !== undefined; ) {
      const piece = chunk.subarray(at, at + most - length);
      copy(piece, slot);
      at += piece.length;
      if (at < chunk.length) await flush();
    }
  }

  return {
    get length() {
      return length;
    },
    get whole() {
      return isWhole ? slot : undefined;
    },
    write: (chunk) => {
      slot ??= takeSlot();
      if (slot === undefined) {
        isWhole = false;
        return inTime(write(chunk));
      }
      if (length + chunk.length > most) return fill(chunk);
      copy(chunk, slot);
      return now() - since >= mostMilliseconds ? flush().then(leave) : undefined;
    },
    flush,
    end: () => {
      isEnded = true;
      leave();
    },
  };
}
