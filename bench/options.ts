// The options of `npm run bench`, and its help.
import { parseArgs } from 'node:util';

export const help = `npm run bench -- [options] [workload …]

Measures Gatehouse and its peers on this machine: processor time for one call over all threads and processes, calls per
second, waiting times and memory. Without workloads all are measured. The tables are printed as in docs/evidence/performance.md.

  --peer NAME        only peers whose name contains NAME; may be repeated
  --rounds N         repetitions of the whole list, each with new processes (3; with --against 2)
  --seconds N        counted seconds of each workload (BENCH_SECONDS, or 2; with --against 1)
  --warm-up N        seconds before them that are not counted (10; with --against 1)
  --record           adds the run to bench/history.jsonl
  --write            puts the tables into docs/evidence/performance.md
  --from FILE        measures nothing, and prints the tables of a run that was saved
  --against BASE     compares the sources here with those of a commit or tag, and exits with 1 if a workload costs more than
                     10 % more; without workloads: those of every day
  --with-flags=TEXT  with --against: starts the sources here with these flags of Node as well
  --list             names the peers and their workloads
  --help             prints this

Examples:
  npm run bench -- refresh signInNew --peer SQLite --peer floor
  npm run bench -- --against HEAD~1 refresh
  npm run bench -- --against HEAD --with-flags="--max-semi-space-size=16"
`;

export type Options = {
  readonly workloads: readonly string[];
  readonly peers: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly against: string | undefined;
  readonly flags: readonly string[];
  readonly from: string | undefined;
  readonly isRecorded: boolean;
  readonly isWritten: boolean;
  readonly wantsList: boolean;
  readonly wantsHelp: boolean;
};

/** Throws an error that says what is wrong. */
export function readOptions(args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      peer: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'warm-up': { type: 'string' },
      record: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      from: { type: 'string' },
      against: { type: 'string' },
      'with-flags': { type: 'string', default: '' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const isComparison = values.against !== undefined;
  return {
    workloads: positionals,
    peers: values.peer,
    rounds: toNumber('rounds', values.rounds, isComparison ? 2 : 3),
    seconds: toNumber('seconds', values.seconds ?? env.BENCH_SECONDS, isComparison ? 1 : 2),
    // V8 compiles for some seconds after a start, so the first calls cost up to a fifth more.
    warmUpSeconds: toNumber('warm-up', values['warm-up'], isComparison ? 1 : 10),
    against: values.against,
    flags: values['with-flags'].split(' ').filter((word) => word !== ''),
    from: values.from,
    isRecorded: values.record,
    isWritten: values.write,
    wantsList: values.list,
    wantsHelp: values.help,
  };
}

function toNumber(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} needs a number above 0, not “${text}”`);
  return number;
}
