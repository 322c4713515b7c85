// Pauses, resumes and cancels an upload from outside of its call, and the states that an upload reports.

/**
 * `waiting`: there is no connection, or the service asked to wait; it goes on by itself. `sending`: bytes are on their way.
 * `finishing`: all bytes have arrived, and the service checks and stores the file. `paused`: until `control.resume()`.
 */
export type UploadState = 'waiting' | 'sending' | 'finishing' | 'paused';

export type UploadControl = {
  /** Stops sending. What has arrived is kept. */
  pause(): void;
  /** Goes on where the upload was paused. */
  resume(): void;
  /** Ends the upload for good: the call fails with `ABORTED`, and the service forgets the bytes. */
  cancel(): void;
  readonly isPaused: boolean;
  readonly isCancelled: boolean;
  /** Calls the listener after each change. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
};

/**
 * Creates the control of one upload, or of several: pass it as `control`.
 * @example
 * const control = createUploadControl();
 * const film = new File(['…'], 'film.mp4', { type: 'video/mp4' });
 * const stored = gatehouse.files.upload(film, { purpose: 'video', control });
 * control.pause();
 * control.resume();
 * await stored;
 */
export function createUploadControl(): UploadControl {
  const listeners = new Set<() => void>();
  let isPaused = false;
  let isCancelled = false;
  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  const setPaused = (value: boolean) => {
    if (isPaused === value || isCancelled) return;
    isPaused = value;
    notify();
  };
  return {
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    cancel: () => {
      if (isCancelled) return;
      isCancelled = true;
      notify();
    },
    get isPaused() {
      return isPaused;
    },
    get isCancelled() {
      return isCancelled;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
