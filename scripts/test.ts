// The test command: checks types, format and lint, then runs the tests on SQLite and on a real PostgreSQL that it starts.
// `--tier=fast` (npm test), `--tier=slow` (npm run test:slow) or `--tier=all` (npm run test:all); or the files to run.
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { shortLived, startPostgresServer } from '../test/helpers/postgres-server.ts';
import { ensureBuilt } from './build/ensure-built.js';
import { watchContract } from './contract.ts';

const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith('--'));
const tier = args.findLast((arg) => arg.startsWith('--tier='))?.slice('--tier='.length) ?? 'all';

/** Every test file runs in its own process, and most of them load the same sources. */
const compileCache = new URL('../node_modules/.cache/tests', import.meta.url).pathname;
const preloaded = ['bundled-threads.js', 'end-hanging-file.js', 'watch-answers.js'].flatMap((name) => [
  '--require',
  new URL(`../test/helpers/${name}`, import.meta.url).pathname,
]);

/** What a test needs is in the end of its name. Unit tests need nothing, so all of them run in one process. */
const isUnit = (file: string) => !/\.(?:live|contract|page|slow)\.test\.ts$/.test(file);
const isSlow = (file: string) => file.endsWith('.slow.test.ts');

type Group = {
  readonly name: string;
  readonly files: readonly string[];
  readonly atOnce: number;
  readonly env?: Record<string, string>;
  /** For a test file. It only ends files that hang: no result depends on it. */
  readonly minutes: number;
};

/** More than the cores of a small machine, because many tests spend time waiting. */
const threeAtOnce = { atOnce: 3, minutes: 10 };
const slowly = { ...threeAtOnce, minutes: 30 };

const checks: [string, string, string[]][] = [
  ['types', 'tsc', ['-p', '.']],
  ['types of the client', 'tsc', ['-p', 'test/client']],
  ['types of the pages', 'tsc', ['-p', 'web']],
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  [
    'lint with types',
    'oxlint',
    ['--type-aware', '--deny-warnings', 'src', 'test', 'scripts', 'bench', 'client', 'web', 'locales'],
  ],
];

if (files.length === 0 && tier !== 'slow') await runChecks();
if (!args.includes('--checks-only')) process.exitCode = await runTests(files.length > 0 ? files : filesOfTier());

function filesOfTier(): string[] {
  const all = globSync('test/**/*.test.ts').sort();
  if (tier === 'all') return all;
  return all.filter((file) => isSlow(file) === (tier === 'slow'));
}

async function runChecks(): Promise<void> {
  const waiting = [...checks];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await check(...next);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

async function check(name: string, command: string, rest: string[]): Promise<void> {
  const started = performance.now();
  const code = await run(command, rest, {});
  if (code !== 0) {
    console.error(`✖ ${name}`);
    process.exit(code);
  }
  console.log(`✔ ${name} (${Math.round(performance.now() - started)} ms)`);
}

async function runTests(wanted: readonly string[]): Promise<number> {
  const groups: Group[] = [
    { name: 'unit tests', files: wanted.filter(isUnit), atOnce: 1, minutes: 5 },
    { name: 'tests with real parts', files: wanted.filter((file) => !isUnit(file) && !isSlow(file)), ...threeAtOnce },
    { name: 'slow tests', files: wanted.filter(isSlow), ...slowly },
    ...(files.length > 0 || tier === 'fast' ? [] : repeatedGroups()),
  ];
  const given = process.env.TEST_POSTGRES_URL;
  const postgres = given === undefined ? await startPostgresServer(shortLived) : undefined;
  console.log(`Stores under test: SQLite (embedded) and PostgreSQL ${postgres?.version ?? 'of TEST_POSTGRES_URL'}`);
  const contract = watchContract();
  try {
    const env = {
      ...contract.env,
      TEST_POSTGRES_URL: given ?? postgres?.url ?? '',
      // Builds once here, so that the services that start at the same time do not all build.
      TEST_PROGRAM: await ensureBuilt(),
      NODE_COMPILE_CACHE: compileCache,
    };
    let failed = 0;
    for (const group of groups.filter((each) => each.files.length > 0)) failed = (await runGroup(group, env)) || failed;
    const broken = contract.report(failed === 0 && files.length === 0 && tier !== 'slow');
    return failed || broken;
  } finally {
    await postgres?.end();
  }
}

/** Live tests that the fast tier runs on one database or in few rounds. */
function repeatedGroups(): Group[] {
  const containing = (text: string) =>
    globSync('test/**/*.live.test.ts')
      .filter((file) => readFileSync(file, 'utf8').includes(text))
      .sort();
  const [onPostgres, moreRounds] = [{ TEST_TIER_STORE: 'postgres' }, { FAULT_ROUNDS: '10', FUZZ_SEED: '1' }];
  return [
    { name: 'tests over HTTP, on PostgreSQL', files: containing('tierStoreKinds'), ...threeAtOnce, env: onPostgres },
    { name: 'races, ten times as many', files: containing('faults/rounds.ts'), ...slowly, env: moreRounds },
  ];
}

async function runGroup(group: Group, env: Record<string, string>): Promise<number> {
  const started = performance.now();
  const options = [...preloaded, '--test-reporter=spec'];
  const together = group.name === 'unit tests' ? ['--test-isolation=none'] : [`--test-concurrency=${group.atOnce}`];
  const code = await run(process.execPath, [...options, ...together, '--test', ...group.files], {
    ...env,
    ...group.env,
    TEST_FILE_MINUTES: String(group.minutes),
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${code === 0 ? '✔' : '✖'} ${group.name}: ${group.files.length} files in ${seconds} s`);
  return code;
}

function run(command: string, rest: string[], env: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, rest, { stdio: 'inherit', env: { ...process.env, ...env } });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
