// bench/history.jsonl: one line for each recorded run, so that a later one can be compared.
import { appendFileSync } from 'node:fs';
import type { Run } from './results.ts';

const file = new URL('history.jsonl', import.meta.url);

/** CPU µs a call, p99 in ms, calls per second, anonymous MiB afterwards. */
type HistoryLine = {
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly node: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly memory: Run['memory'];
  readonly peers: Record<string, Record<string, { us: number; p99: number; perSecond: number; anonymous: number }>>;
};

export function toHistoryLine({ date, commit, machine, node, rounds, seconds, memory, results }: Run): HistoryLine {
  const peers: HistoryLine['peers'] = {};
  for (const { peer, workload, summary } of results) {
    peers[peer] = {
      ...peers[peer],
      [workload]: {
        us: Math.round(summary.microseconds),
        p99: Number(summary.p99.toFixed(1)),
        perSecond: Number(summary.perSecond.toFixed(summary.perSecond < 100 ? 1 : 0)),
        anonymous: summary.anonymousMebibytes,
      },
    };
  }
  return { date, commit, machine, node, rounds, seconds, memory, peers };
}

export function record(run: Run): void {
  appendFileSync(file, `${JSON.stringify(toHistoryLine(run))}\n`);
}
