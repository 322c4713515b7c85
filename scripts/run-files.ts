// Runs test files in a few processes, several at once and the longest first, so that no core waits at the end.
import { spawn } from 'node:child_process';
import { styleText } from 'node:util';
import {
  type Ended,
  type FileResult,
  indent,
  lineOf,
  type Mark,
  resultsOf,
  textOfFailures,
  textOfOutput,
} from './file-results.ts';
import { longestFiles } from './longest-files.ts';
import { filesPerProcess } from './share-processes.ts';
import type { TestRecord } from './test-reporter.ts';

/** The files of one process. They run one after the other. */
export type FileRun = { readonly files: readonly string[]; readonly env: Readonly<Record<string, string>> };

/** Runs one process to its end. */
export type Start = (run: FileRun) => Promise<Ended>;

export type RunResult = { readonly hasPassed: boolean; readonly tests: number };

type RunOptions = {
  readonly atOnce: number;
  /** All that the processes wrote, also if they passed. */
  readonly showsOutput?: boolean;
  readonly write?: (text: string) => void;
};

/** Writes a line for each file when its process has ended, and at the very end what was skipped and what failed. Returns what failed. */
export async function runFiles(runs: readonly FileRun[], start: Start, options: RunOptions): Promise<RunResult> {
  const { atOnce, showsOutput = false, write = (text) => process.stdout.write(text) } = options;
  const waiting = runs.toSorted((a, b) => rankOf(a) - rankOf(b));
  const all: FileResult[] = [];
  const reasons: string[] = [];
  const failed: { readonly text: string; readonly again: readonly string[] }[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const ended = await start(next);
      const { results, trouble } = resultsOf(next.files, ended);
      all.push(...results);
      reasons.push(...reasonsIn(ended.output));
      const bad = results.filter(({ hasPassed }) => !hasPassed);
      const hasFailed = trouble.length > 0 || bad.length > 0;
      const troubles = trouble.map((text) => `${indent(`${mark(false)} ${text}`, 4)}\n`).join('');
      const output = hasFailed && !showsOutput ? textOfOutput(ended.output) : '';
      write(`${showsOutput ? ended.output : ''}${results.map(textOf).join('')}${troubles}${output}`);
      if (!hasFailed) continue;
      const text = `${bad.map(textOf).join('')}${troubles}${trouble.length > 0 ? output : ''}`;
      failed.push({ text, again: next.files.length > filesPerProcess ? bad.map(({ file }) => file) : next.files });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  write(textOfSkips(all, reasons));
  // The end of a long log is what people read first. That of a single process is short.
  for (const { text, again } of runs.length > 1 ? failed : [])
    write(`\n${text}    again: npm test -- ${again.join(' ')}\n`);
  return { hasPassed: failed.length === 0, tests: all.reduce((sum, { tests }) => sum + tests, 0) };
}

export const mark: Mark = (hasPassed) => (hasPassed ? styleText('green', '✔') : styleText('red', '✖'));

function textOf(result: FileResult): string {
  return `${lineOf(result, mark)}${textOfFailures(result.failures)}`;
}

/** A helper that finds a program missing, and skips many tests for it, prints why. */
function reasonsIn(output: string): string[] {
  return [...output.matchAll(/^skipped: (.*)$/gm)].map(([, reason = '']) => reason);
}

/** Each reason once. */
function textOfSkips(results: readonly FileResult[], printed: readonly string[]): string {
  const skips = results.flatMap(({ skipped }) => skipped);
  const given = Object.entries(Object.groupBy(skips, (reason) => reason))
    .filter(([reason]) => reason !== '')
    .map(([reason, those = []]) => `${reason} (${those.length})`);
  const reasons = [...new Set([...printed, ...given])];
  if (skips.length === 0 && reasons.length === 0) return '';
  return `﹣ ${skips.length} skipped\n${reasons.map((reason) => `    ${reason}\n`).join('')}`;
}

/** Processes with several files come first: each takes as long as a long file, and the list need not know them. Short files fill the end. */
function rankOf({ files }: FileRun): number {
  if (files.length > 1) return -1;
  const rank = longestFiles.findIndex((file) => files.includes(file));
  return rank === -1 ? longestFiles.length : rank;
}

/** What each file did comes on a pipe of its own, so that no output of a test mixes with it. */
export function startProcess(options: readonly string[]): Start {
  return ({ files, env }) =>
    new Promise((resolve) => {
      const together = files.length === 1 ? [] : ['--test-isolation=none', '--test'];
      const child = spawn(process.execPath, [...options, ...together, ...files], {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        env: { ...process.env, ...env },
      });
      const pieces: Buffer[] = [];
      const lines: Buffer[] = [];
      child.stdout?.on('data', (piece: Buffer) => pieces.push(piece));
      child.stderr?.on('data', (piece: Buffer) => pieces.push(piece));
      child.stdio[3]?.on('data', (piece: Buffer) => lines.push(piece));
      child.once('close', (code, signal) => {
        resolve({
          code,
          signal,
          output: Buffer.concat(pieces).toString(),
          records: readRecords(Buffer.concat(lines).toString()),
        });
      });
    });
}

/** The last line is cut off if the process was killed while it wrote. */
function readRecords(text: string): TestRecord[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as TestRecord);
}
