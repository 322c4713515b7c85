// Preloaded into every test process: ends a file that hangs, for example on a timer that nobody cleared, and names it.
import { isMainThread } from 'node:worker_threads';

const minutes = Number(process.env.TEST_FILE_MINUTES ?? '10');

if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined) {
  setTimeout(() => {
    const held = process.getActiveResourcesInfo().join(', ');
    console.error(`${process.argv[1]} did not end within ${minutes} minutes. It still holds: ${held}`);
    process.exit(1);
  }, minutes * 60_000).unref();
}
