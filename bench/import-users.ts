// The time and memory of importing many users on both databases, then the same import again, which must change nothing:
// npm run bench:import -- 1000000 sqlite postgres
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startPostgresServer } from '../test/helpers/databases/postgres-server.ts';
import { askStore, sqliteFile } from '../test/helpers/databases/raw-store.ts';
import { writeFirebaseFile } from '../test/helpers/imports/firebase-file.ts';
import { readPeakMebibytes } from '../test/helpers/imports/peak-memory.ts';
import { spawnCommand, spawnMain, type TestEnv } from '../test/helpers/services/gatehouse.ts';
import { createDatabase } from './load/fill.ts';

const [count = '1000000', ...kinds] = process.argv.slice(2);
const goalMebibytes = 200;

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'));
const file = join(folder, 'users.json');
await writeFirebaseFile(file, Number(count));
console.log('| store | import | time, s | users a second | peak memory, MiB | goal |');
console.log('|---|---|---|---|---|---|');
for (const kind of kinds.length === 0 ? ['sqlite', 'postgres'] : kinds) {
  const postgres = kind === 'postgres' ? await startPostgresServer() : undefined;
  const url = postgres && (await createDatabase(postgres.url, 'import_users'));
  const env = { DATA_DIR: join(folder, kind), LOG_LEVEL: 'silent', ...(url !== undefined && { DATABASE_URL: url }) };
  await spawnMain(['migrate', 'up'], env).ended;
  await measure(kind, 'first', env);
  const before = await checksum(env);
  await measure(kind, 'repeated', env);
  const isSame = (await checksum(env)) === before;
  console.log(`\n${kind}: the repeated import ${isSame ? 'changed nothing' : 'CHANGED THE TABLES'} (${before})\n`);
  if (!isSame) process.exitCode = 1;
  await postgres?.end();
}
rmSync(folder, { recursive: true });

async function measure(kind: string, name: string, env: TestEnv): Promise<void> {
  const startedAt = performance.now();
  const { child, output, ended } = spawnCommand(['import', 'users', '--from', 'firebase', file, '--json'], env);
  const peak = readPeakMebibytes(child.pid ?? 0);
  const code = await ended;
  if (code !== 0) throw new Error(`the import ended with ${code}: ${output().stderr}`);
  const seconds = (performance.now() - startedAt) / 1000;
  const mebibytes = peak();
  const { records } = JSON.parse(output().stdout) as { records: number };
  const rate = Math.round(records / seconds).toLocaleString('en');
  const verdict = mebibytes <= goalMebibytes ? `≤ ${goalMebibytes}` : `MISSED ${goalMebibytes}`;
  console.log(`| ${kind} | ${name} | ${seconds.toFixed(0)} | ${rate} | ${mebibytes} | ${verdict} |`);
  if (mebibytes > goalMebibytes) process.exitCode = 1;
}

/** Of every value of the tables that an import writes. */
async function checksum(env: TestEnv): Promise<string> {
  const tables = ['users', 'audit_events'];
  if (env.DATABASE_URL === undefined) return checksumFile(sqliteFile(env), tables);
  const sums = tables.map((table) => `(select md5(string_agg(md5(t::text), '' order by id)) from ${table} t)`);
  const [row] = await askStore(env, `select ${sums.join(' || ')} as sum`);
  return String(row?.sum);
}

function checksumFile(path: string, tables: readonly string[]): string {
  const database = new DatabaseSync(path, { readOnly: true });
  const hash = createHash('sha256');
  for (const table of tables)
    for (const row of database.prepare(`select * from ${table} order by id`).iterate())
      hash.update(JSON.stringify(row));
  database.close();
  return hash.digest('hex');
}
