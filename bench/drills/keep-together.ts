// Keeps all files of a run in one folder, and at its end removes it and ends whatever process of this one is still there.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function keepTogether(): { end(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-drills-'));
  // PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return {
    end: () => {
      for (const pid of findChildren()) killQuietly(pid);
      // A process that has just been killed may still write.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** A signal may arrive while a process starts, before anybody has noted how to end it. */
function findChildren(): number[] {
  return readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8')
      .split(' ')
      .filter((word) => word !== '')
      .map(Number),
  );
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
