// The results of a run: what was measured for each peer and workload, on which machine, and of which commit.
import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import type { Sample } from './load/measure.ts';
import { type Summary, summarise } from './load/measure.ts';
import type { Memory } from './load/processor.ts';

type Result = { readonly peer: string; readonly workload: string; readonly summary: Summary };

export type Run = {
  readonly date: string;
  /** Ends with “+” if the sources had changed since. */
  readonly commit: string;
  readonly machine: string;
  readonly node: string;
  readonly seconds: number;
  readonly rounds: number;
  readonly results: readonly Result[];
  /** Of the service on SQLite: after the start, and three seconds after the last workload. */
  readonly memory: { readonly start?: Memory; readonly end?: Memory };
  /** Milliseconds from the start of a process until it is ready. */
  readonly starts: Readonly<Record<string, number>>;
  readonly loopDelay: number | null;
  /** Of a bare store, per second. */
  readonly commits: Readonly<Record<string, number>>;
  readonly installed: Readonly<Record<string, number>>;
};

export type Samples = Map<string, Map<string, Sample[]>>;

export function addSample(samples: Samples, peer: string, workload: string, sample: Sample): void {
  const ofPeer = samples.get(peer) ?? new Map<string, Sample[]>();
  samples.set(peer, ofPeer);
  ofPeer.set(workload, [...(ofPeer.get(workload) ?? []), sample]);
}

export function toResults(samples: Samples): Result[] {
  return [...samples].flatMap(([peer, workloads]) =>
    [...workloads].map(([workload, list]) => ({ peer, workload, summary: summarise(list) })),
  );
}

export function find({ results }: Run, peer: string, workload: string): Summary | undefined {
  return results.find((result) => result.peer === peer && result.workload === workload)?.summary;
}

export function describeMachine(): string {
  return `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
}

export function describeCommit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
    return git('rev-parse', '--short=9', 'HEAD') + (git('status', '--porcelain', '-uno') === '' ? '' : '+');
  } catch {
    return 'unknown';
  }
}
