// The run without a mutant: which mutants each module and each test meets, and how long the tests take.
import type { MutantCoverage } from '@stryker-mutator/api/core';
import { type TestResult, TestStatus } from '@stryker-mutator/api/test-runner';
import type { Imports } from './imports.ts';
import type { TestLoader } from './load-tests.ts';
import { context, describeError } from './mutant-context.ts';
import { fileOf, type Suite, type Test } from './node-test.ts';
import { closeSuites, cpuMs, type Failure, openAndRun, openSuites, runTest } from './run-tests.ts';

/** What the run of a mutant must know. */
export type Findings = {
  /** Milliseconds of processor time by test. Only these tests run. */
  times: Record<string, number>;
  /** The modules that meet a mutant while they load, by mutant: values that they compute then must be computed anew. */
  atLoad: Record<string, string[]>;
  /** The suites whose `before` meets no mutant, so it runs once for all of them. */
  quietSuites: string[];
};

/** Processor time of a test, with all the counting, that is still worth its time. A slower one belongs to another tier. */
const longestTestMs = 5000;
const unknownTest = 'unknown';

type DryRun = { findings: Findings; results: TestResult[]; coverage: MutantCoverage; slow: string[] };

/** Runs the tests of the files twice. Throws if a test that passes once does not pass again. */
export async function runDry(files: readonly string[], imports: Imports, loader: TestLoader): Promise<DryRun> {
  const coverage: MutantCoverage = { static: {}, perTest: {} };
  context.mutantCoverage = coverage;
  const atLoad: Record<string, string[]> = {};
  const tests: Test[] = [];
  const modules = new Set<string>();
  for (const file of files) for (const module of imports.reachedFrom(file)) modules.add(module);
  for (const module of modules) {
    const before = { ...coverage.static };
    // What a module loads is loaded before it, so these mutants are met by the module itself.
    if (files.includes(module)) tests.push(...(await loader.load(module)));
    else if (/\.[jt]s$/.test(module)) await loader.loadModule(module);
    for (const [mutant, hits] of Object.entries(coverage.static)) {
      if (hits > (before[mutant] ?? 0)) atLoad[mutant] = [...(atLoad[mutant] ?? []), module];
    }
  }

  const quietSuites: string[] = [];
  const metBefore = new Map<Suite, Record<string, number>>();
  const failures = new Map<string, Failure>();
  for (const test of tests) {
    const failure = await cover(test, coverage, metBefore, quietSuites);
    if (failure !== undefined) failures.set(test.id, failure);
  }
  const took = failures.size > 0 ? new Map<string, number>() : await runAgain(tests, quietSuites);
  const slow = [...took].filter(([, ms]) => ms > longestTestMs).map(([id]) => id);
  for (const id of [unknownTest, ...slow]) delete coverage.perTest[id];
  addMetAtLoad(coverage, atLoad, imports);
  const results = tests
    .filter(({ id }) => !slow.includes(id))
    .map(({ id }) => toResult(id, took.get(id) ?? 0, failures.get(id)));
  const times = Object.fromEntries(results.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
  return { findings: { times, atLoad, quietSuites }, results, coverage, slow };
}

/** Runs a test and notes which mutants it meets. What a `before` meets, each test of its suite meets. */
async function cover(
  test: Test,
  coverage: MutantCoverage,
  metBefore: Map<Suite, Record<string, number>>,
  quietSuites: string[],
): Promise<Failure | undefined> {
  try {
    await openSuites(test, async (suite, run) => {
      context.currentTestId = suite.id;
      await run();
      const met = coverage.perTest[suite.id];
      delete coverage.perTest[suite.id];
      if (met === undefined) quietSuites.push(suite.id);
      else metBefore.set(suite, met);
    });
  } catch (error) {
    return { test, error };
  }
  context.currentTestId = test.id;
  const failure = await runTest(test);
  const own = coverage.perTest[test.id] ?? {};
  coverage.perTest[test.id] = own;
  for (let suite: Suite | undefined = test.suite; suite !== undefined; suite = suite.parent) {
    for (const [mutant, hits] of Object.entries(metBefore.get(suite) ?? {})) own[mutant] = (own[mutant] ?? 0) + hits;
  }
  context.currentTestId = unknownTest;
  return failure;
}

/** Later every test runs thousands of times. It must not notice. Returns the processor time of each. */
async function runAgain(tests: Test[], quietSuites: string[]): Promise<Map<string, number>> {
  const took = new Map<string, number>();
  context.currentTestId = unknownTest;
  await closeSuites(({ before, id }) => before.length === 0 || quietSuites.includes(id));
  for (const test of [...tests].reverse()) {
    const started = process.cpuUsage();
    const failure = await openAndRun(test);
    if (failure !== undefined) {
      throw new Error(`${test.id} passes once, but not once more in the same process: ${describeError(failure.error)}`);
    }
    took.set(test.id, cpuMs(started));
  }
  return took;
}

/** For Stryker, a mutant that a module meets while it loads is met by every test that loads the module. */
function addMetAtLoad(coverage: MutantCoverage, atLoad: Findings['atLoad'], imports: Imports): void {
  for (const [test, met] of Object.entries(coverage.perTest)) {
    const reached = imports.reachedFrom(fileOf(test));
    for (const [mutant, modules] of Object.entries(atLoad)) {
      if (modules.some((module) => reached.has(module))) met[mutant] = (met[mutant] ?? 0) + 1;
    }
  }
  coverage.static = {};
}

function toResult(id: string, timeSpentMs: number, failure: Failure | undefined): TestResult {
  const base = { id, name: id, timeSpentMs, fileName: fileOf(id) };
  if (failure === undefined) return { ...base, status: TestStatus.Success };
  return { ...base, status: TestStatus.Failed, failureMessage: describeError(failure.error) };
}
