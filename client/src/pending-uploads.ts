// The uploads of the signed-in user that were cut off by a reload or a crash, and how each one goes on.
import { GatehouseError } from './gatehouse-error.ts';
import { isSameFile, readable } from './mark-file.ts';
import { type UploadParts, uploadInSeveral } from './upload-file.ts';
import type { FileHandle, RememberedUpload } from './upload-memory.ts';
import type { FileRecord, TransferOptions } from './upload-options.ts';
import { cancelUpload } from './upload-requests.ts';

export type PendingUpload = {
  /** The idempotency key of the upload. */
  readonly key: string;
  readonly purpose: string;
  readonly name: string | undefined;
  readonly type: string;
  readonly size: number;
  readonly lastModified: number | undefined;
  /** What was last reported as progress. */
  readonly sentBytes: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The bytes are at hand: `resume()` needs nothing more. */
  readonly canResume: boolean;
  /**
   * What `resume` needs: `nothing`; a `permission` that the browser asks the user for, so call it in a click; or the `file`, which the user
   * must choose again.
   */
  readonly needs: 'nothing' | 'permission' | 'file';
  /** Whether these are the bytes of this upload: by name, size, time, and the first and last 64 KiB. */
  matches(file: Blob): Promise<boolean>;
  /** Goes on, with the same result as `upload`. Fails with `FILE_NOT_SAME` if the file is another one. */
  resume(file?: Blob, options?: TransferOptions): Promise<FileRecord>;
  /** Ends the upload, also at the service if it can be reached. */
  cancel(): Promise<void>;
};

/** The service keeps nothing for longer, and a user who has not come back will not. */
const rememberedMilliseconds = 7 * 86_400_000;

export async function listPendingUploads(parts: UploadParts): Promise<readonly PendingUpload[]> {
  const { memory, running, currentUser } = parts;
  const user = await currentUser();
  if (user === undefined) return [];
  const [all, busy] = await Promise.all([memory.list().catch(() => []), running.list()]);
  const old = all.filter(({ key, startedAt }) => startedAt < Date.now() - rememberedMilliseconds && !busy.has(key));
  await Promise.all(old.map(({ key }) => memory.remove(key).catch(() => undefined)));
  const own = all.filter((upload) => upload.user === user && !busy.has(upload.key) && !old.includes(upload));
  own.sort((one, other) => one.startedAt - other.startedAt);
  return Promise.all(own.map((upload) => pendingUpload(parts, upload)));
}

async function pendingUpload(parts: UploadParts, upload: RememberedUpload): Promise<PendingUpload> {
  const { memory, running } = parts;
  const { key, purpose, name, type, size, lastModified, sentBytes, startedAt } = upload;
  const source = await memory.source(key).catch(() => undefined);
  const needs = await needsOf(source);
  const matches = (file: Blob) => isSameFile(upload, file);
  return {
    ...{ key, purpose, name, type, size, lastModified, sentBytes, startedAt },
    needs,
    canResume: needs === 'nothing',
    matches,
    resume: async (chosen, options = {}) => {
      // At once, while the browser still knows the click that allows the question.
      const file = chosen ?? (await bytesOf(source));
      if (!(await matches(file))) throw notSame();
      return running.run(key, async () => {
        const now = (await memory.list().catch(() => [])).find((each) => each.key === key) ?? upload;
        const job = { file, upload: now, ...(chosen !== undefined && { source: { file } }) };
        return uploadInSeveral(parts, job, options);
      });
    },
    cancel: async () =>
      running.run(key, async () => {
        await memory.remove(key);
        if (upload.id !== undefined) cancelUpload(parts, upload.id);
      }),
  };
}

async function needsOf(source: Blob | FileHandle | undefined): Promise<PendingUpload['needs']> {
  if (source === undefined) return 'file';
  if (!('getFile' in source)) return 'nothing';
  return (await source.queryPermission?.()) === 'prompt' ? 'permission' : 'nothing';
}

async function bytesOf(source: Blob | FileHandle | undefined): Promise<Blob> {
  if (source === undefined) throw notSame();
  if (!('getFile' in source)) return source;
  return readable(async () => {
    await source.requestPermission?.();
    return source.getFile();
  });
}

function notSame(): GatehouseError {
  return new GatehouseError({ code: 'FILE_NOT_SAME', message: 'Choose the file that the upload began with.' });
}
