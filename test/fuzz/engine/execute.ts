// Runs one input and judges it: the promise of the target, and bounds on work, processor time and memory.
import { getHeapStatistics } from 'node:v8';
import {
  beginInput,
  branchHits,
  type Comparison,
  isOverworked,
  logComparisons,
  mostBranches,
  TooMuchWork,
} from './probes.ts';
import type { FuzzTarget, Verdict } from './target.ts';

export type Outcome = { readonly verdict: Verdict } | { readonly verdict: 'broken'; readonly error: Error };

/** Far above what any input of a few kilobytes needs, also on a busy machine. */
const mostMilliseconds = 400;
const mostAllocatedBytes = 48 * 2 ** 20;
const allocatedBytesPerByte = 1024;

/** The target took too long, or allocated too much, for an input of this size. */
export class OverBound extends Error {
  override readonly name = 'OverBound';
}

export function execute(target: FuzzTarget, input: Buffer): Outcome | Promise<Outcome> {
  beginInput(target.mostWork(input.length));
  try {
    const verdict = target.run(input);
    return typeof verdict === 'string' ? judged(verdict) : verdict.then(judged, broken);
  } catch (error) {
    return broken(error);
  }
}

/** A target may catch the error that ends its work, and go on. */
function judged(verdict: Verdict): Outcome {
  return isOverworked() ? broken(new TooMuchWork()) : { verdict };
}

function broken(error: unknown): Outcome {
  const given = error instanceof Error ? error : new Error(`thrown: ${String(error)}`);
  return { verdict: 'broken', error: isOverworked() ? new TooMuchWork() : given };
}

/** Slow inputs are run again: only the fastest of three runs counts, in processor time. */
export async function checkTime(target: FuzzTarget, input: Buffer, milliseconds: number): Promise<Outcome | undefined> {
  let fastest = milliseconds;
  for (let run = 0; run < 3 && fastest > mostMilliseconds; run++) {
    const before = process.cpuUsage();
    await execute(target, input);
    const { user, system } = process.cpuUsage(before);
    fastest = Math.min(fastest, (user + system) / 1000);
  }
  if (fastest <= mostMilliseconds) return undefined;
  return broken(new OverBound(`more than ${mostMilliseconds} ms of processor time`));
}

export async function checkMemory(target: FuzzTarget, input: Buffer): Promise<Outcome | undefined> {
  const before = getHeapStatistics().total_allocated_bytes;
  await execute(target, input);
  const allocated = getHeapStatistics().total_allocated_bytes - before;
  const most = mostAllocatedBytes + allocatedBytesPerByte * input.length;
  return allocated > most ? broken(new OverBound(`more than ${most} bytes allocated`)) : undefined;
}

export async function comparisonsOf(target: FuzzTarget, input: Buffer): Promise<Comparison[]> {
  const end = logComparisons();
  await execute(target, input);
  return end();
}

/** What is the same for two inputs that show the same fault: the error and where it was thrown, without numbers. */
export function signatureOf({ name, message, stack = '' }: Error): string {
  const [frame = ''] = stack.split('\n').filter((line) => /\/(src|node_modules|helpers\/fuzz\/targets)\//.test(line));
  const place = /([\w.-]+\.[cm]?[jt]s)[^/]*?:(\d+):\d+/.exec(frame);
  const text = message.replaceAll(/\d+/g, 'n').slice(0, 120);
  return `${name}: ${text}${place === null ? '' : ` (${place[1]}:${place[2]})`}`;
}

const buckets = [1, 2, 3, 4, 8, 16, 32, 128];
export const mostFeatures = mostBranches * buckets.length;

/** Every branch with the order of magnitude of its hits, as one number each. */
export function featuresNow(): number[] {
  const hits = branchHits();
  const features: number[] = [];
  for (let branch = 0; branch < hits.length; branch++) {
    const count = hits[branch] ?? 0;
    if (count > 0) features.push(branch * buckets.length + bucketOf(count));
  }
  return features;
}

export function branchOf(feature: number): number {
  return Math.floor(feature / buckets.length);
}

function bucketOf(count: number): number {
  let bucket = 0;
  while (bucket + 1 < buckets.length && count >= (buckets[bucket + 1] ?? 0)) bucket += 1;
  return bucket;
}
