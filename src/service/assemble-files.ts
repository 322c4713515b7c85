// Composition: the parts that the use cases of files need, and their end.
import { createExaminer } from '../adapters/examiner/create-examiner.ts';
import { createVariantMaker } from '../adapters/variants/create-variant-maker.ts';
import type { Config } from '../config/config.ts';
import type { FileDeps } from '../files/deps.ts';
import { createRunningUploads, type RunningUploads } from '../files/resumable/running-uploads.ts';
import type { BlobStore } from '../files/storage/blob-store.ts';
import { createNewFileIds } from '../files/uploads/new-file-ids.ts';
import type { UploadTimes } from '../files/uploads/upload-times.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/process/telemetry.ts';
import type { Ports } from '../store/ports.ts';
import { chooseSpoolBudget } from './choose-blobs.ts';
import { chooseScanning } from './choose-scanning.ts';
import type { PrometheusMetrics } from './metrics/prometheus.ts';

type Parts = {
  readonly ports: Ports;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly times: UploadTimes;
  readonly letArrive: Parameters<typeof createRunningUploads>[0];
  readonly metrics: PrometheusMetrics;
  readonly log: Log;
};

/** `stop`: after the last request, before the store is closed. */
type Files = { readonly deps: FileDeps; readonly stop: () => Promise<void> };

export async function assembleFiles(config: Config, parts: Parts): Promise<Files> {
  const { ports, blobs, clock, times, letArrive, metrics, log } = parts;
  const examiner = createExaminer(log, (loss) => metrics.count('examiners_lost', { loss }));
  const variantMaker = createVariantMaker(log, ({ format, outcome, seconds }) => {
    metrics.count('variants', { format, outcome });
    if (outcome === 'made') metrics.observe('variant_seconds', { format }, seconds);
  });
  metrics.gauge('uploads_waiting', () => [{ value: examiner.waiting }]);
  metrics.gauge('variants_waiting', () => [{ value: variantMaker.waiting }]);
  const { files, trash, sharing, removals, resumables } = ports;
  const runningUploads: RunningUploads = createRunningUploads(letArrive);
  const newFileIds = createNewFileIds({ removals, clock });
  const deps: FileDeps = {
    clock,
    files,
    trash,
    trashSeconds: config.files.trashSeconds,
    sharing,
    blobs,
    examiner,
    variantMaker,
    scanning: await chooseScanning(config, metrics, log),
    removals,
    newFileIds,
    purposes: config.files.purposes,
    quota: config.files.quota,
    spoolBudget: chooseSpoolBudget(config),
    uploadTimes: times,
    resumables,
    runningUploads,
    uploadLifeSeconds: config.files.uploadLifeSeconds,
    appendBytes: config.files.appendBytes,
    log,
  };
  return {
    deps,
    stop: async () => {
      await Promise.all([examiner.stop(), variantMaker.stop()]);
      await runningUploads.settled(times.releaseMilliseconds);
      await newFileIds.close().catch(() => undefined);
    },
  };
}
