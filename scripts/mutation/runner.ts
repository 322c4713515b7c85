// A test runner for Stryker: loads the unit tests once and runs those that a mutant concerns, in milliseconds, in one process.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InstrumenterContext, MutantCoverage } from '@stryker-mutator/api/core';
import type { Logger } from '@stryker-mutator/api/logging';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { type Imports, readImports } from './imports.ts';
import { createTestLoader, type TestLoader } from './load-tests.ts';
import type { Test } from './node-test.ts';
import { closeSuites, cpuMs, type Failure, markTouchy, noteOpenResources, openSuites, runTest } from './run-tests.ts';
import { findUnitTests } from './unit-tests.ts';

type Counts = Record<string, number>;

const noMutant = 'none';
const again = 'again';
/** The report keeps why each mutant was noticed. */
const longestMessage = 120;
/** CPU time of a test that is still worth its time. A slower one belongs to another tier. */
const longestTestMs = 1000;
/** How long each test takes; the first process writes it, all read it. */
const timesFile = 'test-times.json';

/** What the mutated sources read and write. */
type StrykerContext = { [name in keyof InstrumenterContext]: InstrumenterContext[name] | undefined };
const context: StrykerContext = { activeMutant: noMutant };

class NodeTestRunner implements TestRunner {
  static inject = tokens(commonTokens.logger);
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  readonly #root = process.cwd();
  readonly #imports: Imports = readImports(this.#root);
  readonly #loader: TestLoader = createTestLoader(this.#root, this.#imports);
  readonly #files: string[] = findUnitTests(this.#root);

  /** It loads modules again by itself where a mutant works at load time; what was loaded first stays free of mutants. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    // Folders that a killed process leaves behind go away with the copy of the project.
    process.env.TMPDIR = join(this.#root, 'tmp');
    mkdirSync(process.env.TMPDIR, { recursive: true });
    // A smaller counterexample is of no use here.
    fc.configureGlobal({ endOnFailure: true });
    Object.assign(globalThis, { __stryker__: context });
    noteOpenResources();
  }

  async dispose(): Promise<void> {
    await closeSuites('all');
  }

  async dryRun({ files = [] }: DryRunOptions): Promise<DryRunResult> {
    const coverage: MutantCoverage = { static: {}, perTest: {} };
    context.mutantCoverage = coverage;
    const wanted = files.map((file) => this.#relative(file));
    const tests: Test[] = [];
    for (const file of this.#files) {
      const reached = this.#imports.reachedFrom(file);
      if (wanted.some((name) => reached.has(name))) tests.push(...(await this.#loader.load(file)));
    }
    const results: TestResult[] = [];
    for (const test of tests) {
      const started = performance.now();
      const failure = await this.#cover(test, coverage);
      results.push(toResult(test, this.#root, performance.now() - started, failure));
    }
    const failed = results.some(({ status }) => status === TestStatus.Failed);
    let slow = new Map<string, number>();
    try {
      if (!failed) slow = await this.#runAgain(tests);
    } catch (error) {
      return { status: DryRunStatus.Error, errorMessage: describeError(error) };
    }
    for (const id of [again, ...slow.keys()]) delete coverage.perTest[id];
    const kept = results.filter(({ id }) => !slow.has(id));
    const times = Object.fromEntries(kept.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
    writeFileSync(join(this.#root, timesFile), JSON.stringify(times));
    this.#log.info(`Tests that are too slow to run for each mutant: ${JSON.stringify(Object.fromEntries(slow))}`);
    return { status: DryRunStatus.Complete, tests: kept, mutantCoverage: coverage };
  }

  /** Later every test runs thousands of times. It must not notice, and it must not take long. Returns the slow ones. */
  async #runAgain(tests: Test[]): Promise<Map<string, number>> {
    const slow = new Map<string, number>();
    context.currentTestId = again;
    await closeSuites('touchy');
    for (const test of [...tests].reverse()) {
      const started = process.cpuUsage();
      const failure = await this.#run(test);
      if (failure !== undefined) {
        throw new Error(
          `${test.id} passes once, but not once more in the same process: ${describeError(failure.error)}`,
        );
      }
      const took = cpuMs(started);
      if (took > longestTestMs) slow.set(test.id, Math.round(took));
    }
    return slow;
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, testFilter, hitLimit, mutantActivation, sandboxFileName } = options;
    const activate = () => {
      context.hitCount = hitLimit === undefined ? undefined : 0;
      context.hitLimit = hitLimit;
      context.activeMutant = activeMutant.id;
    };
    const rest = () => {
      context.activeMutant = noMutant;
    };
    await closeSuites('touchy');
    const mutated = this.#relative(sandboxFileName);
    const isStatic = mutantActivation === 'static';
    const batches = isStatic ? this.#filesReaching(mutated) : groupByFile(this.#fastestFirst(testFilter ?? []));
    const times = this.#testTimes();
    const loadAgain = this.#loader.loadAgain(mutated);
    let nrOfTests = 0;
    try {
      for (const [file, ids] of batches) {
        const original = await this.#loader.load(file);
        let tests = original;
        activate();
        if (isStatic) {
          try {
            tests = await loadAgain(file);
          } catch (error) {
            const timeout = toTimeout();
            return timeout ?? killed(original[0]?.id ?? file, error, nrOfTests + 1);
          }
        }
        for (const test of tests) {
          if (!(ids ?? times).has(test.id)) continue;
          nrOfTests++;
          const failure = await this.#run(test);
          const timeout = toTimeout();
          if (timeout !== undefined) return timeout;
          if (failure === undefined) continue;
          rest();
          await this.#confirm(test, original);
          return killed(test.id, failure.error, nrOfTests);
        }
        rest();
      }
      return { status: MutantRunStatus.Survived, nrOfTests };
    } finally {
      rest();
      if (isStatic) await closeSuites('touchy');
    }
  }

  /** A failure counts only if the same test passes without the mutant; else the process is no longer fit, and Stryker starts another. */
  async #confirm(test: Test, original: Test[]): Promise<void> {
    const same = original.find(({ id }) => id === test.id);
    if (same === undefined) return;
    await closeSuites('touchy');
    const failure = await this.#run(same);
    if (failure !== undefined) {
      throw new Error(`${test.id} fails without the mutant too: ${describeError(failure.error)}`);
    }
  }

  async #run(test: Test): Promise<Failure | undefined> {
    try {
      await openSuites(test, (_suite, run) => run());
    } catch (error) {
      return { test, error };
    }
    return runTest(test);
  }

  /** Runs a test and notes which mutants it meets. What a `before` meets, each test of its suite meets. */
  async #cover(test: Test, coverage: MutantCoverage): Promise<Failure | undefined> {
    try {
      await openSuites(test, async (suite, run) => {
        const id = `before ${test.id}`;
        context.currentTestId = id;
        await run();
        const met = coverage.perTest[id];
        delete coverage.perTest[id];
        if (met === undefined) return;
        markTouchy(suite);
        this.#metBefore.set(suite, met);
      });
    } catch (error) {
      return { test, error };
    }
    context.currentTestId = test.id;
    const failure = await runTest(test);
    const own = coverage.perTest[test.id] ?? {};
    coverage.perTest[test.id] = own;
    for (let suite: Test['suite'] | undefined = test.suite; suite !== undefined; suite = suite.parent) {
      for (const [mutant, hits] of Object.entries(this.#metBefore.get(suite) ?? {})) {
        own[mutant] = (own[mutant] ?? 0) + hits;
      }
    }
    return failure;
  }

  readonly #metBefore = new Map<Test['suite'], Counts>();

  /** The test files that load a file, the fastest first. */
  #filesReaching(file: string): [string, undefined][] {
    const times = new Map<string, number>();
    for (const [id, time] of this.#testTimes()) {
      const test = fileOf(id);
      if (this.#imports.reachedFrom(test).has(file)) times.set(test, (times.get(test) ?? 0) + time);
    }
    return [...times].sort(([, a], [, b]) => a - b).map(([test]) => [test, undefined]);
  }

  #fastestFirst(ids: string[]): string[] {
    const times = this.#testTimes();
    return [...ids].sort((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0));
  }

  #testTimes(): Map<string, number> {
    this.#times ??= new Map(Object.entries(JSON.parse(readFileSync(join(this.#root, timesFile), 'utf8'))));
    return this.#times;
  }

  #times: Map<string, number> | undefined;

  #relative(path: string): string {
    return path.slice(this.#root.length + 1).replaceAll('\\', '/');
  }
}

/** Neighbours of the same file together, in the given order. */
function groupByFile(ids: string[]): [string, Set<string>][] {
  const groups: [string, Set<string>][] = [];
  for (const id of ids) {
    const last = groups.at(-1);
    if (last?.[0] === fileOf(id)) last[1].add(id);
    else groups.push([fileOf(id), new Set([id])]);
  }
  return groups;
}

function fileOf(id: string): string {
  return id.slice(0, id.indexOf(' > '));
}

function killed(id: string, error: unknown, nrOfTests: number): MutantRunResult {
  return {
    status: MutantRunStatus.Killed,
    killedBy: [id],
    failureMessage: describeError(error).slice(0, longestMessage),
    nrOfTests,
  };
}

function toTimeout(): MutantRunResult | undefined {
  const reached = determineHitLimitReached(context.hitCount, context.hitLimit);
  return reached && { status: MutantRunStatus.Timeout, reason: reached.reason ?? '' };
}

function toResult(test: Test, root: string, timeSpentMs: number, failure: Failure | undefined): TestResult {
  const base = { id: test.id, name: test.id, timeSpentMs, fileName: join(root, fileOf(test.id)) };
  if (failure === undefined) return { ...base, status: TestStatus.Success };
  return { ...base, status: TestStatus.Failed, failureMessage: describeError(failure.error) };
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'node-test', NodeTestRunner)];
