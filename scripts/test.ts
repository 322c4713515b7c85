// The test command: checks types, format and lint, then runs the tests on SQLite and on a real PostgreSQL that it starts.
// `--tier=fast` (npm test), `--tier=slow` (npm run test:slow) or `--tier=all` (npm run test:all); or the files to run, without the checks.
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chooseTests, filesOfTier, isSlow, isUnit, type Tier } from './choose-tests.ts';
import { type FileRun, mark, runFiles, startProcess } from './run-files.ts';
import { shareProcesses } from './share-processes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: 'string', multiple: true },
    'checks-only': { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    'test-name-pattern': { type: 'string', multiple: true, default: [] },
  },
});
const tier = (values.tier?.at(-1) ?? 'all') as Tier;
const isWhole = positionals.length === 0 && values['test-name-pattern'].length === 0;
const all = globSync('{test,media/test}/**/*.test.ts')
  .map((file) => file.replaceAll('\\', '/'))
  .sort();

/** More than the cores of a small machine, because many tests spend time waiting. */
const processesAtOnce = 4;
/** Most processes load the same sources. */
const compileCache = new URL('../node_modules/.cache/tests', import.meta.url).pathname;

/** The generated cases are the same in every run, so that a failure is that of the change. `FUZZ_SEED=new` tries others. */
const { FUZZ_SEED: wantedSeed = '1' } = process.env;
const seed = wantedSeed === 'new' ? String(randomInt(1_000_000)) : wantedSeed;

type Group = {
  readonly files: readonly string[];
  readonly env?: Record<string, string>;
  /** For a process. It only ends files that hang: no result depends on it. */
  readonly minutes: number;
};

if (positionals.length === 0 && tier !== 'slow') await (await import('./checks.ts')).runChecks();
if (!values['checks-only']) process.exitCode = await runTests();

async function runTests(): Promise<number> {
  const choice = positionals.length > 0 ? chooseTests(positionals, all, tier) : { files: filesOfTier(all, tier) };
  if ('problem' in choice) {
    console.error(`${mark(false)} ${choice.problem}`);
    return 1;
  }
  const units = choice.files.filter(isUnit);
  const unitRuns = units.length === 0 ? [] : [{ files: units, env: { NODE_COMPILE_CACHE: compileCache } }];
  const others = choice.files.filter((file) => !isUnit(file));
  return others.length === 0 ? run(unitRuns) : runWithServices(unitRuns, others);
}

/** Unit tests need nothing. Everything else may need the build, a PostgreSQL, and what the routes publish. */
async function runWithServices(unitRuns: readonly FileRun[], files: readonly string[]): Promise<number> {
  const groups: Group[] = [
    { files: files.filter((file) => !isSlow(file)), minutes: 10 },
    { files: files.filter(isSlow), env: { FUZZ_SEED: seed }, minutes: 30 },
    ...(positionals.length > 0 || tier === 'fast' ? [] : repeatedGroups()),
  ];
  const shared = groups.flatMap(({ files: those, env, minutes }) =>
    shareProcesses(those).map((together) => ({
      files: together,
      env: { ...env, TEST_FILE: together.join(' '), TEST_FILE_MINUTES: String(minutes) },
    })),
  );
  if (files.some(isSlow)) console.log(`Generated cases of the slow tier: FUZZ_SEED=${seed}`);
  const { watchContract } = await import('./contract.ts');
  const { ensureBuilt } = await import('./build/ensure-built.js');
  // A process that is alone starts its own PostgreSQL if it needs one.
  const postgres = shared.length > 1 ? await startPostgres() : undefined;
  const contract = watchContract();
  try {
    const env = {
      ...contract.env,
      ...postgres?.env,
      // Builds once here, so that the services that start at the same time do not all build.
      TEST_PROGRAM: await ensureBuilt(),
      NODE_COMPILE_CACHE: compileCache,
    };
    const failed = await run([...unitRuns, ...shared.map((each) => ({ ...each, env: { ...env, ...each.env } }))]);
    return failed || contract.report(failed === 0 && isWhole && tier !== 'slow');
  } finally {
    await postgres?.end();
  }
}

async function run(runs: readonly FileRun[]): Promise<0 | 1> {
  const preloaded = ['bundled-threads.js', 'end-hanging-file.js', 'watch-answers.js'];
  const reporter = new URL('test-reporter.ts', import.meta.url).href;
  const tree = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
  const options = [
    ...preloaded.flatMap((name) => ['--require', new URL(`../test/helpers/${name}`, import.meta.url).pathname]),
    ...(values.verbose ? [...tree, '--test-reporter-destination=stderr'] : []),
    `--test-reporter=${reporter}`,
    ...values['test-name-pattern'].map((pattern) => `--test-name-pattern=${pattern}`),
  ];
  const started = performance.now();
  const showsOutput = values.verbose;
  const { hasPassed, tests } = await runFiles(runs, startProcess(options), { atOnce: processesAtOnce, showsOutput });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const count = runs.reduce((sum, { files }) => sum + files.length, 0);
  console.log(`${mark(hasPassed)} ${count} test ${count === 1 ? 'file' : 'files'}, ${tests} tests in ${seconds} s`);
  return hasPassed ? 0 : 1;
}

async function startPostgres(): Promise<{ readonly env: Record<string, string>; end(): Promise<void> }> {
  const given = process.env.TEST_POSTGRES_URL;
  const { shortLived, startPostgresServer } = await import('../test/helpers/databases/postgres-server.ts');
  const server = given === undefined ? await startPostgresServer(shortLived) : undefined;
  console.log(`Stores under test: SQLite (embedded) and PostgreSQL ${server?.version ?? 'of TEST_POSTGRES_URL'}`);
  return { env: { TEST_POSTGRES_URL: given ?? server?.url ?? '' }, end: async () => server?.end() };
}

/** Live tests that the fast tier runs on one database or in few rounds. */
function repeatedGroups(): Group[] {
  const live = all.filter((file) => file.endsWith('.live.test.ts'));
  const containing = (text: string) => new Set(live.filter((file) => readFileSync(file, 'utf8').includes(text)));
  const [onPostgres, inRounds] = [containing('tierStoreKinds'), containing('faults/rounds.ts')];
  return [
    { files: onPostgres, env: { TEST_TIER_STORE: 'postgres', FUZZ_SEED: seed }, minutes: 10 },
    { files: inRounds.difference(onPostgres), env: { FAULT_ROUNDS: '2', FUZZ_SEED: seed }, minutes: 30 },
  ].map((group) => ({ ...group, files: [...group.files] }));
}
