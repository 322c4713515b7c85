// The steps of an upload, each within its time and for as long as the client is there; what a step leaves too late is removed.
import { waitFor } from '../kernel/deadline.ts';
import { Failure } from '../kernel/failure.ts';
import type { BlobStore, Spool } from './blob-store.ts';
import type { FileDeps } from './deps.ts';
import type { StoredFile } from './stored-file.ts';
import type { UploadTimes } from './upload-times.ts';

/** The names of the times that this service itself may take. */
type Step = 'step' | 'keep' | 'release';

export type Wait = <T>(work: Promise<T>, step: Step) => Promise<T>;

export function createWait(times: UploadTimes, signal: AbortSignal): Wait {
  const gone = new AbortController();
  const leave = () => gone.abort(new Failure('FILE_INCOMPLETE'));
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  return (work, step) =>
    waitFor(work, {
      milliseconds: times[`${step}Milliseconds`],
      late: () => tooLate(step),
      // Nobody who leaves keeps us from cleaning up.
      signal: step === 'release' ? undefined : gone.signal,
    });
}

function tooLate(step: Step): Failure {
  const what = step === 'keep' ? 'proving and storing the file' : 'the disk of uploads under way';
  return new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }, new Error(`${what} took too long`));
}

export async function openInTime(blobs: Pick<BlobStore, 'spool'>, wait: Wait): Promise<Spool> {
  const opening = blobs.spool();
  return wait(opening, 'step').catch((error: unknown) => {
    opening.then((spool) => spool.discard()).catch(() => undefined);
    throw error;
  });
}

export function writeInTime(spool: Spool, wait: Wait): Pick<Spool, 'size' | 'write'> {
  return {
    get size() {
      return spool.size;
    },
    write: (chunk) => wait(spool.write(chunk), 'step'),
  };
}

export type Kept = {
  readonly file: StoredFile;
  /** SHA-256 of the bytes as they were sent, where it is wanted. */
  readonly fingerprint: string;
};

/** Given up, the work is told so; a blob that is stored all the same has no record, and goes. */
export async function keepInTime(
  { blobs }: Pick<FileDeps, 'blobs'>,
  keep: (signal: AbortSignal) => Promise<Kept>,
  wait: Wait,
): Promise<Kept> {
  const controller = new AbortController();
  const keeping = keep(controller.signal);
  try {
    return await wait(keeping, 'keep');
  } catch (error) {
    controller.abort(error);
    keeping.then(({ file }) => blobs.remove(file.id)).catch(() => undefined);
    throw error;
  }
}
