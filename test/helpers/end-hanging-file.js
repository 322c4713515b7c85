// Preloaded into every test process: ends a file that hangs, for example on a timer that nobody cleared, and names it.
import { isMainThread } from 'node:worker_threads';

const minutes = Number(process.env.TEST_FILE_MINUTES ?? '10');

// The process of all unit tests has no context of a runner.
const runsTests = process.env.NODE_TEST_CONTEXT !== undefined || process.execArgv.includes('--test-isolation=none');

if (isMainThread && runsTests) {
  setTimeout(() => {
    const held = process.getActiveResourcesInfo().join(', ');
    console.error(
      `${process.env.NODE_TEST_CONTEXT === undefined ? 'A unit test' : process.argv[1]} did not end within ${minutes} minutes. It still holds: ${held}`,
    );
    process.exit(1);
  }, minutes * 60_000).unref();
}
