// Empties a folder of the bench, and removes it when the bench ends.
import { readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

const retired = new Set<string>();

/**
 * Not removed at once: for some minutes ext4 does not use the numbers of deleted files again, and looks at each before it finds a free one. After
 * a run with thousands of files, creating one would cost the next run many times as much.
 */
export function retire(folder: string): void {
  if (retired.size === 0)
    process.once('exit', () => {
      for (const each of retired) rmSync(each, { recursive: true, force: true });
    });
  retired.add(folder);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) truncateSync(join(entry.parentPath, entry.name));
}
