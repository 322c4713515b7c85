// `npm run bench -- --against BASE`: what a call costs now and at another commit, measured by turns in the same minutes.
import { type GatehousePeer, startGatehouse } from '../load/gatehouse.ts';
import { measureOnce, prepare, warmUp } from '../load/measure.ts';
import type { Options } from '../options.ts';
import { toTable } from '../report.ts';
import { openBaseTree } from './base-tree.ts';
import { allowedIncrease, judge, judgeTwice, order, type Verdict } from './judge.ts';

const everyDay = [
  'live',
  'sessionCheck',
  'download4KiB',
  'refresh',
  'sendCode',
  'signInNew',
  'upload1MiB',
  'uploadText1MiB',
] as const;

type Sides = Record<'base' | 'now', GatehousePeer>;
type Times = Record<'base' | 'now', number[]>;
type Found = Map<string, Times>;

/** Returns the exit code. */
export async function compareWith(base: string, options: Options): Promise<number> {
  const tree = openBaseTree(base);
  const workloads = options.workloads.length > 0 ? options.workloads : everyDay;
  const measureAll = async (wanted: readonly string[], rounds: number): Promise<Found> => {
    const found: Found = new Map();
    // Each round has new processes: the compiler of V8 does not decide the same in every one.
    for (let round = 0; round < rounds; round++) {
      const sides: Sides = {
        base: await startGatehouse(tree.commit, {}, { root: tree.root }),
        now: await startGatehouse('now', {}, { flags: options.flags }),
      };
      try {
        for (const workload of wanted) await measureSides(sides, workload, round, options, found);
      } finally {
        await Promise.all([sides.base.stop(), sides.now.stop()]);
      }
    }
    return found;
  };
  try {
    const first = await measureAll(workloads, options.rounds);
    const doubtful = [...first].filter(([, times]) => judge(times).isOver).map(([workload]) => workload);
    if (doubtful.length > 0) console.error(`Over the limit, measured again: ${doubtful.join(', ')}`);
    const second = doubtful.length > 0 ? await measureAll(doubtful, options.rounds * 2) : new Map<string, Times>();
    return report(tree.commit, first, second, workloads);
  } finally {
    tree.remove();
  }
}

async function measureSides(
  sides: Sides,
  workload: string,
  round: number,
  { seconds, warmUpSeconds }: Options,
  found: Found,
): Promise<void> {
  const turns = order(round);
  const needed = warmUpSeconds + (turns.length / 2) * seconds;
  const callers = {
    now: await prepareSide(sides.now, workload, needed),
    // An older program may not know what the workload asks for.
    base: await prepareSide(sides.base, workload, needed).catch((error: Error) => {
      console.error(`  ${workload} is not possible at ${sides.base.name}: ${error.message.slice(0, 200)}`);
      return undefined;
    }),
  };
  if (callers.now === undefined) throw new Error(`there is no workload ${workload}`);
  if (callers.base === undefined) return;
  const times = found.get(workload) ?? { base: [], now: [] };
  found.set(workload, times);
  for (const side of ['base', 'now'] as const) await warmUp(sides[side], callers[side] ?? [], warmUpSeconds);
  for (const side of turns) {
    const { microseconds } = await measureOnce(sides[side], callers[side] ?? [], seconds);
    times[side].push(microseconds);
  }
  const show = (list: readonly number[]) => list.slice(-2).map(Math.round).join(' ');
  console.error(`  ${workload}: ${show(times.base)} → ${show(times.now)} µs`);
}

async function prepareSide(peer: GatehousePeer, workload: string, seconds: number) {
  const callers = await prepare(peer, workload, seconds);
  // One call of each shows whether the program can do it.
  await warmUp(peer, callers ?? [], 0.05);
  return callers;
}

function report(commit: string, first: Found, second: Found, wanted: readonly string[]): number {
  const verdicts = new Map<string, Verdict>();
  for (const [workload, times] of first) verdicts.set(workload, judgeTwice(times, second.get(workload)));
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
  const rows = [...verdicts].map(([workload, { base, now, change, spread, isOver }]) => [
    workload,
    base.toFixed(0),
    now.toFixed(0),
    `${change > 0 ? '+' : ''}${percent(change)}`,
    `± ${percent(spread)}`,
    `${second.has(workload) ? 'measured again: ' : ''}${isOver ? '✖' : '✔'}`,
  ]);
  console.log(toTable(['CPU µs a call', `at ${commit}`, 'now', 'change', 'spread', ''], rows));
  const over = [...verdicts].filter(([, { isOver }]) => isOver).map(([workload]) => workload);
  const missing = wanted.filter((workload) => !verdicts.has(workload));
  if (missing.length > 0) console.log(`\nNot compared: ${missing.join(', ')}`);
  if (over.length === 0) return 0;
  console.log(`\nMore than ${percent(allowedIncrease)} more expensive than at ${commit}: ${over.join(', ')}`);
  return 1;
}
