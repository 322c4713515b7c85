// Measures a workload of a peer: warms it up, waits until it rests, then counts calls, waiting times and processor time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Peer } from '../peers/peer.ts';
import { median } from '../statistics.ts';
import { type Caller, drive, type Figures } from './drive.ts';
import { type Memory, memoryOf, processorMicroseconds, readThreads, type ThreadTimes } from './processor.ts';

type Window = { readonly seconds: number; readonly warmUpSeconds: number };

export type Sample = Figures &
  Memory & {
    /** Processor time of all threads and processes of the peer, for one call. */
    readonly microseconds: number;
    readonly threads: ThreadTimes;
  };

const connections = 32;
/** Few connections for large files, so that the transfer is measured and not the queue. */
const largeConnections = 2;

/** The callers of a workload, with enough to do for that many seconds. Undefined if the peer does not have it. */
export async function prepare(peer: Peer, workload: string, seconds: number): Promise<Caller[] | undefined> {
  const isLarge = /(?:50|100)MiB$/.test(workload);
  return peer.workloads[workload]?.(isLarge ? largeConnections : connections, seconds);
}

export async function measure(peer: Peer, workload: string, window: Window): Promise<Sample | undefined> {
  const callers = await prepare(peer, workload, window.seconds + window.warmUpSeconds);
  if (callers === undefined) return undefined;
  await warmUp(peer, callers, window.warmUpSeconds);
  return measureOnce(peer, callers, window.seconds);
}

export async function warmUp(peer: Peer, callers: readonly Caller[], seconds: number): Promise<void> {
  if (seconds > 0) await drive({ ...addressOf(peer), callers, seconds });
}

/** Work that calls leave behind, such as a message that is not delivered yet, is waited for and counted. */
export async function measureOnce(peer: Peer, callers: readonly Caller[], seconds: number): Promise<Sample> {
  const pids = [peer.pid, ...(peer.otherPids ?? [])];
  await untilIdle(pids);
  const [before, threadsBefore] = [processorMicroseconds(pids), readThreads(pids, peer.threadNames)];
  const figures = await drive({ ...addressOf(peer), callers, seconds });
  await untilIdle(pids);
  const calls = figures.requests;
  const total = (processorMicroseconds(pids) - before) / calls;
  const threads: Record<string, number> = {};
  for (const [thread, { kind, time }] of readThreads(pids, peer.threadNames)) {
    threads[kind] = (threads[kind] ?? 0) + (time - (threadsBefore.get(thread)?.time ?? 0)) / calls;
  }
  return { ...figures, ...memoryOf(pids), microseconds: total, threads };
}

function addressOf({ url }: Peer): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

const idleStep = { milliseconds: 100, microseconds: 10_000, most: 50 } as const;

/** At most five seconds: a peer may have work of its own. */
async function untilIdle(pids: readonly number[]): Promise<void> {
  let last = processorMicroseconds(pids);
  for (let step = 0; step < idleStep.most; step++) {
    await sleep(idleStep.milliseconds);
    const now = processorMicroseconds(pids);
    if (!(now - last > idleStep.microseconds)) return;
    last = now;
  }
}

export type Summary = Sample & {
  /** The cheapest and the dearest repetition. */
  readonly range: readonly [least: number, most: number];
  readonly repetitions: number;
};

/** The median of every figure. */
export function summarise(samples: readonly Sample[]): Summary {
  const middle = (read: (sample: Sample) => number) => median(samples.map(read));
  const costs = samples.map(({ microseconds }) => microseconds);
  const kinds = new Set(samples.flatMap(({ threads }) => Object.keys(threads)));
  return {
    requests: middle(({ requests }) => requests),
    seconds: middle(({ seconds }) => seconds),
    perSecond: middle(({ perSecond }) => perSecond),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    bytes: middle(({ bytes }) => bytes),
    anonymousMebibytes: middle(({ anonymousMebibytes }) => anonymousMebibytes),
    residentMebibytes: middle(({ residentMebibytes }) => residentMebibytes),
    microseconds: median(costs),
    threads: Object.fromEntries([...kinds].map((kind) => [kind, middle(({ threads }) => threads[kind] ?? 0)])),
    range: [Math.min(...costs), Math.max(...costs)],
    repetitions: samples.length,
  };
}
