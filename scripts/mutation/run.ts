// The command `npm run mutation`: changes the sources in thousands of small ways and shows which changes no unit test notices.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { LogLevel, MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { writeReport } from './report.ts';
import { folderOf, roomOf, rooms, wantedScore } from './rooms.ts';
import { countScore, type Score, showPercent } from './score.ts';
import { fileOf, matchSurvivors, type Survivor, survivorsFile } from './survivors.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { force: { type: 'boolean', default: false }, concurrency: { type: 'string' } },
});
const asked = positionals.map((path) => path.replace(/\/$/, ''));
const isWhole = asked.length === 0;
const started = performance.now();

const results = await new Stryker({
  testRunner: 'node-test',
  plugins: [new URL('./runner.ts', import.meta.url).href],
  coverageAnalysis: 'perTest',
  mutate: (isWhole ? rooms.map(folderOf) : asked).map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.ts`)),
  // The copy that is changed contains only what unit tests load.
  ignorePatterns: ['**', '!{src,media,test,locales,client,web}/**', '!package.json'],
  disableTypeChecks: false,
  tempDirName: '.cache/mutation',
  cleanTempDir: 'always',
  incremental: true,
  incrementalFile: '.cache/mutation-results.json',
  force: values.force,
  concurrency: Number(values.concurrency ?? availableParallelism()),
  // The test runner ends a mutant by its rounds, its processor time and its memory. A busy machine must not look like an endless loop.
  timeoutMS: 300_000,
  timeoutFactor: 50,
  // A module that was loaded anew is never forgotten.
  maxTestRunnerReuse: 1000,
  reporters: ['progress-append-only'],
  logLevel: 'warn' as LogLevel,
}).runMutationTest();

// Results of files that were not asked for come from earlier runs.
const wanted = results.filter((result) => {
  const file = fileOf(result);
  return isWhole ? roomOf(file) !== undefined : asked.some((path) => file === path || file.startsWith(`${path}/`));
});
const { survivors, stale } = matchSurvivors(wanted);
const unlisted = survivors.filter(({ reason }) => reason === undefined);
printSurvivors(`No test notices these changes, and ${survivorsFile} does not list them`, unlisted);
printSurvivors(`${survivorsFile} lists these changes, but a test notices them, or they are gone`, stale);
const broken = wanted.filter(({ status }) => status === 'RuntimeError' || status === 'CompileError');
for (const result of broken) {
  console.log(`\nBroken: ${fileOf(result)}:${result.location.start.line} ${result.statusReason}`);
}

const byRoom = countEach(rooms, (result) => roomOf(fileOf(result)));
const byFile = countEach([...new Set(wanted.map(fileOf))].sort(), fileOf);
if (isWhole) writeReport(byRoom, byFile, survivors);
else printScores('File', byFile);
printScores('Room', byRoom);
console.log(`${Math.round((performance.now() - started) / 1000)} s`);

const low = byRoom.filter(({ percent }) => percent < wantedScore);
for (const { name, percent } of low) console.log(`✖ ${name}: ${showPercent(percent)}, but ${wantedScore} % are wanted`);
if (unlisted.length > 0) console.log(`✖ ${unlisted.length} changes survive without a reason`);
if (stale.length > 0) console.log(`✖ ${stale.length} listed changes do not survive`);
if (low.length > 0 || unlisted.length > 0 || stale.length > 0 || broken.length > 0) process.exitCode = 1;

function countEach(names: readonly string[], nameOf: (result: MutantResult) => string | undefined): Score[] {
  return names
    .map((name) =>
      countScore(
        name,
        wanted.filter((result) => nameOf(result) === name),
      ),
    )
    .filter(({ mutants }) => mutants > 0);
}

function printSurvivors(heading: string, list: readonly Survivor[]): void {
  if (list.length === 0) return;
  console.log(`\n${heading}:\n`);
  for (const { file, line, change } of list) console.log(`  ${file}${line === 0 ? '' : `:${line}`}  ${change}`);
}

function printScores(heading: string, scores: readonly Score[]): void {
  const rows = scores.map((score) => ({
    [heading]: score.name,
    Mutants: score.mutants,
    Killed: score.killed,
    Endless: score.timedOut,
    Survived: score.survived,
    'In no test': score.uncovered,
    Broken: score.broken,
    Score: showPercent(score.percent),
  }));
  console.log();
  console.table(rows);
}
