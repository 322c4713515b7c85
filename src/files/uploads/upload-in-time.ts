// Runs the steps of an upload with time-outs, until the client disconnects. Cleans up after a step that ends too late.

import { Failure } from '../../kernel/failure.ts';
import { waitFor } from '../../kernel/work/deadline.ts';
import type { FileDeps } from '../deps.ts';
import type { StoredFile } from '../stored-file.ts';
import { removeBytes } from '../sweeps/remove-bytes.ts';
import type { UploadTimes } from './upload-times.ts';

/** The steps of the service that have a time-out in UploadTimes. */
type Step = 'step' | 'keep' | 'release';

export type Wait = <T>(work: Promise<T>, step: Step) => Promise<T>;

export function createWait(times: UploadTimes, signal: AbortSignal): Wait {
  const disconnected = new AbortController();
  const abort = () => disconnected.abort(new Failure('FILE_INCOMPLETE'));
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  return (work, step) =>
    waitFor(work, {
      milliseconds: times[`${step}Milliseconds`],
      late: () => tooLate(step),
      // Cleaning up continues after the client disconnects.
      signal: step === 'release' ? undefined : disconnected.signal,
    });
}

function tooLate(step: Step): Failure {
  const what = step === 'keep' ? 'proving and storing the file' : 'the disk of uploads under way';
  return new Failure('STORAGE_UNAVAILABLE', { retryAfterSeconds: 5 }, new Error(`${what} took too long`));
}

export type Kept = {
  readonly file: StoredFile;
  /** SHA-256 of the bytes as sent, in hex. Empty if it was not requested. */
  readonly fingerprint: string;
};

/** On a time-out or a disconnect, aborts the work. If the blob is stored anyway, it has no record and is removed. */
export async function keepInTime(
  deps: Pick<FileDeps, 'blobs' | 'removals' | 'clock'>,
  keep: (signal: AbortSignal) => Promise<Kept>,
  wait: Wait,
): Promise<Kept> {
  const controller = new AbortController();
  const keeping = keep(controller.signal);
  try {
    return await wait(keeping, 'keep');
  } catch (error) {
    controller.abort(error);
    keeping.then(({ file }) => removeBytes(deps, [file.id])).catch(() => undefined);
    throw error;
  }
}
