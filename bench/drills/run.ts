// Game days: breaks every part of an installation under load, one fault after the other, and prints what users noticed.
// npm run drills -- [--only=sms,s3/full] [--minutes=5] [--list]. A run of all drills writes its table into docs/drills.md.
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../../scripts/build/ensure-built.js';
import { nameOf } from './drill.ts';
import { drills } from './drills.ts';
import { choose } from './choose.ts';
import { judgeDrill, missesDoubled, type Row } from './judge.ts';
import { head, toLine, toTable, writeTable } from './table.ts';
import { openUndo } from './undo.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    minutes: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
const times = {
  warmSeconds: 5,
  faultSeconds: values.minutes === undefined ? 14 : Number(values.minutes) * 60,
  afterSeconds: 12,
};
const chosen = choose(drills, values.only);
const cleaning = openUndo();
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isStopped = true;
    void cleaning.runAll().finally(() => process.exit(130));
  });

if (values.list) for (const drill of chosen) console.log(`${nameOf(drill)}: ${drill.how}`);
else await runAll();

async function runAll(): Promise<void> {
  // The services that start at the same time do not all build. The helpers read it when they are loaded.
  process.env.TEST_PROGRAM = await ensureBuilt();
  const { runGroups } = await import('./run-groups.ts');
  const rows: Row[] = [];
  console.log(head);
  try {
    await runGroups(chosen, times, cleaning, (seen) => {
      const row = judgeDrill(seen);
      rows.push(row);
      console.log(toLine(row));
    });
  } finally {
    if (!isStopped) await cleaning.runAll();
  }
  const table = toTable(rows, conditions());
  console.log(`\n${table.slice(table.lastIndexOf('|') + 1).trim()}`);
  if (chosen.length === drills.length) writeTable(table);
  if (missesDoubled(rows) || rows.some(({ misses }) => misses.length > 0)) process.exitCode = 1;
}

function conditions(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim();
  const seconds = times.faultSeconds;
  return `Commit ${commit}, Node ${process.versions.node}, ${process.arch}, ${availableParallelism()} cores for everything: three nodes, two PostgreSQL, HAProxy, Prometheus, providers and load. Faults last ${seconds} s, those that need it longer.`;
}
