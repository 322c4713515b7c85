// Gathers the chunks of an upload in a buffer that is used again, so that the disk gets few large pieces instead of many small ones.
import { noteReadBytes } from '../kernel/young-garbage.ts';

const bufferBytes = 512 * 1024;
/** For all uploads of the process. Without a buffer, each chunk goes to the disk at once. */
const mostBuffers = 32;
/** Buffers that wait for an upload. The others are given back to the system. */
const mostFree = 8;
/** A slow client gains nothing, and its spool must not look abandoned. */
const mostMilliseconds = 1000;

const free: Buffer[] = [];
let used = 0;

export type Gathered = {
  /** Undefined if nothing must be waited for: the chunk is in memory, and can be used again by the caller. */
  write(chunk: Buffer): Promise<void> | undefined;
  /** Writes what is in memory. */
  flush(): Promise<void>;
  /** Must be called. Forgets what was not written. */
  end(): void;
};

/** The bytes that `write` gets are valid until it resolves. */
export function createGathered(
  write: (bytes: Buffer) => Promise<void>,
  now: () => number = () => performance.now(),
): Gathered {
  let buffer: Buffer | undefined;
  let length = 0;
  let since = 0;

  const end = () => {
    if (buffer !== undefined) giveBack(buffer);
    buffer = undefined;
    length = 0;
  };

  async function flush(): Promise<void> {
    if (buffer === undefined || length === 0) return;
    const full = buffer;
    buffer = undefined;
    try {
      await write(full.subarray(0, length));
    } catch (error) {
      // A write that took too long may still read from the buffer.
      used -= 1;
      throw error;
    }
    buffer = full;
    length = 0;
  }

  function copy(bytes: Buffer, to: Buffer): void {
    if (length === 0) since = now();
    to.set(bytes, length);
    length += bytes.length;
    noteReadBytes(bytes.length);
  }

  async function fill(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length && buffer !== undefined; ) {
      const piece = chunk.subarray(at, at + bufferBytes - length);
      copy(piece, buffer);
      at += piece.length;
      if (length === bufferBytes) await flush();
    }
  }

  return {
    write: (chunk) => {
      buffer ??= takeBuffer();
      if (buffer === undefined) return write(chunk);
      if (length + chunk.length >= bufferBytes) return fill(chunk);
      copy(chunk, buffer);
      return now() - since >= mostMilliseconds ? flush() : undefined;
    },
    flush,
    end,
  };
}

function takeBuffer(): Buffer | undefined {
  if (used === mostBuffers) return undefined;
  used += 1;
  return free.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);
}

function giveBack(buffer: Buffer): void {
  used -= 1;
  if (free.length < mostFree) free.push(buffer);
}
