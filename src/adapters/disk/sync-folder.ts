// Syncs a folder, so that new and renamed entries survive a power cut.
import { close, fsync, open } from 'node:fs';

/** With callbacks: each upload does this once or twice, and a promise for each of the three steps would cost half as much again. */
export function syncFolder(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    open(folder, 'r', (openError, descriptor) => {
      if (openError !== null) return reject(openError);
      fsync(descriptor, (syncError) => {
        close(descriptor, (closeError) => {
          const error = syncError ?? closeError ?? undefined;
          if (error === undefined) resolve();
          else reject(error);
        });
      });
    });
  });
}

/** For a folder that many wait for: all calls that come during a sync share the next one. */
export function createSharedSync(folder: string, sync: typeof syncFolder = syncFolder): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = sync(folder);
        return running;
      });
    return next;
  };
}
