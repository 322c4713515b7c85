// A small disk of its own for the data of PostgreSQL: a tmpfs, which is full soon.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Undo } from './undo.ts';

/** The log of the primary keeps up to 512 MB for the standby. */
const mebibytes = 900;

/** The folder for the data. Needs root. */
export function mountDisk(undo: Undo): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder]);
  undo(() => {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true });
  });
  chmodSync(folder, 0o777);
  return join(folder, 'data');
}
