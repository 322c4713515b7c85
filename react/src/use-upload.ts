// The hook that uploads a file: its progress, and the means to pause, go on and cancel.
import {
  createUploadControl,
  type FileRecord,
  GatehouseError,
  type UploadControl,
  type UploadOptions,
} from '@gatehouse/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useGatehouse } from './use-gatehouse.ts';

/**
 * `waiting`: there is no connection, or the service asked to wait; it goes on by itself. `finishing`: all bytes have arrived, and the
 * service checks the file.
 */
export type UploadStatus = 'idle' | 'waiting' | 'sending' | 'finishing' | 'paused' | 'done' | 'failed' | 'cancelled';

type State = {
  readonly status: UploadStatus;
  /** From 0 to 1. */
  readonly progress: number;
  /** The stored file, when it is done. */
  readonly file: FileRecord | undefined;
  /** Why it failed. Show its `message`. */
  readonly error: GatehouseError | undefined;
};

export type Upload = State & {
  readonly isRunning: boolean;
  /** Returns the stored file, or undefined if it failed or was cancelled. A second call cancels the first. */
  readonly upload: (
    file: Blob,
    options?: Omit<UploadOptions, 'purpose' | 'control' | 'signal'> & { readonly purpose?: string },
  ) => Promise<FileRecord | undefined>;
  /** Of an upload in several requests. A small file goes in one request and is sent whole. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly cancel: () => void;
  /** Forgets the result. */
  readonly reset: () => void;
};

const idle: State = { status: 'idle', progress: 0, file: undefined, error: undefined };

/** `purpose`: what the file is for, see `client.files.purposes()`. An upload goes on if the component is removed. */
export function useUpload(purpose: string): Upload {
  const { client } = useGatehouse();
  const [state, setState] = useState(idle);
  const control = useRef<UploadControl>(undefined);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const upload = useCallback<Upload['upload']>(
    async (file, options = {}) => {
      control.current?.cancel();
      const own = createUploadControl();
      control.current = own;
      const show = (change: Partial<State>) => {
        if (isShown.current && control.current === own) setState((before) => ({ ...before, ...change }));
      };
      show({ ...idle, status: 'sending' });
      try {
        const stored = await client.files.upload(file, {
          purpose,
          ...options,
          control: own,
          onState: (status) => {
            show({ status });
            options.onState?.(status);
          },
          onProgress: (progress) => {
            show({ progress: progress.totalBytes === 0 ? 0 : progress.sentBytes / progress.totalBytes });
            options.onProgress?.(progress);
          },
        });
        show({ status: 'done', progress: 1, file: stored });
        return stored;
      } catch (error) {
        if (!(error instanceof GatehouseError)) throw error;
        show(error.code === 'ABORTED' ? { status: 'cancelled' } : { status: 'failed', error });
        return undefined;
      }
    },
    [client, purpose],
  );
  return {
    ...state,
    isRunning: ['waiting', 'sending', 'finishing', 'paused'].includes(state.status),
    upload,
    pause: () => control.current?.pause(),
    resume: () => control.current?.resume(),
    cancel: () => control.current?.cancel(),
    reset: () => setState(idle),
  };
}
