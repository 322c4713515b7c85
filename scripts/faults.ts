// Runs the fault tests in their long form: FAULT_ROUNDS rounds (default 100), only the tests that match FAULT_ONLY if it is set.
// Appends the results to bench/fault-runs.md.
import { execFileSync } from 'node:child_process';
import { appendFileSync, globSync } from 'node:fs';
import { basename } from 'node:path';
import { run } from 'node:test';
import { startPostgresServer } from '../test/helpers/databases/postgres-server.ts';

const given = process.argv.slice(2);
const rounds = process.env.FAULT_ROUNDS ?? '100';
const only = process.env.FAULT_ONLY;
const files = given.length > 0 ? given : globSync('test/faults/*.test.ts').sort();
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim();

process.env.FAULT_ROUNDS = rounds;
const postgres = await startPostgresServer();
process.env.TEST_POSTGRES_URL = postgres.url;
try {
  for (const file of files) await prove(file);
} finally {
  await postgres.end();
}

async function prove(file: string): Promise<void> {
  const startedAt = performance.now();
  const counts: string[] = [];
  const failed: string[] = [];
  for await (const { type, data } of run({
    files: [file],
    concurrency: false,
    ...(only !== undefined && { testNamePatterns: [only] }),
  })) {
    if (type === 'test:fail') {
      failed.push(`FAILED: ${data.name}`);
      console.error(`${new Date().toISOString()} ${data.name}`, data.details.error);
    }
    // Diagnostics of node:test about the whole run have no line.
    if (type === 'test:diagnostic' && 'line' in data && data.line !== undefined) counts.push(data.message);
    if (type === 'test:stdout' || type === 'test:stderr') process.stdout.write(data.message);
  }
  const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
  const result = [...failed, ...counts].join('<br>') || 'nothing failed';
  if (failed.length > 0) process.exitCode = 1;
  const row = `| ${new Date().toISOString().slice(0, 16)} | ${commit} | ${basename(file).replace(/(?:\.slow|\.live)?\.test\.ts$/, '')} | ${rounds} | ${minutes} min | ${result} |`;
  appendFileSync('bench/fault-runs.md', `${row}\n`);
  console.log(row);
}
