// Loaded into a measured service: each thread leaves a file named by its number in the system that says which program it runs.
import { readlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.BENCH_THREADS ?? '';

if (!isMainThread && folder !== '' && process.platform === 'linux') {
  writeFileSync(join(folder, basename(readlinkSync('/proc/thread-self'))), process.argv.at(-1) ?? '');
}
