// The dependencies of the use cases in this folder. Each use case picks those it needs.
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/telemetry.ts';
import type { BlobStore } from './blob-store.ts';
import type { SweepStore } from './blob-sweep.ts';
import type { Examiner } from './examiner.ts';
import type { Purpose } from './purpose.ts';
import type { Quota } from './quota.ts';
import type { SpoolRoom } from './spool-room.ts';
import type { FileStore } from './stored-file.ts';
import type { UploadTimes } from './upload-times.ts';

export type FileDeps = {
  readonly clock: Clock;
  readonly files: FileStore;
  readonly blobs: BlobStore;
  readonly sweeps: SweepStore;
  readonly examiner: Examiner;
  readonly purposes: readonly Purpose[];
  readonly quota: Quota;
  readonly spoolRoom: SpoolRoom;
  readonly uploadTimes: UploadTimes;
  readonly log: Log;
};
