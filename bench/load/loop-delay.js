// Loaded into a service that is watched: writes the 99th percentile of its event loop's delay, in milliseconds, twice a second.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BENCH_LOOP_DELAY ?? '';
const resolution = 2;

if (isMainThread && file !== '') {
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  setInterval(() => {
    // The histogram counts the pause between two looks, of which one resolution is meant.
    writeFileSync(file, String(Math.max(0, histogram.percentile(99) / 1e6 - resolution)));
  }, 500).unref();
}
