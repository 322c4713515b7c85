// Gives memory back to the system that a long command no longer needs. The engine itself waits until its heap is many times larger:
// an import of 100,000 users takes 141 MiB instead of 276 with this and small heaps of threads (bench/measured.md, “Import”).
import { type Collect, findCollector } from './collector.ts';

let collect: Collect | undefined;

/** Takes 10 to 50 ms for a heap of 20 MiB: call it every few seconds, never in a service. */
export function releaseMemory(): void {
  collect ??= findCollector();
  // Any other flavor keeps the space for new objects as large as it has grown.
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
