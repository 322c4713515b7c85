// The inner side of a thread that examines: one order at a time, each with one answer, and nothing that is thrown gets out.
import { setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { Failure, type FailureCode, type FailureDetail } from '../../kernel/failure.ts';
import { toFailure } from '../disk/spool.ts';
import { examineSpool, type SpoolAnswer, type SpoolOrder } from './examine-spool.ts';

export type ExaminerRefusal = {
  readonly code: FailureCode;
  readonly detail: FailureDetail;
  /** For the log. */
  readonly reason: string | undefined;
};

/** What the thread tells: first that it is there, then one answer an order; always how much processor time it has used in all. */
export type ThreadWord = { readonly cpuMilliseconds: number } & (
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: SpoolAnswer }
  | { readonly kind: 'refusal'; readonly refusal: ExaminerRefusal }
);

/** Where processors are short, whoever answers requests goes first. */
const niceness = 10;

export function serveOrders(port: MessagePort, work: (order: SpoolOrder) => SpoolAnswer = examineSpool): void {
  yieldToOthers();
  port.on('message', (order: SpoolOrder) => {
    try {
      const answer = work(order);
      tell(port, { kind: 'answer', answer, cpuMilliseconds: cpuMilliseconds() });
    } catch (error) {
      tell(port, { kind: 'refusal', refusal: refusalOf(error), cpuMilliseconds: cpuMilliseconds() });
    }
  });
  tell(port, { kind: 'ready', cpuMilliseconds: cpuMilliseconds() });
}

function tell(port: MessagePort, word: ThreadWord): void {
  port.postMessage(word);
}

/** Only Linux knows the priority of a single thread; elsewhere it would be that of the whole process. */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, niceness);
  } catch {
    // Not permitted here: then all threads are equal.
  }
}

/** What the disk says is the storage's; whatever else a file makes a prover do is the file's. */
function refusalOf(error: unknown): ExaminerRefusal {
  const isOfDisk = error instanceof Error && 'code' in error && 'syscall' in error;
  const failure = error instanceof Failure ? error : isOfDisk ? toFailure(error as NodeJS.ErrnoException) : undefined;
  if (failure === undefined) return { code: 'FILE_CORRUPT', detail: {}, reason: String(error) };
  const { code, detail, cause } = failure;
  return {
    code,
    detail,
    reason: cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : undefined,
  };
}

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
