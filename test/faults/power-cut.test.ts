// The power is cut: what the disk had not been told to keep is gone. A file system on a loop device is shut down without its journal.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openCrashRig } from './crash-rig.ts';
import { rounds } from './rounds.ts';
import { undoAfter } from './undo.ts';

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH; Node has no way to say it. */
const cut = `import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))`;

type LoopDisk = { readonly folder: string; cutPower(): void; mount(): void; remove(): void };

/** Undefined, and a line that says so, where the machine permits none of it. */
function makeLoopDisk(): LoopDisk | undefined {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-loop-'));
  const [image, folder] = [join(root, 'image'), join(root, 'disk')];
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' });
  const mount = () => void run('mount', '-o', 'loop', image, folder);
  const unmount = () => void run('umount', folder);
  mkdirSync(folder);
  try {
    run('truncate', '-s', '256M', image);
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

describe('a power cut', () => {
  it('loses nothing that was acknowledged and lets nothing be used twice', async (test) => {
    const disk = makeLoopDisk();
    if (disk === undefined) return test.skip('cutting the power of an image is not permitted here');
    const undo = undoAfter(test);
    undo(disk.remove);
    const rig = await openCrashRig('sqlite', { DATA_DIR: join(disk.folder, 'data') });
    undo(rig.dispose);
    for (let round = 0; round < rounds(2); round++) {
      await rig.strike(async (service) => {
        disk.cutPower();
        await service.stop('SIGKILL');
        disk.mount();
      });
    }
    test.diagnostic(await rig.finish());
  });
});
