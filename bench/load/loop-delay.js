// Loaded into a measured service: writes the 99th percentile of its event-loop delay, in milliseconds, twice a second.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BENCH_LOOP_DELAY ?? '';
const resolution = 2;

if (isMainThread && file !== '') {
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  setInterval(() => {
    // The histogram measures the time between two samples, which includes one resolution.
    writeFileSync(file, String(Math.max(0, histogram.percentile(99) / 1e6 - resolution)));
  }, 500).unref();
}
