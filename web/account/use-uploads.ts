// The uploads under way: a few at a time, each with its progress, speed, time left, and a way to stop or try again.
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

const atOnce = 3;

type Job = { readonly stop: AbortController; readonly speed: Speedometer };

export function useUploads(onDone: (record: Calls['showFile']['data']) => void) {
  const [all, setAll] = useState<readonly Upload[]>([]);
  const queue = useRef<Upload[]>([]);
  const jobs = useRef(new Map<string, Job>());
  const isPaused = useRef(false);
  useLeaveWarning(all.some(({ state }) => state === 'sending' || state === 'waiting'));
  const change = (key: string, facts: Partial<Upload>) =>
    setAll((now) => now.map((upload) => (upload.key === key ? { ...upload, ...facts } : upload)));

  const next = () => {
    while (!isPaused.current && jobs.current.size < atOnce) {
      const upload = queue.current.shift();
      if (upload === undefined) return;
      void send(upload);
    }
  };

  /** The first in the queue again, and nothing new is sent until then. */
  const putOff = (upload: Upload, seconds: number) => {
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
      else putOff(upload, seconds);
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
    add: (files: readonly File[], purpose: Purpose, roomBytes: number) => {
      const added = files.map((file) => admit(file, purpose, roomBytes));
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

/** Whoever leaves while files are on their way is asked whether they mean it. */
function useLeaveWarning(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isBusy]);
}

/** What is certain to be refused is refused here, before a byte is sent. */
function admit(file: File, purpose: Purpose, roomBytes: number): Upload {
  const facts = { key: crypto.randomUUID(), file, purpose, sentBytes: 0, bytesPerSecond: 0 };
  const fault = findFault(file, purpose);
  if (fault !== undefined) return { ...facts, state: 'refused', message: explainFault(fault, file, purpose) };
  if (file.size <= roomBytes) return { ...facts, state: 'waiting' };
  return { ...facts, state: 'refused', message: fill(texts.noRoom, { left: formatBytes(roomBytes) }) };
}

/** Where nothing is needed but patience: many files at once, or an earlier try that the service still holds to be under way. */
function secondsToWait({ code, retryAfterSeconds }: GatehouseError): number | undefined {
  if (code === 'RATE_LIMITED') return retryAfterSeconds ?? 10;
  return code === 'UPLOAD_IN_PROGRESS' ? 5 : undefined;
}

/** Trying again may help where nothing is wrong with the file itself. */
function outcomeOf({ code, status, message }: GatehouseError): Partial<Upload> {
  if (code === 'ABORTED') return { state: 'cancelled' };
  if (code === 'NETWORK') return { state: 'failed', message: texts.uploadCut };
  return { state: status === 429 || status >= 500 ? 'failed' : 'refused', message };
}
