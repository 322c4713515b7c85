// Reads a file for a proof: caches small reads, and limits the total work to a budget linear in the file size.
import type { FileBytes } from './media-type.ts';

/** The unit of work is a byte read from the file. Each call of `read` adds this much, cached or not. */
const workPerRead = 16;
const freeWork = 4 * 2 ** 20;
const workPerByte = 16;
const smallestWindow = 4 * 1024;
const largestWindow = 64 * 1024;

type Window = { readonly start: number; readonly bytes: Buffer };

/** The file causes more work than any valid file of its size. */
class OverBudget extends Error {
  constructor() {
    super('more work than a file of this size may cause');
    this.name = 'OverBudget';
  }
}

/** Reads throw OverBudget. Returned buffers stay valid, because no buffer is reused. */
export function readWithinBudget(file: FileBytes): FileBytes {
  const { size } = file;
  let work = freeWork + workPerByte * size;
  // Two windows, because provers often alternate between a table and the data that it lists.
  let recent: Window = { start: 0, bytes: Buffer.alloc(0) };
  let other = recent;

  function spend(amount: number): void {
    work -= amount;
    if (work < 0) throw new OverBudget();
  }

  function holds({ start, bytes }: Window, position: number, length: number): boolean {
    return position >= start && Math.min(position + length, size) <= start + bytes.length;
  }

  /** Sequential reads get larger windows. A jump gets the smallest window. */
  function load(position: number, length: number): void {
    const isNext = (window: Window) =>
      position >= window.start && position <= window.start + window.bytes.length + smallestWindow;
    if (!isNext(recent)) [recent, other] = [other, recent];
    const windowBytes = isNext(recent) ? Math.min(largestWindow, 4 * recent.bytes.length) : 0;
    const bytes = file.read(position, Math.max(length, windowBytes, smallestWindow));
    spend(bytes.length);
    recent = { start: position, bytes };
  }

  function read(position: number, length: number): Buffer {
    spend(workPerRead);
    if (!holds(recent, position, length)) {
      if (holds(other, position, length)) [recent, other] = [other, recent];
      else load(position, length);
    }
    return recent.bytes.subarray(position - recent.start, position - recent.start + length);
  }

  return { size, read };
}
