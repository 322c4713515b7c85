// What the caller of an upload may say, and what it is informed of.
import type { Calls } from './api-types.ts';
import type { UploadControl, UploadState } from './upload-control.ts';
import type { FileHandle } from './upload-memory.ts';

export type FileRecord = Calls['showFile']['data'];

/** `sentBytes` never becomes less: not after a broken connection, and not after a reload. */
export type Progress = { readonly sentBytes: number; readonly totalBytes: number };

/** Larger files are sent in several requests, so that a broken connection costs little. */
export const resumableAbove = 8 * 2 ** 20;

export type TransferOptions = {
  /** Without XMLHttpRequest (Node) it is called after each request only. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onState?: ((state: UploadState) => void) | undefined;
  /** Cancels the upload, as `control.cancel()` does. */
  readonly signal?: AbortSignal | undefined;
  /** Pauses, resumes and cancels the upload: `createUploadControl()`. */
  readonly control?: UploadControl | undefined;
  /**
   * Of a resumable upload: how many seconds it waits in all for a connection or a busy service before it fails. Time that the machine sleeps does not
   * count. Default: a day.
   */
  readonly patience?: number | undefined;
};

export type UploadOptions = TransferOptions & {
  readonly purpose: string;
  /** Replaces the name of the file. */
  readonly name?: string | undefined;
  /** Default: a new key for each upload. Pass your own key to repeat an upload after a restart of the app. */
  readonly idempotencyKey?: string | undefined;
  /**
   * `true`: in several requests; the upload waits while there is no connection, goes on where it was cut, and after a reload. `false`: in one
   * request, with three attempts. `auto` (the default): in several requests if the file is larger than `resumableAbove`.
   */
  readonly resumable?: boolean | 'auto' | undefined;
  /** The handle of the file, if you have it: of `showOpenFilePicker`, or of drag and drop. The upload then goes on after a reload. */
  readonly handle?: FileHandle | undefined;
};
