// A real disk that is soon full, of bytes or of inodes: a small tmpfs, if the machine permits a mount.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export type SmallDisk = {
  /** Uses up all the free space. */
  fill(): void;
  /** Uses up all inodes: there is free space, but no file can be created. */
  fillInodes(): void;
  free(): void;
  unmount(): void;
};

/** Undefined, with a printed line, if mounting is not permitted. */
export function mountSmallDisk(folder: string, mebibytes: number): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,nr_inodes=200`, 'tmpfs', folder], {
      stdio: 'pipe',
    });
  } catch {
    console.log(`skipped: no permission to mount a tmpfs of ${mebibytes} MiB, so the full disk is not tested`);
    return undefined;
  }
  const filler = join(folder, 'filler');
  const names = join(folder, 'filler-of-inodes');
  return {
    fill: () => {
      const file = openSync(filler, 'a');
      try {
        for (;;) writeSync(file, Buffer.alloc(4096));
      } catch {
        closeSync(file);
      }
    },
    fillInodes: () => {
      mkdirSync(names);
      try {
        for (let count = 0; ; count++) writeFileSync(join(names, String(count)), '');
      } catch {}
    },
    free: () => {
      rmSync(filler, { force: true });
      rmSync(names, { recursive: true, force: true });
    },
    unmount: () => void execFileSync('umount', ['-l', folder]),
  };
}
