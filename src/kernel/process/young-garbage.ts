// Frees the chunks of bodies that nobody uses any more.
import { type Collect, findCollector } from './collector.ts';

/**
 * A chunk of 64 KiB is a small object for V8, so a large body fills memory before V8 looks at its young objects. It then collects the
 * whole heap, which costs fifty times as much: an upload of 100 MiB then costs 6 % more, and 20 to 28 MiB stay after it (bench/tried.md).
 */
const mostGarbageBytes = 8 * 1024 ** 2;

let garbageBytes = 0;
let collect: Collect | undefined;

/** Frees the memory of a chunk that nobody uses any more, if nothing else is in it. The chunk then has no bytes. */
export function freeChunk({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}

/** Takes the number of bytes that were read and that `freeChunk` will not free. */
export function noteReadBytes(bytes: number): void {
  garbageBytes += bytes;
  if (garbageBytes < mostGarbageBytes) return;
  garbageBytes = 0;
  collect ??= findCollector();
  collect?.({ type: 'minor' });
}
