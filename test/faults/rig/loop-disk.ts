// A disk whose power can be cut: a file system on a loop device that is shut down without a flush of its journal.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH. Node cannot call it. */
const cut = `import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))`;

type LoopDisk = {
  readonly folder: string;
  /** Everything written before is on the disk afterwards. */
  sync(): void;
  cutPower(): void;
  /** Works only when no process has an open file on it. */
  mount(): void;
  remove(): void;
};

/** Undefined, with a printed line, if the machine does not permit it. */
export function makeLoopDisk(): LoopDisk | undefined {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-loop-'));
  // PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(root, 0o755);
  const [image, folder] = [join(root, 'image'), join(root, 'disk')];
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' });
  const mount = () => void run('mount', '-o', 'loop', image, folder);
  const unmount = () => void run('umount', folder);
  mkdirSync(folder);
  try {
    run('truncate', '-s', '2G', image);
    run('mkfs.ext4', '-q', '-F', image);
    mount();
    run('python3', '-c', cut, folder);
    unmount();
    mount();
  } catch {
    rmSync(root, { recursive: true, force: true });
    console.log('skipped: no permission to mount an image and cut its power, so power cuts are not tested');
    return undefined;
  }
  return {
    folder,
    sync: () => void run('sync', '-f', folder),
    cutPower: () => void run('python3', '-c', cut, folder),
    mount: () => {
      unmount();
      mount();
    },
    remove: () => {
      unmount();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
