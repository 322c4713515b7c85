// What the test files of one process did: a line for each file, and why it failed.
import { relative } from 'node:path';
import type { TestFailure, TestRecord, TopTest } from './test-reporter.ts';

/** How a process ended. Both streams are in one text. */
export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly records: readonly TestRecord[];
};

export type FileResult = {
  readonly file: string;
  readonly tests: number;
  readonly failed: number;
  readonly todo: number;
  readonly skipped: readonly string[];
  readonly ms: number;
  readonly failures: readonly TestFailure[];
  readonly hasPassed: boolean;
};

const linesOfOutput = 200;

/** One for each file, in the order of the process. `trouble` is what no test says: a crash, or an error after a test. */
export function resultsOf(files: readonly string[], ended: Ended): { results: FileResult[]; trouble: string[] } {
  const [only = ''] = files;
  const tops = ended.records.filter((record) => record.kind === 'test');
  const byFile = Map.groupBy(tops, ({ file }) => (files.length === 1 ? only : relative('.', file)));
  const results = [...new Set([...files, ...byFile.keys()])].map((file) => resultOf(file, byFile.get(file) ?? []));
  const trouble = troubleOf(ended, results);
  const started = ended.records.find((record) => record.kind === 'early end')?.started?.file;
  const last = started === undefined ? undefined : relative('.', started);
  // Trouble belongs to the file that it names, or to one that was running. A file of which no test ran has not passed.
  const isBlamed = (file: string) => files.length === 1 || file === last || trouble.some((text) => text.includes(file));
  return {
    results: results.map((result) =>
      !byFile.has(result.file) || (trouble.length > 0 && isBlamed(result.file))
        ? { ...result, hasPassed: false }
        : result,
    ),
    trouble,
  };
}

function resultOf(file: string, tops: readonly TopTest[]): FileResult {
  const sum = (key: 'tests' | 'failed' | 'todo' | 'ms') => tops.reduce((total, top) => total + top[key], 0);
  const failures = tops.flatMap((top) => top.failures);
  return {
    file,
    tests: sum('tests'),
    failed: sum('failed'),
    todo: sum('todo'),
    skipped: tops.flatMap((top) => top.skipped),
    ms: sum('ms'),
    failures,
    hasPassed: failures.length === 0,
  };
}

function troubleOf({ code, signal, records }: Ended, results: readonly FileResult[]): string[] {
  const how = signal !== null ? `was ended by ${signal}` : `ended with code ${code}`;
  const end = records.find((record) => record.kind === 'end');
  const notes = records.flatMap((record) => (record.kind === 'note' ? [record.text] : []));
  if (records.length === 0 && code === 0) return ['no test ran'];
  if (end === undefined) {
    const { started } = records.find((record) => record.kind === 'early end') ?? {};
    const last = started === undefined ? '' : `; the test that started last: ${started.name}`;
    return [`the process ${how} before its tests were done${last}`, ...notes];
  }
  if (code === 0 && end.success) return [];
  return results.some(({ hasPassed }) => !hasPassed) ? notes : [`the process ${how}`, ...notes];
}

export function lineOf({ file, tests, failed, todo, skipped, ms, hasPassed }: FileResult, mark: Mark): string {
  const parts = [
    `${tests} ${tests === 1 ? 'test' : 'tests'}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
    ...(todo > 0 ? [`${todo} to do`] : []),
  ];
  return `${mark(hasPassed)} ${file}  ${parts.join(', ')}  ${Math.round(ms)} ms\n`;
}

export type Mark = (hasPassed: boolean) => string;

export function textOfFailures(failures: readonly TestFailure[]): string {
  return failures.map(({ name, why }) => `    ${name}\n${indent(why, 6)}\n`).join('');
}

/** The last lines of what the process wrote. */
export function textOfOutput(output: string): string {
  const lines = output.trimEnd().split('\n');
  if (output.trim() === '') return '';
  const shown = lines.slice(-linesOfOutput);
  const what = lines.length > shown.length ? `the last ${shown.length} of ${lines.length} lines` : 'all';
  return `    output of the process (${what}):\n${indent(shown.join('\n'), 6)}\n`;
}

export function indent(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
}
