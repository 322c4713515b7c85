// The cost of real files by type: processor time per MiB, the slowest file, and peak memory of all files of a type in one process.
import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Accepted } from '../test/files/real-files/examine-files.ts';
import { takeSurvey } from '../test/files/real-files/survey.ts';

type Figures = {
  readonly milliseconds: number;
  readonly growthMebibytes: number;
  readonly slowest: { readonly path: string; readonly milliseconds: number };
};

const rounds = 3;
const program = fileURLToPath(new URL('./prove-one.ts', import.meta.url));
const survey = await takeSurvey();
if (typeof survey === 'string') throw new Error(survey);

console.log('| type | files | MiB | CPU, ms | ms per MiB | slowest file, ms | memory, MiB |');
console.log('|---|---|---|---|---|---|---|');
for (const [type, files] of Object.entries(Object.groupBy(survey.accepted, (each) => each.type))) print(type, files);

function print(type: string, files: readonly Accepted[]): void {
  const all = Array.from({ length: rounds }, () => JSON.parse(proveAll(files)) as Figures);
  const best = all.reduce((one, other) => (other.milliseconds < one.milliseconds ? other : one));
  const mebibytes = files.reduce((sum, { file }) => sum + file.bytes, 0) / 2 ** 20;
  const cells = [
    files.length,
    mebibytes.toFixed(1),
    best.milliseconds.toFixed(0),
    (best.milliseconds / mebibytes).toFixed(1),
    `${best.slowest.milliseconds.toFixed(1)} (${basename(best.slowest.path)})`,
    best.growthMebibytes.toFixed(0),
  ];
  console.log(`| ${type} | ${cells.join(' | ')} |`);
}

function proveAll(files: readonly Accepted[]): string {
  return execFileSync(process.execPath, [program, ...files.map(({ file }) => file.path)], { encoding: 'utf8' });
}
