// The test command: checks types, format and lint, then runs every test on SQLite and on a real PostgreSQL that it starts.
import { spawn } from 'node:child_process';
import { shortLived, startPostgresServer } from '../test/helpers/postgres-server.ts';
import { ensureBuilt } from './build/ensure-built.js';

const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith('--'));

/** More than the cores of a small machine, because many tests spend time waiting. */
const atOnce = 3;
/** Every test file runs in its own process, and most of them load the same sources. */
const compileCache = new URL('../node_modules/.cache/tests', import.meta.url).pathname;
const bundledThreads = new URL('../test/helpers/bundled-threads.js', import.meta.url).pathname;

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

if (files.length === 0 && !args.includes('--tests-only')) {
  for (const [name, command, rest] of checks) await check(name, command, rest);
}
if (!args.includes('--checks-only')) process.exitCode = await runTests();

async function check(name: string, command: string, rest: string[]): Promise<void> {
  const started = performance.now();
  const code = await run(command, rest, {});
  if (code !== 0) {
    console.error(`✖ ${name}`);
    process.exit(code);
  }
  console.log(`✔ ${name} (${Math.round(performance.now() - started)} ms)`);
}

async function runTests(): Promise<number> {
  const given = process.env.TEST_POSTGRES_URL;
  const postgres = given === undefined ? await startPostgresServer(shortLived) : undefined;
  console.log(`Stores under test: SQLite (embedded) and PostgreSQL ${postgres?.version ?? 'of TEST_POSTGRES_URL'}`);
  try {
    const patterns = files.length === 0 ? ['test/**/*.test.ts'] : files;
    const options = ['--require', bundledThreads, `--test-concurrency=${atOnce}`, '--test-reporter=spec'];
    return await run('node', [...options, '--test', ...patterns], {
      TEST_POSTGRES_URL: given ?? postgres?.url ?? '',
      // Builds once here, so that the services that start at the same time do not all build.
      TEST_PROGRAM: await ensureBuilt(),
      NODE_COMPILE_CACHE: compileCache,
    });
  } finally {
    await postgres?.end();
  }
}

function run(command: string, rest: string[], env: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, rest, { stdio: 'inherit', env: { ...process.env, ...env } });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
