// A real disk that is soon full: a small tmpfs, where the machine permits to mount one.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export type SmallDisk = {
  /** Takes all the room that is left. */
  fill(): void;
  free(): void;
  unmount(): void;
};

/** Undefined, and a line that says so, where mounting is not permitted. */
export function mountSmallDisk(folder: string, mebibytes: number): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    console.log(`skipped: no permission to mount a tmpfs of ${mebibytes} MiB, so the full disk is not tested`);
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    fill: () => {
      const file = openSync(filler, 'a');
      try {
        for (;;) writeSync(file, Buffer.alloc(4096));
      } catch {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
    unmount: () => void execFileSync('umount', ['-l', folder]),
  };
}
