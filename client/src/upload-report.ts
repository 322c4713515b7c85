// Tells the caller of an upload its progress, which never becomes less, and its state.
import type { UploadState } from './upload-control.ts';
import type { TransferOptions } from './upload-options.ts';

export type Report = {
  readonly sentBytes: number;
  progress(sentBytes: number): void;
  state(state: UploadState): void;
};

/** `before`: what an earlier page has reported. */
export function createReport(
  totalBytes: number,
  { onProgress, onState }: Pick<TransferOptions, 'onProgress' | 'onState'>,
  before = 0,
): Report {
  let sentBytes = Math.min(before, totalBytes);
  let reported = -1;
  let current: UploadState | undefined;
  return {
    get sentBytes() {
      return sentBytes;
    },
    progress: (bytes) => {
      sentBytes = Math.max(sentBytes, Math.min(bytes, totalBytes));
      if (sentBytes === reported) return;
      reported = sentBytes;
      tell(() => onProgress?.({ sentBytes, totalBytes }));
    },
    state: (state) => {
      if (state === current) return;
      current = state;
      tell(() => onState?.(state));
    },
  };
}

/** A fault of the caller's listener must not look like a broken connection. */
function tell(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}
