// The one test command: types, format, lint, then every test on SQLite and on a real PostgreSQL that it brings up itself.
import { spawn } from 'node:child_process';
import { startPostgresServer } from '../test/support/postgres-server.ts';

const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith('--'));

/** More than a small machine has cores: many tests wait for a while. */
const atOnce = 3;
/** Every test file is a process of its own, and most of them load the same sources. */
const compileCache = new URL('../node_modules/.cache/tests', import.meta.url).pathname;

const checks: [string, string, string[]][] = [
  ['types', 'tsc', ['-p', '.']],
  ['types of the client', 'tsc', ['-p', 'test/client']],
  ['types of the pages', 'tsc', ['-p', 'web']],
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  [
    'lint with types',
    'oxlint',
    ['--type-aware', '--deny-warnings', 'src', 'test', 'scripts', 'bench', 'client', 'web'],
  ],
];

if (files.length === 0 && !args.includes('--tests-only')) {
  const codes = await Promise.all(checks.map(([name, command, rest]) => check(name, command, rest)));
  const worst = Math.max(...codes);
  if (worst > 0) process.exit(worst);
}
if (!args.includes('--checks-only')) process.exitCode = await runTests();

/** All at once, and what each has to say in one piece. */
async function check(name: string, command: string, rest: string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number>((resolve) => child.once('close', (ended) => resolve(ended ?? 1)));
  if (code !== 0) process.stderr.write(Buffer.concat(output));
  console.log(`${code === 0 ? '✔' : '✖'} ${name} (${Math.round(performance.now() - started)} ms)`);
  return code;
}

async function runTests(): Promise<number> {
  const given = process.env.TEST_POSTGRES_URL;
  const postgres = given === undefined ? await startPostgresServer() : undefined;
  console.log(`Stores under test: SQLite (embedded) and PostgreSQL ${postgres?.version ?? 'of TEST_POSTGRES_URL'}`);
  try {
    const patterns = files.length === 0 ? ['test/**/*.test.ts'] : files;
    return await run('node', ['--test', `--test-concurrency=${atOnce}`, '--test-reporter=spec', ...patterns], {
      TEST_POSTGRES_URL: given ?? postgres?.url ?? '',
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
