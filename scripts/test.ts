// The test command: checks types, format and lint, then runs the tests on SQLite and on a real PostgreSQL that it starts.
// `--tier=fast` (npm test), `--tier=slow` (npm run test:slow) or `--tier=all` (npm run test:all); or the files to run.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { shortLived, startPostgresServer } from '../test/helpers/databases/postgres-server.ts';
import { ensureBuilt } from './build/ensure-built.js';
import { watchContract } from './contract.ts';
import { runFiles, startProcess } from './run-files.ts';
import { shareProcesses } from './share-processes.ts';

const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith('--'));
const tier = args.findLast((arg) => arg.startsWith('--tier='))?.slice('--tier='.length) ?? 'all';

/** Most processes load the same sources. */
const compileCache = new URL('../node_modules/.cache/tests', import.meta.url).pathname;
const options = ['bundled-threads.js', 'end-hanging-file.js', 'watch-answers.js']
  .flatMap((name) => ['--require', new URL(`../test/helpers/${name}`, import.meta.url).pathname])
  .concat('--test-reporter=spec');

/** What a test needs is in the end of its name. Unit tests need nothing, so all of them run in one process. */
const isUnit = (file: string) => !/\.(?:live|contract|page|slow)\.test\.ts$/.test(file);
const isSlow = (file: string) => file.endsWith('.slow.test.ts');

/** The generated cases are the same in every run, so that a failure is that of the change. `FUZZ_SEED=new` tries others. */
const { FUZZ_SEED: wantedSeed = '1' } = process.env;
const seed = wantedSeed === 'new' ? String(randomInt(1_000_000)) : wantedSeed;

type Group = {
  readonly files: readonly string[];
  readonly env?: Record<string, string>;
  /** For a process. It only ends files that hang: no result depends on it. */
  readonly minutes: number;
};

/** More than the cores of a small machine, because many tests spend time waiting. */
const processesAtOnce = 4;

const checks: [string, string, string[]][] = [
  ['types', 'tsc', ['-p', '.']],
  ['types of the client', 'tsc', ['-p', 'test/client']],
  ['types of the React package', 'tsc', ['-p', 'react']],
  ['types of the pages', 'tsc', ['-p', 'web']],
  ['types of the example', 'tsc', ['-p', 'examples/notes']],
  ['types of the example in plain HTML', 'tsc', ['-p', 'examples/plain-html']],
  ['types of the example with React', 'tsc', ['-p', 'examples/react-spa']],
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  [
    'lint with types',
    'oxlint',
    [
      '--type-aware',
      '--deny-warnings',
      'src',
      'test',
      'scripts',
      'bench',
      'client',
      'react',
      'web',
      'locales',
      'examples',
    ],
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
    { files: wanted.filter((file) => !isUnit(file) && !isSlow(file)), minutes: 10 },
    { files: wanted.filter(isSlow), env: { FUZZ_SEED: seed }, minutes: 30 },
    ...(files.length > 0 || tier === 'fast' ? [] : repeatedGroups()),
  ];
  const given = process.env.TEST_POSTGRES_URL;
  const postgres = given === undefined ? await startPostgresServer(shortLived) : undefined;
  console.log(`Stores under test: SQLite (embedded) and PostgreSQL ${postgres?.version ?? 'of TEST_POSTGRES_URL'}`);
  if (wanted.some(isSlow)) console.log(`Generated cases of the slow tier: FUZZ_SEED=${seed}`);
  const contract = watchContract();
  try {
    const env = {
      ...contract.env,
      TEST_POSTGRES_URL: given ?? postgres?.url ?? '',
      // Builds once here, so that the services that start at the same time do not all build.
      TEST_PROGRAM: await ensureBuilt(),
      NODE_COMPILE_CACHE: compileCache,
    };
    const started = performance.now();
    const units = wanted.filter(isUnit);
    const shared = groups.flatMap((group) =>
      shareProcesses(group.files).map((together) => ({
        name: together.join(' '),
        files: together,
        env: { ...env, ...group.env, TEST_FILE: together.join(' '), TEST_FILE_MINUTES: String(group.minutes) },
      })),
    );
    const runs = units.length === 0 ? shared : [{ name: 'unit tests', files: units, env }, ...shared];
    const failed = (await runFiles(runs, startProcess(options), processesAtOnce)) === 0 ? 0 : 1;
    const seconds = Math.round((performance.now() - started) / 1000);
    const count = runs.reduce((sum, { files: together }) => sum + together.length, 0);
    console.log(`${failed === 0 ? '✔' : '✖'} ${count} test files in ${seconds} s`);
    const broken = contract.report(failed === 0 && files.length === 0 && tier !== 'slow');
    return failed || broken;
  } finally {
    await postgres?.end();
  }
}

/** Live tests that the fast tier runs on one database or in few rounds. */
function repeatedGroups(): Group[] {
  const all = globSync('test/**/*.live.test.ts').sort();
  const containing = (text: string) => new Set(all.filter((file) => readFileSync(file, 'utf8').includes(text)));
  const [onPostgres, inRounds] = [containing('tierStoreKinds'), containing('faults/rounds.ts')];
  return [
    { files: onPostgres, env: { TEST_TIER_STORE: 'postgres', FUZZ_SEED: seed }, minutes: 10 },
    { files: inRounds.difference(onPostgres), env: { FAULT_ROUNDS: '2', FUZZ_SEED: seed }, minutes: 30 },
  ].map((group) => ({ ...group, files: [...group.files] }));
}

function run(command: string, rest: string[], env: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, rest, { stdio: 'inherit', env: { ...process.env, ...env } });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
