// Runs test files in a few processes, several at once and the longest first, so that no core waits at the end.
import { spawn } from 'node:child_process';
import { longestFiles } from './longest-files.ts';

/** The files of one process. They run one after the other. */
export type FileRun = {
  readonly name: string;
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

const linesOfCrash = 200;

/** Runs one process to its end. Both streams are in one text. */
export type Start = (run: FileRun) => Promise<{ readonly code: number; readonly output: string }>;

/** Writes the output of a run when it has ended, and why runs failed again at the very end. Returns the number of failed runs. */
export async function runFiles(
  runs: readonly FileRun[],
  start: Start,
  atOnce: number,
  write: (text: string) => void = (text) => process.stdout.write(text),
): Promise<number> {
  const waiting = runs.toSorted((a, b) => rankOf(a) - rankOf(b));
  const failed: { readonly name: string; readonly output: string }[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const started = performance.now();
      const { code, output } = await start(next);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      write(`${output}${code === 0 ? '✔' : '✖'} ${next.name} in ${seconds} s\n`);
      if (code !== 0) failed.push({ name: next.name, output });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  // The end of a long log is what people read first.
  for (const { name, output } of failed)
    write(`\n✖ ${name} has failed. The end of its output again:\n${whyIn(output)}\n`);
  for (const { name } of failed) write(`✖ ${name}\n`);
  return failed.length;
}

/** The list of failed tests, or the last lines of a process that ended before it could write one. */
function whyIn(output: string): string {
  const list = output.lastIndexOf('✖ failing tests:');
  return list === -1 ? output.trimEnd().split('\n').slice(-linesOfCrash).join('\n') : output.slice(list).trimEnd();
}

/** Processes with several files come first: each takes as long as a long file, and the list need not know them. Short files fill the end. */
function rankOf({ files }: FileRun): number {
  if (files.length > 1) return -1;
  const rank = longestFiles.findIndex((file) => files.includes(file));
  return rank === -1 ? longestFiles.length : rank;
}

/** The summary that every process would print is left out. */
export function startProcess(options: readonly string[]): Start {
  return ({ files, env }) =>
    new Promise((resolve) => {
      const together = files.length === 1 ? [] : ['--test-isolation=none', '--test'];
      const child = spawn(process.execPath, [...options, ...together, ...files], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...env },
      });
      const pieces: Buffer[] = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => pieces.push(piece));
      child.once('close', (code) => {
        const text = Buffer.concat(pieces).toString();
        resolve({
          code: code ?? 1,
          output: text.replaceAll(/^ℹ (?:suites|cancelled|skipped|todo|duration_ms) .*\n/gm, ''),
        });
      });
    });
}
