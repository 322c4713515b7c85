// Makes variants one at a time, with a bounded queue that takes the pictures of the users in turn, each by its size.
import type { LocalCopy } from '../../files/storage/blob-store.ts';
import type { VariantMaker, VariantOrder, VariantParties } from '../../files/variants/variant-maker.ts';
import { Failure } from '../../kernel/failure.ts';
import { entryUrl } from '../../kernel/process/program-files.ts';
import type { Log } from '../../kernel/process/telemetry.ts';
import { createFairQueue } from '../../kernel/work/fair-queue.ts';
import type { Ability } from './resize-picture.ts';
import {
  type BrokenResizer,
  createResizer,
  type ResizerLoss,
  type ResizerOutcome,
  type ResizerTimes,
} from './resizer.ts';

export type VariantPolicy = ResizerTimes & {
  readonly mostWaiting: number;
  readonly mostWaitingOfOne: number;
  readonly waitMilliseconds: number;
  /** After a process fails to start, the next one waits for this time. */
  readonly pauseMilliseconds: number;
  /** The owner of a picture that takes longer comes after all others for a while, and may have few waiting. */
  readonly slowMilliseconds: number;
  readonly mostWaitingOfSlow: number;
};

/** For the metrics. `seconds` includes the reading of the picture, not the waiting. */
export type VariantReport = {
  readonly format: VariantOrder['format'];
  readonly outcome: 'made' | 'failed' | ResizerLoss;
  readonly seconds: number;
};

type RunningVariantMaker = VariantMaker & {
  readonly waiting: number;
  /** What works. Undefined if sharp is not installed. */
  probe(): Promise<Ability | BrokenResizer | undefined>;
  stop(): Promise<void>;
};

type Job = {
  readonly owner: string;
  readonly order: VariantOrder;
  readonly open: () => Promise<LocalCopy>;
  readonly resolve: (bytes: Buffer | undefined) => void;
  readonly reject: (error: unknown) => void;
};

const defaultPolicy: VariantPolicy = {
  mostWaiting: 256,
  // Whole pages of thumbnails are asked for at once.
  mostWaitingOfOne: 128,
  // Together less than the 60 s that nginx waits for an answer. The longer one is for the wait, so that no picture alone makes it too long.
  waitMilliseconds: 30_000,
  workMilliseconds: 20_000,
  pauseMilliseconds: 60_000,
  idleMilliseconds: 30_000,
  slowMilliseconds: 5_000,
  mostWaitingOfSlow: 4,
};

const usualRetrySeconds = 5;
const slowForMilliseconds = 600_000;
/** In pixels: what the smallest picture costs. */
const leastCost = 500_000;

export function createVariantMaker(
  log: Log,
  report: (result: VariantReport) => void = () => undefined,
  changes: Partial<VariantPolicy> = {},
  entry: URL = entryUrl('resizer-process'),
): RunningVariantMaker {
  const policy = { ...defaultPolicy, ...changes };
  const resizer = createResizer(entry, policy);
  const queue = createFairQueue<Job>({ most: policy.mostWaiting, mostOfOne: policy.mostWaitingOfOne });
  const slowOwners = createSlowOwners();
  const waiting = new Map<AbortSignal, Job>();
  let isBusy = false;
  let isAbsent = false;
  let pauseUntil = 0;
  let isStopped = false;

  async function work({ owner, order, open }: Job): Promise<Buffer | undefined> {
    const startedAt = performance.now();
    if (startedAt < pauseUntil) throw unavailable(Math.ceil((pauseUntil - startedAt) / 1000));
    const copy = await open();
    const openedAt = performance.now();
    const outcome = await resizer.resize({ ...order, path: copy.path }).finally(() => copy.release());
    if (performance.now() - openedAt > policy.slowMilliseconds) slowOwners.note(owner);
    const seconds = (performance.now() - startedAt) / 1000;
    const counted = countedAs(outcome);
    if (counted !== undefined) report({ format: order.format, outcome: counted, seconds });
    return settle(outcome);
  }

  function settle(outcome: ResizerOutcome): Buffer | undefined {
    switch (outcome.kind) {
      case 'made':
        return outcome.bytes;
      case 'failed':
        log.info('no variant can be made of a picture', { reason: outcome.reason });
        return undefined;
      case 'lost':
        log.warn('a picture ended the process that makes variants', { loss: outcome.loss });
        return undefined;
      case 'absent':
        isAbsent = true;
        log.info('there are no variants: sharp is not installed');
        return undefined;
      case 'broken':
        pauseUntil = performance.now() + policy.pauseMilliseconds;
        log.warn('the process that makes variants does not start', {
          reason: outcome.reason,
          cure: 'run gatehouse doctor',
        });
        throw unavailable(Math.ceil(policy.pauseMilliseconds / 1000));
      case 'unavailable':
        throw unavailable();
    }
  }

  function next(): void {
    const job = isBusy ? undefined : queue.shift({ comesLast: ({ owner }) => slowOwners.has(owner) });
    if (job === undefined) return;
    isBusy = true;
    void work(job)
      .then(job.resolve, job.reject)
      .finally(() => {
        isBusy = false;
        next();
      });
  }

  return {
    get waiting() {
      return queue.waiting;
    },
    probe: resizer.probe,
    make: (parties, order, open, signal) =>
      new Promise((resolve, reject) => {
        if (isAbsent) return resolve(undefined);
        const { owner } = parties;
        const isSlow = slowOwners.has(owner) && queue.waitingFor(owner) >= policy.mostWaitingOfSlow;
        if (isSlow || isStopped || signal.aborted) return reject(unavailable());
        const job: Job = {
          owner,
          order,
          open,
          resolve: (bytes) => {
            forget();
            resolve(bytes);
          },
          reject: (error) => {
            forget();
            reject(error);
          },
        };
        const giveUp = () => {
          if (queue.remove(job)) job.reject(unavailable());
        };
        const late = setTimeout(giveUp, policy.waitMilliseconds).unref();
        const forget = () => {
          waiting.delete(signal);
          clearTimeout(late);
          signal.removeEventListener('abort', giveUp);
        };
        signal.addEventListener('abort', giveUp);
        waiting.set(signal, job);
        queue.push(keysOf(parties), job, costOf(order))?.reject(unavailable());
        return next();
      }),
    join: (parties, signal) => {
      const job = waiting.get(signal);
      if (job !== undefined) queue.join(job, keysOf(parties));
    },
    stop: async () => {
      isStopped = true;
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) job.reject(unavailable());
      await resizer.stop();
    },
  };
}

function keysOf({ owner, caller }: VariantParties): readonly string[] {
  return [owner, caller];
}

/** About the time that a picture takes. So small ones do not wait for large ones of users who have had none before. */
function costOf({ pixels }: VariantOrder): number {
  return leastCost + pixels;
}

/** A picture of a few kilobytes can take as long as the longest allowed. So turns alone do not divide the time fairly. */
function createSlowOwners() {
  const until = new Map<string, number>();
  const has = (owner: string) => (until.get(owner) ?? 0) > performance.now();
  return {
    has,
    // At most one is noted in `slowMilliseconds`, so there are few.
    note: (owner: string) => {
      for (const each of until.keys()) if (!has(each)) until.delete(each);
      until.set(owner, performance.now() + slowForMilliseconds);
    },
  };
}

/** Undefined for what says nothing about the picture. */
function countedAs(outcome: ResizerOutcome): VariantReport['outcome'] | undefined {
  if (outcome.kind === 'lost') return outcome.loss;
  return outcome.kind === 'made' || outcome.kind === 'failed' ? outcome.kind : undefined;
}

function unavailable(retryAfterSeconds = usualRetrySeconds): Failure {
  return new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds });
}
