// A reader that keeps one piece of the file at hand, so that small reads are cheap and the event loop turns between pieces.
import { setImmediate } from 'node:timers/promises';
import type { ByteReader } from '../media-type.ts';

const readsBeforePause = 1024;

export type PieceReader = ByteReader & {
  /** Without waiting: undefined when the bytes are not at hand, and now and then to make the caller wait for a turn of the event loop. */
  peek(position: number, length: number): Buffer | undefined;
};

/** Keeps one piece of the file in memory for small reads, and lets the event loop turn between pieces. */
export function readAhead(file: ByteReader, pieceBytes = 65_536): PieceReader {
  let piece: Buffer = Buffer.alloc(0);
  let start = 0;
  let reads = 0;

  function isAtHand(position: number, length: number): boolean {
    return position >= start && Math.min(position + length, file.size) <= start + piece.length;
  }

  function peek(position: number, length: number): Buffer | undefined {
    if (reads === readsBeforePause || !isAtHand(position, length)) return undefined;
    reads += 1;
    return piece.subarray(position - start, position - start + length);
  }

  async function read(position: number, length: number): Promise<Buffer> {
    const found = peek(position, length);
    if (found !== undefined) return found;
    // What is answered from memory never leaves the microtask queue: the event loop turns only here.
    await setImmediate();
    reads = 0;
    if (!isAtHand(position, length)) {
      piece = await file.read(position, Math.max(length, pieceBytes));
      start = position;
    }
    return piece.subarray(position - start, position - start + length);
  }

  return { size: file.size, peek, read };
}
