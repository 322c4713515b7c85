// Game days: breaks every part of an installation under load, one fault after the other, and prints what users noticed.
// npm run drills -- [--only=sms,s3/full] [--minutes=5] [--list]. It writes a line for each drill into docs/evidence/drills.md.
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../../scripts/build/ensure-built.js';
import { choose } from './choose.ts';
import { nameOf } from './drill.ts';
import { drills } from './drills.ts';
import { judgeDrill, missesDoubled, type Row } from './judge.ts';
import { keepTogether } from './keep-together.ts';
import { head, toLine, toSummary, writeLines } from './table.ts';
import { openUndo } from './undo.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, minutes: { type: 'string' }, list: { type: 'boolean', default: false } },
});
const times = {
  warmSeconds: 5,
  faultSeconds: values.minutes === undefined ? 14 : Number(values.minutes) * 60,
  afterSeconds: 12,
};
const chosen = choose(drills, values.only);
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim();
const conditions = `${availableParallelism()} cores of ${process.arch} carried everything: nodes, PostgreSQL, HAProxy, Prometheus, providers and load.`;

if (values.list) for (const drill of chosen) console.log(`${nameOf(drill)}: ${drill.how}`);
else await runAll();

async function runAll(): Promise<void> {
  // Each PostgreSQL that a run starts asks to be told of the end.
  process.setMaxListeners(0);
  const together = keepTogether();
  const cleaning = openUndo();
  let isStopped = false;
  const stop = (code: number) => {
    if (isStopped) return;
    isStopped = true;
    // The drill in progress loses its parts, and its errors mean nothing any more.
    void cleaning.runAll().finally(() => {
      together.end();
      process.exit(code);
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(130));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      if (!isStopped) console.error(error);
      stop(1);
    });
  // The services that start at the same time do not all build. The helpers read it when they are loaded.
  process.env.TEST_PROGRAM = await ensureBuilt();
  const { runGroups } = await import('./run-groups.ts');
  const rows: Row[] = [];
  const lines: string[] = [];
  console.log(head);
  try {
    await runGroups(chosen, times, cleaning, (seen, drill) => {
      if (isStopped) return false;
      if (seen instanceof Error) {
        console.error(`${nameOf(drill)} did not work:`, seen);
        process.exitCode = 1;
        return false;
      }
      const row = judgeDrill(seen);
      const line = toLine(row, commit);
      rows.push(row);
      lines.push(line);
      console.log(line);
      if (row.misses.includes('recovery')) console.error(`The last trouble: ${row.lastTrouble}`);
      writeLines(lines, drills, conditions);
      return !row.misses.some((goal) => goal === 'recovery' || goal === 'writes');
    });
  } finally {
    if (!isStopped) {
      await cleaning.runAll();
      together.end();
    }
  }
  console.log(`\n${toSummary(lines)}`);
  const sum = (count: (row: Row) => number) => rows.reduce((total, row) => total + count(row), 0);
  const isOften = missesDoubled(
    sum(({ doubled }) => doubled),
    sum(({ messages }) => messages),
  );
  if (isOften || rows.some(({ misses }) => misses.length > 0)) process.exitCode = 1;
}
