// Examines uploads in a few worker threads, with a bounded queue and a CPU budget for each file.

import { unlink } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Held, Spool } from '../../files/spool/spool.ts';
import type { Examiner, Question } from '../../files/uploads/examiner.ts';
import { Failure, failureFrom } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import { threadUrl } from '../../kernel/process/program-files.ts';
import type { Log } from '../../kernel/process/telemetry.ts';
import type { SpoolAnswer } from './examine-spool.ts';
import { createThreadPool, type Loss, type Outcome, type PoolPolicy } from './thread-pool.ts';

export type RunningExaminer = Examiner & {
  readonly waiting: number;
  stop(): Promise<void>;
};

const mebibyte = 2 ** 20;

const defaultPolicy: PoolPolicy = {
  // Leaves one processor for the thread that answers requests.
  threads: Math.max(1, Math.min(2, availableParallelism() - 1)),
  cpuMilliseconds: (bytes) => 1000 + (20 * bytes) / mebibyte,
  heapMebibytes: 64,
  // Less than the age at which spools are swept.
  waitMilliseconds: 120_000,
  mostWaiting: 256,
  mostWaitingOfOne: 64,
};

const retryAfterSeconds = 5;

/** Calls `onLoss` for every thread that died on a file. `entry` is the program of the threads. */
export function createExaminer(
  log: Log,
  onLoss: (loss: Loss) => void = () => undefined,
  changes: Partial<PoolPolicy> = {},
  entry: URL = threadUrl('examiner-thread'),
): RunningExaminer {
  const policy = { ...defaultPolicy, ...changes };
  const pool = createThreadPool(entry, policy);

  function admit(userId: UserId): void {
    const refusal = pool.refusal([userId]);
    if (refusal === 'own') throw new Failure('RATE_LIMITED', { retryAfterSeconds });
    if (refusal === 'all') throw new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds });
  }

  async function ask(userId: UserId, spool: Spool, question: Question | undefined): Promise<SpoolAnswer> {
    admit(userId);
    const { held } = spool;
    return held === undefined ? askAboutFile(userId, spool, question) : askAboutSegment(userId, spool, held, question);
  }

  async function askAboutSegment(
    userId: UserId,
    { size }: Spool,
    held: Held,
    question: Question | undefined,
  ): Promise<SpoolAnswer> {
    const answer = await held.lend(async ({ at }) =>
      read(await pool.run(userId, { place: { kind: 'segment', at }, size, question })),
    );
    if (answer.isStripped && answer.kept !== undefined) held.resize(answer.kept.size);
    return answer;
  }

  async function askAboutFile(userId: UserId, spool: Spool, question: Question | undefined): Promise<SpoolAnswer> {
    const { path, size } = spool;
    const strippedPath = `${path}-stripped`;
    const outcome = await pool.run(userId, { place: { kind: 'file', path, strippedPath }, size, question });
    try {
      const answer = read(outcome);
      if (answer.isStripped && answer.kept !== undefined) await spool.replace(strippedPath, answer.kept.size);
      return answer;
    } catch (error) {
      if (outcome.kind !== 'refusal') await unlink(strippedPath).catch(() => undefined);
      throw error;
    }
  }

  function read(outcome: Outcome): SpoolAnswer {
    if (outcome.kind === 'answer') return outcome.answer;
    if (outcome.kind === 'lost') onLoss(outcome.loss);
    throw failureOf(outcome, log);
  }

  return {
    admit,
    examine: async (userId, spool, question) => {
      const { examined, kept, fingerprint } = await ask(userId, spool, question);
      if (examined === undefined || kept === undefined) throw new Error('the examiner returned no findings');
      return { examined, kept, fingerprint };
    },
    fingerprint: async (userId, spool) => (await ask(userId, spool, undefined)).fingerprint ?? '',
    get waiting() {
      return pool.waiting;
    },
    stop: pool.stop,
  };
}

export function failureOf(outcome: Exclude<Outcome, { kind: 'answer' }>, log: Log): Failure {
  if (outcome.kind === 'refusal') {
    const { code, reason } = outcome.refusal;
    const failure = failureFrom(outcome.refusal);
    if (code === 'FILE_CORRUPT') log.info('file refused', { reason });
    else if (reason !== undefined) failure.cause = new Error(reason);
    return failure;
  }
  if (outcome.kind === 'lost') {
    log.warn('a file ended the thread that examined it', { loss: outcome.loss, error: outcome.error });
    return new Failure('FILE_CORRUPT');
  }
  if (outcome.error !== undefined) log.error('no thread to examine files', { error: outcome.error });
  return new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds });
}
