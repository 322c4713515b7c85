// The uploads of the page: a few at the same time, each with progress and speed. Uploads can be cancelled and retried.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Calls } from '../../client/src/api-types.ts';
import { findFault } from '../../client/src/find-fault.ts';
import { GatehouseError } from '../../client/src/gatehouse-error.ts';
import { fill } from '../parts/facts.ts';
import { formatBytes } from '../parts/format.ts';
import { gatehouse } from '../parts/gatehouse.ts';
import { texts } from './account-texts.ts';
import { explainFault } from './explain-fault.ts';
import type { Purpose } from './purpose-texts.ts';
import { createSpeedometer, type Speedometer } from './speedometer.ts';

export type Upload = {
  readonly key: string;
  readonly file: File;
  readonly purpose: Purpose;
  readonly state: 'waiting' | 'sending' | 'checking' | 'done' | 'failed' | 'refused' | 'cancelled';
  readonly sentBytes: number;
  readonly bytesPerSecond: number;
  readonly message?: string;
};

const maxParallel = 3;

type Job = { readonly stop: AbortController; readonly speed: Speedometer };

export function useUploads(onDone: (record: Calls['showFile']['data']) => void) {
  const [all, setAll] = useState<readonly Upload[]>([]);
  const queue = useRef<Upload[]>([]);
  const jobs = useRef(new Map<string, Job>());
  const isPaused = useRef(false);
  useLeaveWarning(all.some(({ state }) => state === 'sending' || state === 'waiting'));
  const change = (key: string, changes: Partial<Upload>) =>
    setAll((now) => now.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)));

  const next = () => {
    while (!isPaused.current && jobs.current.size < maxParallel) {
      const upload = queue.current.shift();
      if (upload === undefined) return;
      void send(upload);
    }
  };

  /** Puts the upload back to the front of the queue, and pauses all new uploads. */
  const postpone = (upload: Upload, seconds: number) => {
    queue.current.unshift(upload);
    change(upload.key, { state: 'waiting', sentBytes: 0 });
    if (isPaused.current) return;
    isPaused.current = true;
    setTimeout(() => {
      isPaused.current = false;
      next();
    }, seconds * 1000);
  };

  const send = async (upload: Upload) => {
    const { key, file, purpose } = upload;
    const job = { stop: new AbortController(), speed: createSpeedometer() };
    jobs.current.set(key, job);
    change(key, { state: 'sending', sentBytes: 0, bytesPerSecond: 0 });
    try {
      const record = await gatehouse.files.upload(file, {
        purpose: purpose.name,
        idempotencyKey: key,
        signal: job.stop.signal,
        onProgress: ({ sentBytes, totalBytes }) =>
          change(key, {
            state: sentBytes < totalBytes ? 'sending' : 'checking',
            sentBytes: Math.min(sentBytes, file.size),
            bytesPerSecond: job.speed.at(sentBytes),
          }),
      });
      setAll((now) => now.filter((upload) => upload.key !== key));
      onDone(record);
    } catch (failure) {
      if (!(failure instanceof GatehouseError)) throw failure;
      const seconds = secondsToWait(failure);
      if (seconds === undefined) change(key, outcomeOf(failure));
      else postpone(upload, seconds);
    } finally {
      jobs.current.delete(key);
      next();
    }
  };

  const enqueue = (uploads: readonly Upload[]) => {
    queue.current.push(...uploads.filter(({ state }) => state === 'waiting'));
    next();
  };

  return {
    all,
    add: (files: readonly File[], purpose: Purpose, freeBytes: number) => {
      const added = files.map((file) => admit(file, purpose, freeBytes));
      setAll((now) => [...added, ...now]);
      enqueue(added);
    },
    cancel: (key: string) => {
      queue.current = queue.current.filter((upload) => upload.key !== key);
      jobs.current.get(key)?.stop.abort();
      change(key, { state: 'cancelled' });
    },
    retry: (key: string) => {
      const upload = all.find((one) => one.key === key);
      if (upload === undefined) return;
      const { message: _, ...rest } = upload;
      const again = { ...rest, state: 'waiting' as const };
      setAll((now) => now.map((one) => (one.key === key ? again : one)));
      enqueue([again]);
    },
    dismiss: (key: string) => setAll((now) => now.filter((upload) => upload.key !== key)),
  };
}

/** While uploads are running, the browser asks the user to confirm before it leaves the page. */
function useLeaveWarning(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isBusy]);
}

/** Refuses a file before the upload if the service would certainly refuse it. */
function admit(file: File, purpose: Purpose, freeBytes: number): Upload {
  const upload = { key: crypto.randomUUID(), file, purpose, sentBytes: 0, bytesPerSecond: 0 };
  const fault = findFault(file, purpose);
  if (fault !== undefined) return { ...upload, state: 'refused', message: explainFault(fault, file, purpose) };
  if (file.size <= freeBytes) return { ...upload, state: 'waiting' };
  return { ...upload, state: 'refused', message: fill(texts.noRoom, { left: formatBytes(freeBytes) }) };
}

/** Returns how long to wait if waiting is enough: too many files at once, or an earlier attempt still in progress. */
function secondsToWait({ code, retryAfterSeconds }: GatehouseError): number | undefined {
  if (code === 'RATE_LIMITED') return retryAfterSeconds ?? 10;
  return code === 'UPLOAD_IN_PROGRESS' ? 5 : undefined;
}

/** `failed` uploads can be retried. `refused` ones cannot, because something is wrong with the file. */
function outcomeOf({ code, status, message }: GatehouseError): Partial<Upload> {
  if (code === 'ABORTED') return { state: 'cancelled' };
  if (code === 'NETWORK') return { state: 'failed', message: texts.uploadCut };
  return { state: status === 429 || status >= 500 ? 'failed' : 'refused', message };
}
