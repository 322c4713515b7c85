// The tables of a run, in the form in which docs/evidence/performance.md and bench/measured.md have them.
import { readFileSync, writeFileSync } from 'node:fs';
import { type CostGoal, costGoals, goals, memoryGoal, postgres, sqlite, twoWorkers, waitingGoal } from './goals.ts';
import type { Memory } from './load/processor.ts';
import { find, type Run } from './results.ts';

const documents = [
  new URL('../docs/evidence/performance.md', import.meta.url),
  new URL('measured.md', import.meta.url),
];
const threadKinds = ['main', 'store', 'delivery', 'files', 'libuv', 'V8'] as const;

type Table = { readonly name: string; readonly title: string; readonly text: string };

/** Tables without a row are left out. */
export function tables(run: Run): Table[] {
  const all: Table[] = [
    { name: 'cost', title: 'CPU µs a call beside the floor', text: costTable(run) },
    { name: 'threads', title: 'CPU µs a call by thread, Gatehouse on SQLite', text: threadTable(run) },
    { name: 'peers', title: 'Every peer and workload', text: peerTable(run) },
    { name: 'ratios', title: 'Beside the peers', text: ratioTable(run) },
    { name: 'waiting', title: 'p99 at 32 connections, ms', text: waitingTable(run) },
    { name: 'memory', title: 'Memory of Gatehouse on SQLite', text: memoryTable(run) },
    { name: 'rest', title: 'The run', text: restTable(run) },
  ];
  return all.filter(({ text }) => text.split('\n').length > 2);
}

/** Puts each table into the document that has its place. */
export function writeTables(list: readonly Pick<Table, 'name' | 'text'>[]): void {
  for (const table of list) {
    const document = documents.find((one) => hasPlace(readFileSync(one, 'utf8'), table.name));
    if (document === undefined) throw new Error(`no document has a place for the table ${table.name}`);
    writeFileSync(document, replaceTable(readFileSync(document, 'utf8'), table));
  }
}

function hasPlace(page: string, name: string): boolean {
  return page.includes(`<!-- bench ${name} -->`);
}

/** Replaces the table between its two comments. Throws if the document does not have them. */
export function replaceTable(page: string, { name, text }: Pick<Table, 'name' | 'text'>): string {
  const place = new RegExp(`(<!-- bench ${name} -->\n\n)[^]*?(\n\n<!-- end -->)`);
  if (!place.test(page)) throw new Error(`the document has no place for the table ${name}`);
  return page.replace(place, (_, begin: string, end: string) => begin + text + end);
}

function costTable(run: Run): string {
  const rows = costGoals.flatMap((goal) => {
    const ours = find(run, sqlite, goal.workload);
    if (ours === undefined) return [];
    const floor = goal.floor === undefined ? undefined : find(run, 'floor', goal.floor)?.microseconds;
    const most = mostOf(goal, floor);
    const isReached = most === undefined ? '' : ours.microseconds <= most ? ' ✔' : ' ✖';
    const text = 'timesFloor' in goal.most ? `${goal.most.timesFloor} × floor` : whole(goal.most.microseconds);
    return [
      [
        goal.work,
        whole(ours.microseconds),
        ours.range.map(whole).join(' to '),
        whole(goal.before),
        floor === undefined ? '' : whole(floor),
        floor === undefined ? '' : (ours.microseconds / floor).toFixed(2),
        `≤ ${text}${isReached}`,
      ],
    ];
  });
  return toTable(['µs a call', 'now', 'range', 'then', 'floor', 'now / floor', 'goal'], rows);
}

function mostOf({ most }: CostGoal, floor: number | undefined): number | undefined {
  if ('microseconds' in most) return most.microseconds;
  return floor === undefined ? undefined : floor * most.timesFloor;
}

/** What the threads of now do not explain was done by threads that have ended. */
function threadTable(run: Run): string {
  const rows = run.results
    .filter(({ peer }) => peer === sqlite)
    .map(({ workload, summary: { microseconds, threads } }) => {
      const named = threadKinds.map((kind) => threads[kind] ?? 0);
      const rest = microseconds - named.reduce((sum, time) => sum + time, 0);
      return [workload, ...[microseconds, ...named, Math.max(0, rest)].map((time) => whole(time))];
    });
  return toTable(['µs a call', 'all', ...threadKinds, 'other'], rows);
}

function peerTable(run: Run): string {
  const rows = run.results.map(({ peer, workload, summary }) => {
    const { microseconds, range, perSecond, p50, p99, bytes, seconds } = summary;
    const rate = workload.includes('load') ? workloadBytes(workload) * perSecond : bytes / seconds;
    return [
      peer,
      workload,
      whole(microseconds),
      range.map(whole).join(' to '),
      perSecond < 100 ? perSecond.toFixed(1) : whole(perSecond),
      p50.toFixed(1),
      p99.toFixed(1),
      whole(rate / 2 ** 20),
    ];
  });
  return toTable(['', 'workload', 'CPU µs a call', 'range', 'per second', 'p50 ms', 'p99 ms', 'MiB/s'], rows);
}

function workloadBytes(workload: string): number {
  const [, count = '0', unit] = /(\d+)(KiB|MiB)/.exec(workload) ?? [];
  return Number(count) * (unit === 'MiB' ? 2 ** 20 : 1024);
}

function ratioTable(run: Run): string {
  const rows = goals.flatMap(({ text, ours, theirs, atLeast }) => {
    const [mine, other] = [find(run, ...ours), find(run, ...theirs)];
    if (mine === undefined || other === undefined) return [];
    const ratio = mine.perSecond / other.perSecond;
    return [
      [
        text,
        whole(mine.microseconds),
        whole(other.microseconds),
        (other.microseconds / mine.microseconds).toFixed(2),
        ratio.toFixed(2),
        `${atLeast} ${ratio >= atLeast ? '✔' : '✖'}`,
      ],
    ];
  });
  return toTable(
    ['', 'our CPU µs', 'theirs', 'CPU, theirs / ours', 'calls per second, ours / theirs', 'goal of these'],
    rows,
  );
}

function waitingTable(run: Run): string {
  const rows = [sqlite, postgres, twoWorkers].flatMap((peer) => {
    const found = waitingGoal.workloads.map((workload) => find(run, peer, workload)?.p99);
    if (found.every((p99) => p99 === undefined)) return [];
    const cells = found.map((p99) =>
      p99 === undefined ? '' : `${p99.toFixed(1)} ${p99 <= waitingGoal.p99 ? '✔' : '✖'}`,
    );
    return [[peer, ...cells, `≤ ${waitingGoal.p99}`]];
  });
  return toTable(['p99, ms', ...waitingGoal.workloads, 'goal'], rows);
}

function memoryTable(run: Run): string {
  const row = (when: string, memory: Memory, goal = '') => [
    when,
    whole(memory.anonymousMebibytes),
    whole(memory.residentMebibytes),
    goal,
  ];
  const { start, end } = run.memory;
  const isReached = (end?.anonymousMebibytes ?? 0) <= memoryGoal.mebibytes ? '✔' : '✖';
  return toTable(
    ['MiB after', 'anonymous', 'resident', 'goal, anonymous'],
    [
      ...(start === undefined ? [] : [row('the start', start)]),
      ...run.results
        .filter(({ peer }) => peer === sqlite)
        .map(({ workload, summary }) => row(`… ${workload}`, summary)),
      ...(end === undefined ? [] : [row('all, and 3 s of rest', end, `≤ ${memoryGoal.mebibytes} ${isReached}`)]),
    ],
  );
}

function restTable(run: Run): string {
  const pairs = (record: Readonly<Record<string, number>>) =>
    Object.entries(record)
      .map(([name, value]) => `${name} ${whole(value)}`)
      .join(', ');
  const { machine, node, commit, date, rounds, seconds, starts, loopDelay, commits, installed } = run;
  return toTable(
    ['', ''],
    [
      ['machine', `${machine}, Node ${node}`],
      ['commit, date', `${commit}, ${date.slice(0, 10)}`],
      ['repetitions', `${rounds}, each with ${seconds} counted seconds after a warm-up`],
      ['ready after the start of the process, ms', pairs(starts)],
      ['event loop delay under refreshes and uploads, p99, ms', loopDelay?.toFixed(1) ?? ''],
      ['bare durable commits per second', pairs(commits)],
      ['installed, MiB', pairs(installed)],
    ].filter(([, value]) => value !== ''),
  );
}

/** With thousands separated. */
function whole(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en') : '';
}

export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll('  ', ' ');
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
