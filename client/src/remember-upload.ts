// Keeps what a running upload needs to go on after a reload, and forgets it at its end. A memory that fails stops no upload.
import type { FileHandle, RememberedUpload, UploadMemory } from './upload-memory.ts';

export type Reminder = {
  /** Writes what has changed. */
  note(change: Partial<Pick<RememberedUpload, 'id' | 'sentBytes'>>): void;
  /** Progress within a request: it is written a few times a second at most, and when the page is left. */
  progress(sentBytes: number): void;
  forget(): Promise<void>;
  /** Waits for what is being written, and writes no more. */
  close(): Promise<void>;
};

/** A browser copies the bytes that it remembers. */
export const rememberedBytes = 64 * 2 ** 20;

const writeEveryMilliseconds = 300;

export function createReminder(
  memory: UploadMemory,
  first: RememberedUpload,
  source: { readonly file: Blob; readonly handle?: FileHandle | undefined } | undefined,
): Reminder {
  let entry = first;
  let isClosed = false;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let last: Promise<unknown> = Promise.resolve();
  const then = (work: () => Promise<void>) => {
    last = last.then(work).catch(() => undefined);
  };
  const write = () => {
    writtenAt = Date.now();
    const now = entry;
    then(() => memory.save(now));
  };
  write();
  const isSmall = source !== undefined && source.file.size <= rememberedBytes;
  const kept = source?.handle ?? (isSmall ? source.file : undefined);
  if (kept !== undefined) then(() => memory.saveSource(first.key, kept));
  const onLeave = () => {
    if (!isClosed) write();
  };
  globalThis.addEventListener?.('pagehide', onLeave);
  const close = async () => {
    isClosed = true;
    globalThis.removeEventListener?.('pagehide', onLeave);
    await last;
  };
  return {
    note: (change) => {
      entry = { ...entry, ...change };
      if (!isClosed) write();
    },
    progress: (sentBytes) => {
      entry = { ...entry, sentBytes };
      // The clock may be set back.
      if (!isClosed && Math.abs(Date.now() - writtenAt) >= writeEveryMilliseconds) write();
    },
    forget: async () => {
      await close();
      then(() => memory.remove(first.key));
      await last;
    },
    close,
  };
}
