// Uploads a file: a small one in one request, a large one in several. The idempotency key makes it safe to repeat.
import type { Access } from './access.ts';
import { toGatehouseError } from './gatehouse-error.ts';
import { markOf, nameOf, timeOf } from './mark-file.ts';
import { newKey } from './new-key.ts';
import { readAnswer } from './read-answer.ts';
import { createReminder } from './remember-upload.ts';
import { resumableUpload } from './resumable-upload.ts';
import { retry } from './retry.ts';
import type { RunningUploads } from './running-uploads.ts';
import { sendBy } from './send-bytes.ts';
import { finishSeconds, sendWatched } from './send-watched.ts';
import { mayRepeatUpload, uploadHeaders } from './upload-headers.ts';
import { createUploadMemory, type RememberedUpload, type UploadMemory } from './upload-memory.ts';
import { type FileRecord, resumableAbove, type TransferOptions, type UploadOptions } from './upload-options.ts';
import { createReport } from './upload-report.ts';
import { createUploadRequests } from './upload-requests.ts';
import { createStop, type Stop, whilePaused } from './upload-stop.ts';
import { type WaitFor, waitFor } from './wait-for.ts';
import { lineOf, type WireOptions } from './wire.ts';

export type UploadParts = {
  readonly access: Access;
  readonly wire: WireOptions;
  readonly mayUseXhr: boolean;
  readonly memory: UploadMemory;
  readonly running: RunningUploads;
  /** The ID of the signed-in user, if it is known. */
  readonly currentUser: () => Promise<string | undefined>;
  readonly onSignOut: (listener: () => void) => () => void;
  /** For tests. */
  readonly wait?: WaitFor;
};

const usualPatience = 86_400;

export async function uploadFile(parts: UploadParts, file: Blob, options: UploadOptions): Promise<FileRecord> {
  const { resumable = 'auto', idempotencyKey: key = newKey() } = options;
  const isResumable = resumable === 'auto' ? file.size > resumableAbove : resumable;
  if (!isResumable) return withStop(parts, options, (stop) => uploadAtOnce(parts, file, { ...options, key }, stop));
  return parts.running.run(key, async () => {
    const user = await parts.currentUser();
    const upload = {
      key,
      user: user ?? '',
      purpose: options.purpose,
      name: options.name ?? nameOf(file),
      fileName: nameOf(file),
      type: file.type,
      size: file.size,
      lastModified: timeOf(file),
      mark: await markOf(file),
      id: undefined,
      sentBytes: 0,
      startedAt: Date.now(),
    };
    return uploadInSeveral(parts, { file, upload, source: { file, handle: options.handle } }, options);
  });
}

type Job = {
  readonly file: Blob;
  readonly upload: RememberedUpload;
  /** What to remember, if it is not remembered yet. */
  readonly source?: { readonly file: Blob; readonly handle?: UploadOptions['handle'] };
};

/** The caller holds the upload in `running`. */
export function uploadInSeveral(parts: UploadParts, job: Job, options: TransferOptions): Promise<FileRecord> {
  const { access, wire, mayUseXhr, currentUser, memory, wait = waitFor } = parts;
  const { file, upload, source } = job;
  const { key, name, purpose, id, sentBytes } = upload;
  return withStop(parts, options, (stop) => {
    stop.check();
    const requests = createUploadRequests({
      access,
      wire,
      send: sendBy(mayUseXhr),
      stop,
      isSameUser: async () => upload.user === '' || (await currentUser()) === upload.user,
      purpose,
      headers: uploadHeaders(file, key, name),
    });
    const report = createReport(file.size, options, sentBytes);
    const reminder = createReminder(upload.user === '' ? createUploadMemory() : memory, upload, source);
    return resumableUpload(
      { requests, report, reminder, stop, wait },
      { file, id, patience: options.patience ?? usualPatience },
    );
  });
}

async function uploadAtOnce(
  { access, wire, mayUseXhr }: UploadParts,
  file: Blob,
  { purpose, name, key, onProgress, onState }: UploadOptions & { readonly key: string },
  stop: Stop,
): Promise<FileRecord> {
  const [method, path] = lineOf('uploadFile', undefined, { purpose });
  const send = sendBy(mayUseXhr);
  const ownHeaders = {
    ...uploadHeaders(file, key, name),
    ...(wire.language !== undefined && { 'accept-language': wire.language }),
  };
  const report = createReport(file.size, { onProgress, onState });
  const url = `${wire.base}${path}`;
  const tell = (sentBytes: number) => {
    report.progress(sentBytes);
    report.state(sentBytes < file.size ? 'sending' : 'finishing');
  };
  // An attempt may take longer than the lifetime of a token, so each attempt gets a current one.
  const attempt = () =>
    access.run(async (headers) =>
      readAnswer(
        await stop.run((signal) =>
          sendWatched(
            send,
            wire,
            { method, url, headers: { ...headers, ...ownHeaders }, body: file, signal, onProgress: tell },
            finishSeconds(send, file),
          ),
        ),
      ),
    );
  for (;;) {
    if (stop.isPaused) await whilePaused(stop, report);
    try {
      return (await retry(attempt, mayRepeatUpload)) as FileRecord;
    } catch (error) {
      stop.check();
      // After a pause the file is sent again from its beginning.
      if (toGatehouseError(error).code !== 'ABORTED') throw error;
    }
  }
}

async function withStop<T>(
  { onSignOut }: UploadParts,
  { signal, control }: TransferOptions,
  work: (stop: Stop) => Promise<T>,
): Promise<T> {
  const stop = createStop({ signal, control, onSignOut });
  try {
    return await work(stop);
  } finally {
    stop.close();
  }
}
