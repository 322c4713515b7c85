// Runs collected tests one after another in this process.
import { type Context, newContext, type Suite, type Test } from './node-test.ts';

export type Failure = { test: Test; error: unknown };

/** An error that was thrown beside the test. It may come from something that an earlier test left behind. */
export class StrayError extends Error {}

/** A suite stays open after its tests, because its `before` may take longer than all of them. */
const open = new Set<Suite>();

let stray: ((error: unknown) => void) | undefined;
for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, (error) => stray?.(error));

function pathTo(suite: Suite): Suite[] {
  return suite.parent === undefined ? [suite] : [...pathTo(suite.parent), suite];
}

/** Runs the `before` of every suite around a test that is not open yet, then the test. */
export async function openAndRun(test: Test): Promise<Failure | undefined> {
  try {
    await openSuites(test, (_suite, run) => run());
  } catch (error) {
    return { test, error };
  }
  return runTest(test);
}

/** Opens the suites around a test. `around` is called for each `before`. */
export async function openSuites(
  test: Test,
  around: (suite: Suite, run: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const suite of pathTo(test.suite)) {
    if (open.has(suite)) continue;
    open.add(suite);
    if (suite.before.length === 0) continue;
    await around(suite, async () => {
      for (const body of suite.before) await guard(async () => body(newContext(suite.id).context));
    });
  }
}

/** Ends the open suites, those inside first, but not those that may stay. */
export async function closeSuites(mayStay: (suite: Suite) => boolean): Promise<void> {
  for (const suite of [...open].reverse()) {
    if (pathTo(suite).every(mayStay)) continue;
    open.delete(suite);
    for (const body of suite.after) {
      try {
        await body(newContext(suite.id).context);
      } catch {
        // The clean-up of a suite proves nothing.
      }
    }
  }
}

/** Runs one test with what belongs around it. */
export async function runTest(test: Test): Promise<Failure | undefined> {
  const suites = pathTo(test.suite);
  const { context, end } = newContext(test.name);
  try {
    try {
      for (const suite of suites) await runAll(suite.beforeEach, context);
      await guard(async () => test.body(context));
    } finally {
      for (const suite of suites.reverse()) await runAll(suite.afterEach, context);
      await end();
    }
  } catch (error) {
    return { test, error };
  }
  return undefined;
}

async function runAll(bodies: ((context: Context) => unknown)[], context: Context): Promise<void> {
  for (const body of bodies) await guard(async () => body(context));
}

/** Fails if the work fails, if an error is thrown beside it, or if nothing can ever end it. */
async function guard(work: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<unknown>((resolve, reject) => {
      stray = (error) => reject(new StrayError(String(error)));
      work().then(resolve, reject);
      let idle = 0;
      let used = process.cpuUsage();
      timer = setInterval(() => {
        const isBusy = cpuMs(used) > busyMs;
        used = process.cpuUsage();
        idle = isBusy ? 0 : idle + 1;
        if (idle >= (isAnythingPending() ? waitingChecks : idleChecks))
          reject(new Error('The test waits for something that cannot happen any more.'));
      }, idleCheckMs).unref();
    });
  } finally {
    clearInterval(timer);
    stray = undefined;
  }
}

const idleCheckMs = 100;
const idleChecks = 20;
/** A unit test passes its time-outs in, so it never waits that long. */
const waitingChecks = 150;
/** Work of a library in another thread is not a resource, but it takes time. */
const busyMs = 5;
const shortLived = /^(FSReq|Timeout|Immediate)/;
let always: string[] | undefined;

/** Whether a timer, a file or a socket is open that the process did not have when it ran its first test. */
function isAnythingPending(): boolean {
  const left = [...(always ?? [])];
  return process.getActiveResourcesInfo().some((kind) => {
    const at = left.indexOf(kind);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** CPU time of the process since `start`, with all its threads. */
export function cpuMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Remembers what is open before any test runs. */
export function noteOpenResources(): void {
  always ??= process.getActiveResourcesInfo().filter((kind) => !shortLived.test(kind));
}
