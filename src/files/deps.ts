// The dependencies of the use cases in this folder. Each use case picks those it needs.
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/process/telemetry.ts';
import type { Purpose } from './purpose.ts';
import type { Quota } from './quota.ts';
import type { ResumableStore } from './resumable/resumable-upload.ts';
import type { RunningUploads } from './resumable/running-uploads.ts';
import type { SharingStore } from './sharing/file-link.ts';
import type { SpoolBudget } from './spool/spool-budget.ts';
import type { BlobStore } from './storage/blob-store.ts';
import type { FileStore } from './stored-file.ts';
import type { RemovalQueue } from './sweeps/removal-queue.ts';
import type { TrashStore } from './trash/trash.ts';
import type { Examiner } from './uploads/examiner.ts';
import type { NewFileIds } from './uploads/new-file-ids.ts';
import type { Scanning } from './uploads/scanner.ts';
import type { UploadTimes } from './uploads/upload-times.ts';
import type { VariantMaker } from './variants/variant-maker.ts';

export type FileDeps = {
  readonly clock: Clock;
  readonly files: FileStore;
  /** Links to files and their named readers. */
  readonly sharing: SharingStore;
  readonly blobs: BlobStore;
  readonly removals: RemovalQueue;
  readonly newFileIds: NewFileIds;
  readonly examiner: Examiner;
  readonly variantMaker: VariantMaker;
  /** Undefined without SCAN_URL: files are not scanned. */
  readonly scanning: Scanning | undefined;
  readonly purposes: readonly Purpose[];
  readonly quota: Quota;
  readonly trash: TrashStore;
  /** How long users can restore files that they deleted. 0: there is no trash. */
  readonly trashSeconds: number;
  readonly spoolBudget: SpoolBudget;
  readonly uploadTimes: UploadTimes;
  readonly resumables: ResumableStore;
  readonly runningUploads: RunningUploads;
  /** How long an upload in several requests waits for its next byte. */
  readonly uploadLifeSeconds: number;
  /** How large one request of such an upload should be, as announced to clients. */
  readonly appendBytes: number;
  readonly log: Log;
};
