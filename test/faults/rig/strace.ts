// Faults in the system calls of a running service, if strace is installed: a kill at the n-th call, an error, or a delay.
import { spawnSync } from 'node:child_process';
import { type GatehouseProcess, spawnGatehouse, type TestEnv } from '../../helpers/services/gatehouse.ts';

export function hasStrace(): boolean {
  const isThere = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
  if (!isThere) console.log('skipped: strace is not installed or not permitted, so no system call is broken');
  return isThere;
}

/** Calls are counted by thread: `signal=KILL:when=3`, `error=EIO:when=5+`, `delay_enter=300000`. */
export function spawnInjected(env: TestEnv, calls: string, what: string): Promise<GatehouseProcess> {
  // The tracer runs as a separate process (-D), so that the started process is the service itself.
  const tracer = ['strace', '-D', '-f', '-qq', '-o', '/dev/null'];
  const before = [...tracer, '-e', `trace=${calls}`, '-e', `inject=${calls}:${what}`, '--'];
  return spawnGatehouse({ ...env, UV_THREADPOOL_SIZE: '1' }, before);
}
