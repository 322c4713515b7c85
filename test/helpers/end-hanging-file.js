// Preloaded into every test process: ends a file that hangs, for example on a timer that nobody cleared, and names it.
import { isMainThread } from 'node:worker_threads';

const minutes = Number(process.env.TEST_FILE_MINUTES ?? '10');

if (isMainThread) {
  setTimeout(() => {
    const held = process.getActiveResourcesInfo().join(', ');
    console.error(
      `${process.env.TEST_FILE ?? 'A unit test'} did not end within ${minutes} minutes. It still holds: ${held}`,
    );
    process.exit(1);
  }, minutes * 60_000).unref();
}
