// Composition: starts the background work, each kind in its own loop.

import type { CaptchaPrice } from '../abuse/captcha-price.ts';
import type { AuthDeps } from '../auth/deps.ts';
import { applyPhoneChanges } from '../auth/identity/apply-phone-changes.ts';
import { limitQueues } from '../backend/webhooks/limit-queues.ts';
import type { WebhookQueue } from '../backend/webhooks/webhook-queue.ts';
import type { Config } from '../config/config.ts';
import type { FileDeps } from '../files/deps.ts';
import { sweepUploads } from '../files/resumable/sweep-uploads.ts';
import type { InstallationMismatch } from '../files/storage/installation.ts';
import { emptyRemovals } from '../files/sweeps/empty-removals.ts';
import { sweepFiles } from '../files/trash/sweep-files.ts';
import { newId } from '../kernel/crypto/random.ts';
import type { Log } from '../kernel/process/telemetry.ts';
import { type Loop, startLoop } from '../kernel/work/loop.ts';
import { turnUntil } from '../kernel/work/pace.ts';
import { createRateLimitedWarnings } from '../kernel/work/rate-limited-warnings.ts';
import type { ProviderBoard } from '../messages/delivery/provider-board.ts';
import { createStandingNotes } from '../messages/delivery/standing-notes.ts';
import { createOperatorPorts } from '../store/ports.ts';
import type { Store } from '../store/store.ts';
import { sweepOnce } from '../store/sweeper.ts';
import { countNewEvents } from '../support/count-new-events.ts';
import type { PrometheusMetrics } from './metrics/prometheus.ts';
import type { FileWatch } from './watch-files.ts';

type LoopParts = {
  readonly auth: AuthDeps;
  readonly captchaPrice: CaptchaPrice;
  readonly fileDeps: FileDeps;
  readonly fileWatch: FileWatch;
  readonly webhooks: Pick<WebhookQueue, 'limit'>;
  readonly providers: ProviderBoard;
  /** Given if no other process had the database then. */
  readonly aloneSince: number | undefined;
  readonly onMismatch: (error: InstallationMismatch) => void;
  readonly log: Log;
  readonly metrics: PrometheusMetrics;
};

/** Pauses between two rounds. */
export type LoopTimes = {
  /** So often a node reads what other nodes revoked and which keys they made. It promises to act on it within a second. */
  readonly followMilliseconds: number;
  /** How late a scheduled change of a phone number may take effect. */
  readonly phoneChangeMilliseconds: number;
  readonly captchaPriceMilliseconds: number;
  readonly sweepMilliseconds: number;
  /** Between two counts of what happened on each day. */
  readonly countMilliseconds: number;
  /** How long the bytes of a file remain after its time in the trash, or that of its purpose, is over. */
  readonly fileSweepMilliseconds: number;
  readonly spoolSweepMilliseconds: number;
  readonly uploadSweepMilliseconds: number;
  /** So often a node that leaves a provider out tells so. It counts for half a minute. */
  readonly standingMilliseconds: number;
  /** Between two looks for bytes that a deletion has queued and that nobody has removed. */
  readonly removalMilliseconds: number;
  /** Between two counts of the events that wait for each webhook endpoint. */
  readonly webhookQueueMilliseconds: number;
  /** Between two looks for the bytes of uploads that are not recorded, which list all of them. */
  readonly strayUploadMilliseconds: number;
};

export const loopTimes: LoopTimes = {
  followMilliseconds: 400,
  phoneChangeMilliseconds: 1000,
  captchaPriceMilliseconds: 5000,
  sweepMilliseconds: 30_000,
  countMilliseconds: 60_000,
  fileSweepMilliseconds: 30_000,
  spoolSweepMilliseconds: 60_000,
  uploadSweepMilliseconds: 30_000,
  standingMilliseconds: 5000,
  removalMilliseconds: 2000,
  webhookQueueMilliseconds: 10_000,
  strayUploadMilliseconds: 3_600_000,
};

export function startLoops(config: Config, store: Store, times: LoopTimes, parts: LoopParts): Loop[] {
  const { auth, captchaPrice, fileDeps, fileWatch, onMismatch, log, metrics } = parts;
  const { keyRing, revocations } = auth;
  const warn = createRateLimitedWarnings(log, 60_000);
  const report = (name: string) => (error: unknown) => warn(name, 'background work failed', { name, error });
  const policy = { accessTokenLifeSeconds: config.accessTokenLifeSeconds };
  const sweep = (stop: AbortSignal) =>
    sweepOnce(store, policy, turnUntil(stop), {
      onSwept: (table, count) => metrics.count('swept_rows', { table }, count),
      onFailure: (table, error) => {
        metrics.count('sweep_failures', { table });
        warn(`sweep of ${table}`, 'rows that are over could not be removed', { table, error });
      },
    });
  const { dayCounts } = createOperatorPorts(store);
  const count = async () => {
    await countNewEvents({ dayCounts, clock: store.clock });
  };
  const sweepFileRows = (stop: AbortSignal) =>
    sweepFiles(fileDeps, turnUntil(stop), (count) => metrics.count('swept_rows', { table: 'files' }, count)).catch(
      (error) => {
        metrics.count('sweep_failures', { table: 'files' });
        throw error;
      },
    );
  return [
    startLoop(times.followMilliseconds, () => revocations.follow(), report('revocations')),
    startLoop(times.followMilliseconds, () => keyRing.refresh(), report('signing keys')),
    startLoop(times.phoneChangeMilliseconds, () => applyPhoneChanges(auth), report('phone changes')),
    startLoop(times.captchaPriceMilliseconds, () => captchaPrice.follow(), report('captcha price')),
    startLoop(times.sweepMilliseconds, sweep, report('sweeper')),
    startLoop(times.countMilliseconds, count, report('counts of days')),
    startLoop(times.fileSweepMilliseconds, sweepFileRows, report('file sweeper')),
    startLoop(times.spoolSweepMilliseconds, createSpoolSweep(parts), report('spool sweeper')),
    startStanding(store, times, parts, report('left out providers')),
    startLoop(times.removalMilliseconds, (stop) => removeQueued(parts, stop), report('removal of bytes')),
    startLoop(times.webhookQueueMilliseconds, createQueueWatch(config, parts), report('queues of webhooks')),
    startLoop(times.uploadSweepMilliseconds, createUploadSweep(parts, times), report('sweep of uploads')),
    fileWatch.start((error) => {
      log.error(error.message, { ...error.facts });
      onMismatch(error);
    }),
  ];
}

/**
 * A running upload writes, or is ended after half a minute. An older unfinished file is left over from a crash. So is any file from
 * before a time at which nobody else had the database: it has content of a user whose account may be deleted at any moment.
 */
function createSpoolSweep({ fileDeps: { blobs, clock }, fileWatch, aloneSince }: LoopParts): () => Promise<void> {
  let before = aloneSince;
  return async () => {
    if (before !== undefined && fileWatch.isSettled) {
      await blobs.sweepSpools(before);
      // Once: a clock that is set back later would make files of this process look older.
      before = undefined;
    }
    await blobs.sweepSpools(clock.now() - 300_000);
  };
}

/** Until the storage is known to belong to the database, nothing is removed. */
async function removeQueued({ fileDeps, fileWatch, metrics }: LoopParts, stop: AbortSignal): Promise<void> {
  if (!fileWatch.isSettled) return;
  await emptyRemovals(fileDeps, turnUntil(stop), ({ files, uploads }) => {
    metrics.count('blobs_swept', { reason: 'deleted' }, files);
    metrics.count('uploads_swept', { reason: 'ended' }, uploads);
  });
}

function createQueueWatch({ webhooks: { endpoints } }: Config, { webhooks, auth, log, metrics }: LoopParts) {
  let full = 0;
  metrics.gauge('webhooks_full', () => [{ value: full }]);
  const ids = endpoints.map(({ id }) => id);
  return async () => {
    const queues = await limitQueues({ webhooks, clock: auth.clock }, ids);
    full = queues.filter(({ fullSince }) => fullSince !== undefined).length;
    for (const { endpoint, missedSince, isNews } of queues) {
      if (!isNews) continue;
      const since = missedSince === undefined ? undefined : new Date(missedSince).toISOString();
      if (since === undefined)
        log.error('the queue of a webhook endpoint is full: it gets no new events', { endpoint });
      else log.warn('the queue of a webhook endpoint has room again; replay what it missed', { endpoint, since });
    }
  };
}

/** A stop takes back what this process has noted. */
function startStanding(
  store: Store,
  { standingMilliseconds }: LoopTimes,
  { auth: { clock }, providers }: LoopParts,
  report: (error: unknown) => void,
): Loop {
  const notes = createStandingNotes({ ...createOperatorPorts(store), providers, clock, node: newId() });
  const loop = startLoop(standingMilliseconds, notes.renew, report);
  return {
    stop: async () => {
      await loop.stop();
      await notes.end().catch(report);
    },
  };
}

function createUploadSweep({ fileDeps, fileWatch, metrics }: LoopParts, times: LoopTimes): () => Promise<void> {
  let straysAt = performance.now() + times.strayUploadMilliseconds;
  return async () => {
    if (!fileWatch.isSettled) return;
    const looksForStrays = performance.now() >= straysAt;
    if (looksForStrays) straysAt = performance.now() + times.strayUploadMilliseconds;
    const { ended, unknown } = await sweepUploads(fileDeps, looksForStrays);
    metrics.count('uploads_swept', { reason: 'ended' }, ended);
    metrics.count('uploads_swept', { reason: 'unknown' }, unknown);
  };
}
