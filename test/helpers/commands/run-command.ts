// Runs one command of the real program to its end: in a process of its own for the first time, then in one that has loaded the program.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { spawnMain, type TestEnv, whereabouts } from '../services/gatehouse.ts';
import type { Order, Report } from './command-host.ts';

export type Ran = { readonly code: number | undefined; readonly stdout: string; readonly stderr: string };

const { TEST_PROGRAM } = process.env;

/** Commands that ran in a process of their own, which has shown that they end it, with their code and all of their output. */
const shown = new Set<string>();
let host: ChildProcess | undefined;
let isBusy = false;

export async function runCommand(args: readonly string[], env: TestEnv): Promise<Ran> {
  const name = args.slice(0, 2).join(' ');
  // Two commands at once are two processes.
  if (TEST_PROGRAM !== undefined && shown.has(name) && !isBusy) return runInHost(TEST_PROGRAM, { args, env });
  shown.add(name);
  const { ended, output } = spawnMain(args, env);
  const code = await ended;
  return { code, ...output() };
}

async function runInHost(program: string, { args, env }: Order): Promise<Report> {
  isBusy = true;
  host ??= startHost(fileURLToPath(program));
  const running = host;
  // A test waits for the command, and nobody for the process.
  running.channel?.ref();
  const over = new AbortController();
  try {
    running.send({ args, env: { ...whereabouts(), ...env } } satisfies Order);
    const [report] = await Promise.race([
      once(running, 'message', over) as Promise<[Report]>,
      once(running, 'exit', over).then(([code]) =>
        Promise.reject(new Error(`${args.join(' ')} ended the host with ${code}`)),
      ),
    ]);
    return report;
  } finally {
    over.abort();
    running.channel?.unref();
    if (!running.connected) host = undefined;
    isBusy = false;
  }
}

function startHost(program: string): ChildProcess {
  const child = fork(new URL('command-host.ts', import.meta.url), [program], { silent: true, execArgv: [] });
  child.stderr?.pipe(process.stderr);
  child.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket | null)?.unref();
  return child;
}
