// Entry of the process that makes variants. A decoder that crashes ends only this process, and no setting of the service is in it.
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { VariantOrder } from '../../files/variants/variant-maker.ts';
import { type Ability, abilityOf, loadSharp, resizePicture } from './resize-picture.ts';

export type ResizerOrder = VariantOrder & { readonly path: string };

/**
 * First `ready`, then one message for each order. After `memory` the process ends. `isWorn`: it keeps so much memory of the last
 * picture that the next one needs another process.
 */
export type ResizerMessage =
  | { readonly kind: 'ready'; readonly ability: Ability | undefined }
  | { readonly kind: 'made'; readonly bytes: Uint8Array; readonly isWorn: boolean }
  | { readonly kind: 'failed'; readonly reason: string; readonly isWorn: boolean }
  | { readonly kind: 'memory' };

/** Enough for 50 megapixels of JPEG, PNG or WebP, and about 20 of AVIF. See docs/evidence/performance.md. */
const mostMemory = 512 * 2 ** 20;
const wornMemory = 160 * 2 ** 20;
const checkMemoryMilliseconds = 20;
/** On a busy machine, the processes that answer requests go first. */
const niceness = 10;

function send(message: ResizerMessage, done: () => void = () => undefined): void {
  process.send?.(message, done);
}

/** A decoder that runs in another thread does not let the process exit normally. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

function isWorn(): boolean {
  return process.memoryUsage.rss() > wornMemory;
}

function yieldToOthers(): void {
  const steps = [
    () => setPriority(niceness),
    // If memory is short, Linux ends this process first.
    () => process.platform === 'linux' && writeFileSync('/proc/self/oom_score_adj', '1000'),
  ];
  for (const step of steps) {
    try {
      step();
    } catch {
      // Not permitted: the process is like any other.
    }
  }
}

yieldToOthers();
process.on('disconnect', end);
// Ctrl-C reaches every process of a terminal. The service ends this one when it needs it no longer.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
const sharp = await loadSharp();
process.on('message', (order: ResizerOrder) => {
  if (sharp === undefined) return send({ kind: 'failed', reason: 'sharp is not installed', isWorn: false });
  // Sharp works in other threads, so the timer runs during its work.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > mostMemory) send({ kind: 'memory' }, end);
  }, checkMemoryMilliseconds);
  return void resizePicture(sharp, order.path, order)
    .then(
      (bytes) => send({ kind: 'made', bytes, isWorn: isWorn() }),
      (error: unknown) =>
        send({ kind: 'failed', reason: error instanceof Error ? error.message : String(error), isWorn: isWorn() }),
    )
    .finally(() => clearInterval(watch));
});
send({ kind: 'ready', ability: sharp === undefined ? undefined : abilityOf(sharp) });
