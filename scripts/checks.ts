// Checks types, format and lint, as many at once as there are cores.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The programs whose types are checked, each with a folder that has a tsconfig.json. */
const typed = {
  types: '.',
  'types of the client': 'test/client',
  'types of the React package': 'react',
  'types of the pages': 'web',
  'types of the example': 'examples/notes',
  'types of the example in plain HTML': 'examples/plain-html',
  'types of the example with React': 'examples/react-spa',
};

/** A second check reads only what has changed, and what depends on it. A build of a package writes files, so its configuration has no such memory. */
function typeCheck(folder: string): string[] {
  const memory = `node_modules/.cache/tsc/${folder.replaceAll('/', '-')}.tsbuildinfo`;
  return ['-p', folder, '--incremental', '--tsBuildInfoFile', memory];
}

const lintedWithTypes = ['src', 'media', 'test', 'scripts', 'bench', 'client', 'react', 'web', 'locales', 'examples'];

type Check = readonly [name: string, command: string, args: readonly string[]];

const checks: readonly Check[] = [
  ...Object.entries(typed).map(([name, folder]): Check => [name, 'tsc', typeCheck(folder)]),
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['lint with types', 'oxlint', ['--type-aware', '--deny-warnings', ...lintedWithTypes]],
];

/** Ends the process with 1 at the first check that fails. */
export async function runChecks(): Promise<void> {
  const waiting = [...checks];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await check(next);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

async function check([name, command, args]: Check): Promise<void> {
  const started = performance.now();
  const code = await run(command, args);
  if (code !== 0) {
    console.error(`✖ ${name}`);
    process.exit(code);
  }
  console.log(`✔ ${name} (${Math.round(performance.now() - started)} ms)`);
}

function run(command: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
