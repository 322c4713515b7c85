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
