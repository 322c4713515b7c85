// What can stop the requests of an upload: a pause, a cancellation by control or signal, and a sign-out.
import { GatehouseError, toGatehouseError } from './gatehouse-error.ts';
import type { UploadControl } from './upload-control.ts';
import type { Report } from './upload-report.ts';

export type Stop = {
  readonly isPaused: boolean;
  readonly isCancelled: boolean;
  /** Throws if the upload is cancelled or the user has signed out. */
  check(): void;
  /** Runs a request with a signal that aborts on a pause, a cancellation and a sign-out. */
  run<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T>;
  onChange(listener: () => void): () => void;
  /** Removes the listeners. */
  close(): void;
};

type Parts = {
  readonly signal: AbortSignal | undefined;
  readonly control: UploadControl | undefined;
  readonly onSignOut: (listener: () => void) => () => void;
};

export function createStop({ signal, control, onSignOut }: Parts): Stop {
  const listeners = new Set<() => void>();
  let isSignedOut = false;
  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  const stops = [
    control?.onChange(notify),
    onSignOut(() => {
      isSignedOut = true;
      notify();
    }),
  ];
  signal?.addEventListener('abort', notify);
  const isCancelled = () => signal?.aborted === true || control?.isCancelled === true;
  const isPaused = () => control?.isPaused === true;
  const onChange = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get isPaused() {
      return isPaused();
    },
    get isCancelled() {
      return isCancelled();
    },
    check: () => {
      if (isCancelled()) throw toGatehouseError(undefined, true);
      if (isSignedOut) throw signedOut();
    },
    run: async (request) => {
      const abort = new AbortController();
      const follow = () => {
        if (isCancelled() || isPaused() || isSignedOut) abort.abort();
      };
      const unfollow = onChange(follow);
      follow();
      try {
        return await request(abort.signal);
      } finally {
        unfollow();
      }
    },
    onChange,
    close: () => {
      signal?.removeEventListener('abort', notify);
      for (const stop of stops) stop?.();
    },
  };
}

export async function whilePaused(stop: Stop, report: Report): Promise<void> {
  report.state('paused');
  while (stop.isPaused) {
    stop.check();
    await new Promise<void>((resolve) => {
      const unfollow = stop.onChange(() => {
        unfollow();
        resolve();
      });
    });
  }
}

/** The bytes of one user must not go to the account of another. */
export function signedOut(): GatehouseError {
  const message = 'The user who began this upload is no longer signed in.';
  return new GatehouseError({ code: 'REFRESH_TOKEN_MISSING', message, status: 401 });
}
