// What a failed attempt means for the upload: wait and go on, ask for the file again, or stop with a reason.
import type { GatehouseError } from '../../client/src/gatehouse-error.ts';
import type { QueueEvent, Upload } from './upload-queue.ts';

/** Undefined if the user stopped it. */
export async function judgeFailure(
  { key }: Upload,
  { code, status, message, retryAfterSeconds }: GatehouseError,
  file: Blob | undefined,
): Promise<QueueEvent | undefined> {
  const now = Date.now();
  if (code === 'ABORTED') return undefined;
  // A browser reports a file that was changed or removed like a broken connection.
  if (code === 'NETWORK') return (await isReadable(file)) ? { kind: 'lost', key, now } : { kind: 'gone', key };
  if (code === 'FILE_UNREADABLE' || code === 'FILE_NOT_SAME') return { kind: 'gone', key };
  if (code === 'RATE_LIMITED') return { kind: 'postponed', key, until: now + (retryAfterSeconds ?? 10) * 1000 };
  if (code === 'UPLOAD_IN_PROGRESS') return { kind: 'postponed', key, until: now + 5000 };
  // The page leaves when the session has ended; the upload goes on after the next sign-in.
  if (status === 401) return { kind: 'postponed', key, until: now + 10_000 };
  // There may be room as soon as the user has deleted something.
  if (code === 'FILE_QUOTA_EXCEEDED') return { kind: 'failed', key, message };
  const mayPass = status === 429 || status >= 500 || code === 'UPLOAD_NOT_FOUND' || code === 'UPLOAD_EXPIRED';
  return mayPass ? { kind: 'stumbled', key, now, message } : { kind: 'refused', key, message };
}

async function isReadable(file: Blob | undefined): Promise<boolean> {
  try {
    await file?.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
