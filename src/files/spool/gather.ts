// Gathers the chunks of an upload in a segment, so that the disk gets few large pieces instead of many small ones.
import { giveBack, type Segment, segmentBytes, takeSegment } from './segments.ts';

/** A slow client gains nothing, and others need its segment. */
const mostMilliseconds = 1000;

type Gathered = {
  /** How many bytes are in memory. */
  readonly length: number;
  /** The segment with all bytes so far. Undefined if there are none, or some were written. */
  readonly whole: Segment | undefined;
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
  /** For a file that does not fit into a segment anyway: pieces that leave half of the segment out of memory. */
  readonly isLarge?: boolean;
};

/** The bytes that `write` gets are valid until it resolves. Without a free segment, it gets each chunk at once. */
export function createGathered(
  write: (bytes: Buffer) => Promise<void>,
  { inTime = (writing) => writing, now = () => performance.now(), isLarge = false }: GatherOptions = {},
): Gathered {
  const most = isLarge ? segmentBytes / 2 : segmentBytes;
  let segment: Segment | undefined;
  let length = 0;
  let since = 0;
  let [isWhole, isEnded] = [true, false];

  const leave = () => {
    if (segment !== undefined) giveBack(segment);
    segment = undefined;
    length = 0;
  };

  async function flush(): Promise<void> {
    if (segment === undefined || length === 0) return;
    isWhole = false;
    const full = segment;
    segment = undefined;
    const writing = write(full.bytes.subarray(0, length));
    try {
      await inTime(writing);
    } catch (error) {
      const settled = () => giveBack(full);
      // A write that took too long still reads from the segment.
      writing.then(settled, settled);
      throw error;
    }
    segment = full;
    length = 0;
    if (isEnded) leave();
  }

  function copy(bytes: Buffer, to: Segment): void {
    if (length === 0) since = now();
    // Not `set`, which copies shared memory byte by byte.
    bytes.copy(to.bytes, length);
    length += bytes.length;
  }

  async function fill(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length && segment !== undefined; ) {
      const piece = chunk.subarray(at, at + most - length);
      copy(piece, segment);
      at += piece.length;
      if (at < chunk.length) await flush();
    }
  }

  return {
    get length() {
      return length;
    },
    get whole() {
      return isWhole ? segment : undefined;
    },
    write: (chunk) => {
      segment ??= takeSegment();
      if (segment === undefined) {
        isWhole = false;
        return inTime(write(chunk));
      }
      if (length + chunk.length > most) return fill(chunk);
      copy(chunk, segment);
      return now() - since >= mostMilliseconds ? flush().then(leave) : undefined;
    },
    flush,
    end: () => {
      isEnded = true;
      leave();
    },
  };
}
