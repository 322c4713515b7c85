// The message loop of an examiner thread: one order at a time, one answer each. It catches every error.
import { setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { Failure, type Refusal, refusalFrom } from '../../kernel/failure.ts';
import { toFailure } from '../disk/spool.ts';
import { examineSpool, type SpoolAnswer, type SpoolTask } from './examine-spool.ts';

export type ExaminerRefusal = Refusal & {
  /** For the log. */
  readonly reason: string | undefined;
};

/** A message from the thread: first `ready`, then one answer for each order. `cpuMilliseconds` is the total CPU time of the thread. */
export type ThreadMessage = { readonly cpuMilliseconds: number } & (
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: SpoolAnswer }
  | { readonly kind: 'refusal'; readonly refusal: ExaminerRefusal }
);

/** On a busy machine, the threads that answer requests go first. */
const niceness = 10;

/** `memory` has the segments. */
export function serveTasks(port: MessagePort, memory: SharedArrayBuffer, work = examineSpool): void {
  lowerPriority();
  port.on('message', (order: SpoolTask) => {
    try {
      const answer = work(order, memory);
      send(port, { kind: 'answer', answer, cpuMilliseconds: cpuMilliseconds() });
    } catch (error) {
      send(port, { kind: 'refusal', refusal: refusalOf(error), cpuMilliseconds: cpuMilliseconds() });
    }
  });
  send(port, { kind: 'ready', cpuMilliseconds: cpuMilliseconds() });
}

function send(port: MessagePort, message: ThreadMessage): void {
  port.postMessage(message);
}

/** Only Linux can set the priority of a single thread. Elsewhere it would apply to the whole process. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, niceness);
  } catch {
    // Not permitted: all threads keep the same priority.
  }
}

/** Disk errors are storage failures. Any other error is caused by the file, which counts as corrupt. */
export function refusalOf(error: unknown): ExaminerRefusal {
  const isDiskError = error instanceof Error && 'code' in error && 'syscall' in error;
  const failure =
    error instanceof Failure ? error : isDiskError ? toFailure(error as NodeJS.ErrnoException) : undefined;
  if (failure === undefined) return { code: 'FILE_CORRUPT', detail: {}, reason: String(error) };
  const { cause } = failure;
  const reason = cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : undefined;
  return { ...refusalFrom(failure), reason };
}

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
