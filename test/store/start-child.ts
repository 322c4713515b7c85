// Starts a program of these suites in a process of its own, with compiled code kept from one start to the next.
import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Its standard output can be read; messages go both ways. */
export function startChild(program: string, args: readonly string[]): ChildProcess {
  return fork(new URL(program, import.meta.url), args, {
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'gatehouse-compile-cache') },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}
