// Runs the programs of an example as child processes, and ends them.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './start-error.ts';

export type Program = { readonly name: string; readonly child: ChildProcess; readonly ended: Promise<number> };

export type Wanted = {
  readonly name: string;
  /** Default: Node. */
  readonly command?: string;
  readonly args: readonly string[];
  /** The folder to run in. A file .env there counts. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

const pauseMilliseconds = 50;
const longestStartMilliseconds = 120_000;

/** The channel to this process closes with it, even after a crash: the program can end then. */
export function start({ name, command = process.execPath, args, cwd, env }: Wanted): Program {
  const child = spawn(command, [...args], { cwd, env: alone(env), stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // A command that cannot be started ends at once, and says why.
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
  });
  return { name, child, ended };
}

/** Returns what a command prints. */
export async function run({ name, command = process.execPath, args, cwd, env }: Wanted): Promise<string> {
  const child = spawn(command, [...args], { cwd, env: alone(env), stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', resolve);
  });
  if (code !== 0) throw new StartError(`${name} failed. The reason is above.`);
  return output;
}

/** Settings of a real Gatehouse, in the environment or in a file .env of the project, must not reach this one. */
function alone(env: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const isNeutral = /^(path|home|tmpdir|temp|tmp|lang|systemroot|npm_.*)$/i;
  const neutral = Object.entries(process.env).filter(([name]) => isNeutral.test(name));
  return { ...Object.fromEntries(neutral), ...env };
}

export async function waitUntilReady({ name, child }: Program, url: string): Promise<void> {
  for (const end = Date.now() + longestStartMilliseconds; Date.now() < end; await sleep(pauseMilliseconds)) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
      throw new StartError(`${name} ended. The reason is above.`);
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
  }
  throw new StartError(`${name} does not answer at ${url}.`);
}

/** The app first: what Gatehouse reports meanwhile is caught up at the next start. */
export async function endAll(programs: readonly Program[]): Promise<void> {
  for (const { child, ended } of programs.toReversed()) {
    child.kill('SIGTERM');
    await ended;
  }
}
