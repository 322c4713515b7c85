// A test runner for Stryker: loads the unit tests once and runs those that a mutant concerns, in milliseconds, in one process.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Logger } from '@stryker-mutator/api/logging';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestRunner,
} from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { type Findings, runDry } from './dry-run.ts';
import { type Imports, readImports } from './imports.ts';
import { createTestLoader, type TestLoader } from './load-tests.ts';
import { activate, context, deactivate, describeError, findEndlessLoop } from './mutant-context.ts';
import { fileOf, type Suite, type Test } from './node-test.ts';
import { closeSuites, noteOpenResources, openAndRun, StrayError } from './run-tests.ts';
import { findUnitTests } from './unit-tests.ts';
import { startWatch, type Watch } from './watch-run.ts';

/** The report keeps why each mutant was noticed. */
const longestMessage = 120;
/** Processor time that a mutant may take: some for loading, and many times that of its tests. */
const loadingMs = 5000;
const slowdown = 10;
/** How many errors a mutant may leave behind. */
const strayErrors = 3;
/** The process of the dry run writes it, all others read it. */
const findingsFile = 'findings.json';

class NodeTestRunner implements TestRunner {
  static inject = tokens(commonTokens.logger);
  readonly #log: Logger;
  readonly #root = process.cwd();
  readonly #imports: Imports = readImports(this.#root);
  readonly #loader: TestLoader = createTestLoader(this.#root);
  readonly #watch: Watch = startWatch(join(this.#root, 'given-up'));
  #findings: Findings | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** It loads modules again by itself where a mutant needs it. What was loaded first stays free of mutants. */
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
    await closeSuites(() => false);
  }

  async dryRun({ files = [] }: DryRunOptions): Promise<DryRunResult> {
    const mutated = files.map((file) => this.#relative(file));
    const tests = findUnitTests(this.#root).filter((file) => {
      const reached = this.#imports.reachedFrom(file);
      return mutated.some((name) => reached.has(name));
    });
    try {
      const { findings, results, coverage, slow } = await runDry(tests, this.#imports, this.#loader);
      writeFileSync(join(this.#root, findingsFile), JSON.stringify(findings));
      for (const id of slow) this.#log.warn(`Takes too long to run for each mutant: ${id}`);
      for (const result of results) result.fileName = join(this.#root, fileOf(result.id));
      return { status: DryRunStatus.Complete, tests: results, mutantCoverage: coverage };
    } catch (error) {
      return { status: DryRunStatus.Error, errorMessage: describeError(error) };
    }
  }

  async mutantRun({ activeMutant, testFilter = [], hitLimit }: MutantRunOptions): Promise<MutantRunResult> {
    const reason = this.#watch.reasonOf(activeMutant.id);
    if (reason !== undefined) return { status: MutantRunStatus.Timeout, reason };
    const { times, atLoad, quietSuites } = this.#readFindings();
    const usualMs = testFilter.reduce((sum, id) => sum + (times[id] ?? 0), 0);
    this.#watch.begin(activeMutant.id, loadingMs + slowdown * usualMs);
    const changed = atLoad[activeMutant.id] ?? [];
    const isConcerned = (file: string) => {
      const reached = this.#imports.reachedFrom(file);
      return changed.some((module) => reached.has(module));
    };
    const loadAgain = this.#loader.loadAgain(isConcerned);
    const mayStay = ({ id, before, isLasting }: Suite) =>
      isLasting && (before.length === 0 || quietSuites.includes(id));
    const fastestFirst = [...testFilter].sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
    const again = new Map<string, Test[]>();
    let nrOfTests = 0;
    const killed = (id: string, error: unknown): MutantRunResult => {
      const failureMessage = describeError(error).slice(0, longestMessage);
      return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage, nrOfTests };
    };
    try {
      for (const id of fastestFirst) {
        const file = fileOf(id);
        const original = (await this.#loader.load(file)).find((test) => test.id === id);
        nrOfTests++;
        activate(activeMutant.id, hitLimit);
        let test = original;
        if (isConcerned(file)) {
          try {
            const tests = again.get(file) ?? (await loadAgain(file));
            again.set(file, tests);
            test = tests.find((found) => found.id === id);
          } catch (error) {
            return findEndlessLoop() ?? killed(id, error);
          }
        }
        let failure = test && (await openAndRun(test));
        if (test !== undefined && failure?.error instanceof StrayError) failure = await openAndRun(test);
        const endlessLoop = findEndlessLoop();
        if (endlessLoop !== undefined) return endlessLoop;
        deactivate();
        if (failure === undefined) continue;
        await closeSuites(mayStay);
        if (original !== undefined) await confirmWithoutMutant(original);
        return killed(id, failure.error);
      }
      return { status: MutantRunStatus.Survived, nrOfTests };
    } finally {
      deactivate();
      await closeSuites(mayStay);
      this.#watch.end();
    }
  }

  #readFindings(): Findings {
    this.#findings ??= JSON.parse(readFileSync(join(this.#root, findingsFile), 'utf8')) as Findings;
    return this.#findings;
  }

  #relative(path: string): string {
    return relative(this.#root, path).replaceAll('\\', '/');
  }
}

/** A failure counts only if the test passes without the mutant; else this process is no longer fit, and Stryker starts another. */
async function confirmWithoutMutant(test: Test): Promise<void> {
  let failure = await openAndRun(test);
  for (let retry = 0; retry < strayErrors && failure?.error instanceof StrayError; retry++)
    failure = await openAndRun(test);
  if (failure !== undefined) {
    throw new Error(`${test.id} fails without the mutant too: ${describeError(failure.error)}`);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'node-test', NodeTestRunner)];
