// Reporter of node:test: writes what each test file did as lines of JSON to descriptor 3, from where scripts/run-files.ts reads them.
import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

export type TestFailure = { readonly name: string; readonly why: string };

/** A test or suite on the top level of a file, with everything inside. */
export type TopTest = {
  readonly kind: 'test';
  readonly file: string;
  tests: number;
  failed: number;
  todo: number;
  /** A reason for each skipped test or suite. Empty: none was given. */
  readonly skipped: string[];
  ms: number;
  readonly failures: TestFailure[];
};

/** `started` is the test that started last: a process that ends early ended in it. */
export type TestRecord =
  | TopTest
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'end'; readonly success: boolean }
  | { readonly kind: 'early end'; readonly started: Started | undefined };
type Started = { readonly file: string; readonly name: string };

const descriptor = 3;
/** An error may contain whole files. */
const charactersOfError = 20_000;
const counts = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** Frames of Node itself say nothing about a test. */
const framesOfNode = /^ +at (?:.*\()?node:.*\n?/gm;

/** Files of top-level tests by type and name: an event names the file in which the test was written, and that may be a helper. */
const filesOf = new Map<string, string[]>();
const files = new Set<string>();
/** Node stands a test of this name in for a file without tests. */
const withoutTests = new Set<string>();
let started: Started | undefined;
let hasEnded = false;

subscribe('tracing:node.test:start', (message) => {
  const { name, nesting, file, type } = message as Started & { nesting: number; type: string };
  if (file === null) return;
  files.add(file);
  if (type === 'test') started = { file, name };
  if (nesting === 0) filesOf.set(`${type} ${name}`, [...(filesOf.get(`${type} ${name}`) ?? []), file]);
});

// A crash waits for nobody, so every line is written at once.
process.once('exit', () => {
  if (!hasEnded) write({ kind: 'early end', started });
});

function write(record: TestRecord): void {
  writeSync(descriptor, `${JSON.stringify(record)}\n`);
}

async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let top = newTopTest();
  const path: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') path[data.nesting] = data.name;
    if (type === 'test:diagnostic' && !counts.test(data.message)) write({ kind: 'note', text: data.message });
    if (type === 'test:pass' || type === 'test:fail') {
      count(top, data);
      if (type === 'test:fail' && data.todo === undefined) addFailure(top, data, path.slice(0, data.nesting));
      if (data.nesting > 0) continue;
      const file = filesOf.get(`${data.details.type} ${data.name}`)?.shift() ?? data.file ?? '';
      write({ ...top, file, ms: data.details.duration_ms });
      if (resolve(data.name) === file) withoutTests.add(file);
      top = newTopTest();
    }
    if (type === 'test:summary' && data.file === undefined) await findHalfLoaded();
    if (type === 'test:summary') {
      write({ kind: 'end', success: data.success });
      hasEnded = true;
    }
  }
  // What a reporter yields goes to its destination. This one has its own.
  yield '';
}

// biome-ignore lint/style/noDefaultExport: Node wants the reporter as the default.
export default report;

function newTopTest(): TopTest {
  return { kind: 'test', file: '', tests: 0, failed: 0, todo: 0, skipped: [], ms: 0, failures: [] };
}

type Result = Extract<TestEvent, { readonly type: 'test:pass' | 'test:fail' }>['data'];

function count(top: TopTest, { details, skip, todo }: Result): void {
  if (skip !== undefined && skip !== false) top.skipped.push(typeof skip === 'string' ? skip : '');
  if (details.type === 'suite') return;
  top.tests += 1;
  if (todo !== undefined && todo !== false) top.todo += 1;
}

function addFailure(top: TopTest, { name, details, file, line }: Result, path: readonly string[]): void {
  const error = 'error' in details ? details.error : undefined;
  if (details.type !== 'suite') top.failed += 1;
  if (error !== undefined && 'failureType' in error && error.failureType === 'subtestsFailed') return;
  const cause = error?.cause ?? error;
  top.failures.push({ name: [...path, name].join(' > '), why: `at ${file}:${line}\n${textOf(cause)}` });
}

function textOf(cause: unknown): string {
  const text = typeof cause === 'string' ? cause : inspect(cause).replaceAll(framesOfNode, '');
  return text.length > charactersOfError ? `${text.slice(0, charactersOfError)}…` : text;
}

/** Node says nothing about a file that throws after its first test, if files share a process. A module keeps the error of its evaluation. */
async function findHalfLoaded(): Promise<void> {
  for (const file of files.difference(withoutTests)) {
    try {
      await import(pathToFileURL(file).href);
    } catch (error) {
      const failures = [{ name: 'the file failed while it was loaded', why: textOf(error) }];
      write({ ...newTopTest(), file, failed: 1, failures });
    }
  }
}
