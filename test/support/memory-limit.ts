// A bound on the memory of what a test starts, held by the kernel, where the machine lets us make a control group.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type MemoryLimit = {
  /** Words before a command that put it under the limit, and first in the row of those who are killed when it is reached. */
  readonly within: readonly string[];
  remove(): void;
};

/** The two generations of control groups: where they are, and what their files are called. */
const generations = [
  { root: '/sys/fs/cgroup/memory', most: 'memory.limit_in_bytes' },
  { root: '/sys/fs/cgroup', most: 'memory.max' },
];

/** Undefined, and a line that says so, where that is not permitted. */
export function limitMemory(mebibytes: number): MemoryLimit | undefined {
  for (const { root, most } of generations) {
    const group = join(root, `gatehouse-${process.pid}`);
    try {
      mkdirSync(group);
      if (!existsSync(join(group, most))) throw new Error('no bound on memory here');
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
  console.log('skipped: no permission to make a control group, so no bound on memory is tested');
  return undefined;
}
