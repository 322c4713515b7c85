// Carries out the queue of uploads: sends files, keeps them over a reload, waits and goes on. The rules are in upload-queue.ts.
import { GatehouseError } from '../../client/src/gatehouse-error.ts';
import { newKey } from '../../client/src/new-key.ts';
import type { PendingUpload } from '../../client/src/pending-uploads.ts';
import { rememberedBytes } from '../../client/src/remember-upload.ts';
import { createUploadControl, type UploadControl } from '../../client/src/upload-control.ts';
import type { FileHandle } from '../../client/src/upload-memory.ts';
import type { FileRecord, TransferOptions } from '../../client/src/upload-options.ts';
import { texts } from './account-texts.ts';
import { claimUpload } from './claim-upload.ts';
import { gatehouse } from './gatehouse.ts';
import { judgeFailure } from './judge-failure.ts';
import { type KeptUpload, openQueueStore, type QueueStore } from './queue-store.ts';
import { createSpeedometer } from './speedometer.ts';
import { advance, emptyQueue, findStartable, type QueueEvent, type Upload, type UploadQueue } from './upload-queue.ts';

/** Where the bytes of an upload come from. */
export type Source = {
  readonly file?: File | undefined;
  readonly handle?: FileHandle | undefined;
  /** An upload of the client that a reload has cut off. */
  readonly pending?: PendingUpload | undefined;
};

export type Uploader = ReturnType<typeof createUploader>;

type Job = { readonly stop: AbortController; readonly control: UploadControl };

type Options = {
  readonly user: string;
  readonly onChange: (queue: UploadQueue) => void;
  readonly onStored: (record: FileRecord) => void;
  readonly onFailed: () => void;
};

/** More is not copied into the browser's storage: such files must be chosen again after a reload. */
const mostKeptBytes = 128 * 2 ** 20;

export function createUploader({ user, onChange, onStored, onFailed }: Options) {
  const store = openQueueStore(user);
  const sources = new Map<string, Source>();
  const claims = new Map<string, Promise<() => void>>();
  const jobs = new Map<string, Job>();
  let queue: UploadQueue = { ...emptyQueue, isOnline: navigator.onLine };
  const keptSizes = new Map<string, number>();
  let keptBytes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const dispatch = (event: QueueEvent) => {
    queue = advance(queue, event);
    onChange(queue);
    goOn();
  };

  /** Starts what may start, and comes back when the next may. */
  const goOn = () => {
    clearTimeout(timer);
    const [first] = findStartable(queue, Date.now());
    // Each start changes the queue, so the next one is found again.
    if (first !== undefined) return begin(first);
    const wait = queue.startsAt - Date.now();
    if (wait > 0) timer = setTimeout(goOn, wait);
  };

  const begin = (upload: Upload) => {
    const paused = jobs.get(upload.key);
    if (paused === undefined) void send(upload);
    else {
      paused.control.resume();
      dispatch({ kind: 'started', key: upload.key });
    }
  };

  const send = async (upload: Upload) => {
    const { key } = upload;
    const job = { stop: new AbortController(), control: createUploadControl() };
    jobs.set(key, job);
    dispatch({ kind: 'started', key });
    try {
      const record = await transfer(upload, sources.get(key) ?? {}, reportTo(upload, job));
      jobs.delete(key);
      forget(key);
      onStored(record);
      dispatch({ kind: 'stored', key });
    } catch (failure) {
      if (!(failure instanceof GatehouseError)) throw failure;
      const event = await judgeFailure(upload, failure, sources.get(key)?.file);
      // A new attempt may have begun while the user cancelled this one.
      if (jobs.get(key) === job) jobs.delete(key);
      if (event !== undefined) dispatch(event);
      onFailed();
    }
  };

  const reportTo = ({ key, size }: Upload, { stop, control }: Job): TransferOptions => {
    const speed = createSpeedometer();
    const report = (sentBytes: number, bytesPerSecond: number) =>
      dispatch({ kind: 'progressed', key, sentBytes, bytesPerSecond });
    return {
      signal: stop.signal,
      control,
      onProgress: ({ sentBytes }) => report(sentBytes, speed.at(sentBytes)),
      onState: (state) => {
        if (state === 'finishing') report(size, 0);
        if (state === 'waiting') dispatch({ kind: 'stalled', key, message: texts.waiting });
      },
    };
  };

  /** From now on this tab alone sends it, and a reload does not lose it. */
  const keep = ({ key, name, size, type, purpose }: Upload, { file, handle }: Source) => {
    claims.set(key, claimUpload(key));
    const isSmall = size <= rememberedBytes && keptBytes + size <= mostKeptBytes;
    if (isSmall) {
      keptSizes.set(key, size);
      keptBytes += size;
    }
    const kept = { key, user, name, size, type, purpose, addedAt: Date.now(), handle };
    // A browser that keeps no bytes keeps at least what the upload is.
    const puts = isSmall
      ? [
          { ...kept, file },
          { ...kept, file: undefined },
        ]
      : [{ ...kept, file: undefined }];
    void putFirst(store, puts).then((put) => {
      if (put?.file !== undefined || put?.handle !== undefined) dispatch({ kind: 'kept', key });
    });
  };

  /** A reload does not bring it back, and other tabs may have it. */
  const leave = (key: string) => {
    store.remove(key).catch(() => undefined);
    void claims.get(key)?.then((giveBack) => giveBack());
    claims.delete(key);
    keptBytes -= keptSizes.get(key) ?? 0;
    keptSizes.delete(key);
  };

  const forget = (key: string) => {
    leave(key);
    sources.delete(key);
  };

  const stop = (key: string) => {
    jobs.get(key)?.stop.abort();
    jobs.delete(key);
  };

  const add = (added: readonly { readonly upload: Upload; readonly source: Source }[]) => {
    for (const { upload, source } of added) {
      sources.set(upload.key, source);
      if (upload.state === 'waiting') keep(upload, source);
    }
    dispatch({ kind: 'added', uploads: added.map(({ upload }) => upload) });
  };

  const retry = (key: string) => {
    const upload = queue.uploads.find((each) => each.key === key);
    const source = sources.get(key) ?? {};
    // A cancelled upload of the client is gone: it begins again with the file.
    sources.set(key, { ...source, pending: undefined });
    if (upload !== undefined && !claims.has(key)) keep(upload, source);
    dispatch(source.file === undefined ? { kind: 'gone', key } : { kind: 'retried', key });
  };

  return {
    now: () => queue,
    store,
    dispatch,
    add,
    /** Adds what an earlier page has left. This tab has claimed it. */
    takeOver: (upload: Upload, source: Source, giveBack: () => void) => {
      claims.set(upload.key, Promise.resolve(giveBack));
      sources.set(upload.key, source);
      dispatch({ kind: 'added', uploads: [upload] });
    },
    sourceOf: (key: string): Source => sources.get(key) ?? {},
    /** The user has chosen the file of an upload again. */
    find: (key: string, file: File) => {
      sources.set(key, { ...sources.get(key), file });
      dispatch({ kind: 'found', key });
    },
    cancel: (key: string) => {
      stop(key);
      void sources
        .get(key)
        ?.pending?.cancel()
        .catch(() => undefined);
      leave(key);
      dispatch({ kind: 'cancelled', key });
    },
    pause: (key: string) => {
      jobs.get(key)?.control.pause();
      store.setPaused(key, true).catch(() => undefined);
      dispatch({ kind: 'paused', key });
    },
    resume: (key: string) => {
      store.setPaused(key, false).catch(() => undefined);
      dispatch({ kind: 'resumed', key });
    },
    retry: (key: string) => retry(key),
    retryAll: () => {
      for (const { key, state } of queue.uploads) if (state === 'failed') retry(key);
    },
    move: (key: string, purpose: string) => {
      const source = sources.get(key) ?? {};
      const next = newKey();
      stop(key);
      forget(key);
      sources.set(next, source);
      dispatch({ kind: 'moved', key, newKey: next, purpose });
      const moved = queue.uploads.find((upload) => upload.key === next);
      if (moved !== undefined) keep(moved, source);
    },
    dismiss: (key: string) => {
      stop(key);
      forget(key);
      dispatch({ kind: 'dismissed', key });
    },
    end: () => clearTimeout(timer),
  };
}

/** Returns the first one that the browser keeps. */
async function putFirst(
  { put }: Pick<QueueStore, 'put'>,
  [first, ...others]: readonly KeptUpload[],
): Promise<KeptUpload | undefined> {
  if (first === undefined) return undefined;
  return put(first).then(
    () => first,
    () => putFirst({ put }, others),
  );
}

function transfer(
  { key, purpose, name }: Upload,
  { file, handle, pending }: Source,
  options: TransferOptions,
): Promise<FileRecord> {
  if (pending !== undefined) return pending.resume(file, options);
  if (file === undefined) throw new GatehouseError({ code: 'FILE_UNREADABLE', message: name });
  return gatehouse.files.upload(file, { ...options, purpose, handle, name, idempotencyKey: key });
}
