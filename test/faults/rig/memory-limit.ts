// A memory limit for processes of a test, enforced by the kernel, if the machine permits a control group.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type MemoryLimit = {
  /** A command prefix that puts a command under the limit and makes it the first to be killed when the limit is reached. */
  readonly within: readonly string[];
  remove(): void;
};

/** The two versions of control groups: their folders and the names of their files. */
const generations = [
  { root: '/sys/fs/cgroup/memory', most: 'memory.limit_in_bytes' },
  { root: '/sys/fs/cgroup', most: 'memory.max' },
];

/** Undefined, with a printed line, if that is not permitted. */
export function limitMemory(mebibytes: number): MemoryLimit | undefined {
  for (const { root, most } of generations) {
    const group = join(root, `gatehouse-${process.pid}`);
    try {
      mkdirSync(group);
      if (!existsSync(join(group, most))) throw new Error('no memory limit here');
      writeFileSync(join(group, most), String(mebibytes * 2 ** 20));
    } catch {
      if (existsSync(group)) rmdirSync(group);
      continue;
    }
    const procs = join(group, 'cgroup.procs');
    return {
      within: ['sh', '-c', `echo $$ > ${procs} && echo 500 > /proc/self/oom_score_adj && exec "$@"`, 'sh'],
      remove: () => rmdirSync(group),
    };
  }
  console.log('skipped: no permission to create a control group, so no memory limit is tested');
  return undefined;
}
