// Starts a program of these suites in its own process, with a cache for compiled code.
import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Its standard output can be read, and messages can be sent both ways. */
export function startChild(program: URL, args: readonly string[]): ChildProcess {
  return fork(program, args, {
    // Those of a test run would take the program for a test file.
    execArgv: process.execArgv.filter((option) => !option.startsWith('--test')),
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'gatehouse-compile-cache'), ...process.env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}
