// The command `npm run mutation`: changes the sources in thousands of small ways and shows which changes no unit test notices.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { roomOf, rooms, wantedScore } from './rooms.ts';
import { countScore, type Score, showPercent } from './score.ts';
import { fileOf, matchSurvivors, survivorsFile } from './survivors.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { force: { type: 'boolean', default: false }, concurrency: { type: 'string' } },
});
const asked = positionals.map((path) => path.replace(/\/$/, ''));

const results = await new Stryker({
  testRunner: 'node-test',
  plugins: [new URL('./runner.ts', import.meta.url).href],
  coverageAnalysis: 'perTest',
  mutate: (asked.length > 0 ? asked : rooms.map((room) => `src/${room}`)).map((path) =>
    path.endsWith('.ts') ? path : `${path}/**/*.ts`,
  ),
  // The copy that is changed contains only what unit tests load.
  ignorePatterns: ['**', '!{src,test,locales,client,web}/**', '!package.json'],
  disableTypeChecks: false,
  tempDirName: '.cache/mutation',
  incremental: true,
  incrementalFile: '.cache/mutation-results.json',
  force: values.force,
  concurrency: Number(values.concurrency ?? availableParallelism()),
  // Endless loops end at a count of rounds. These only end what waits, and a busy machine must not look like it.
  timeoutMS: 20_000,
  timeoutFactor: 5,
  reporters: ['progress-append-only'],
  warnings: { slow: false, unknownOptions: true, preprocessorErrors: true, unserializableOptions: true },
}).runMutationTest();

// Results of files that were not asked for come from earlier runs.
const wanted = results.filter((result) => {
  const file = fileOf(result);
  return asked.length === 0 || asked.some((path) => file === path || file.startsWith(`${path}/`));
});
const { survivors, stale } = matchSurvivors(wanted);
const unlisted = survivors.filter(({ reason }) => reason === undefined);

if (unlisted.length > 0) {
  console.log(`\nNo test notices these changes, and ${survivorsFile} does not list them:\n`);
  for (const { file, line, change } of unlisted) console.log(`  ${file}:${line}  ${change}`);
}
if (stale.length > 0) {
  console.log(`\n${survivorsFile} lists these changes, but a test notices them, or they are gone:\n`);
  for (const { file, change } of stale) console.log(`  ${file}  ${change}`);
}
for (const result of wanted.filter(({ status }) => status === 'RuntimeError' || status === 'CompileError')) {
  console.log(`\nBroken: ${fileOf(result)}:${result.location.start.line} ${result.statusReason}`);
}

const files = [...new Set(wanted.map(fileOf))].sort();
const byFile = files.map((file) =>
  countScore(
    file,
    wanted.filter((result) => fileOf(result) === file),
  ),
);
const byRoom = rooms
  .map((room) =>
    countScore(
      room,
      wanted.filter((result) => roomOf(fileOf(result)) === room),
    ),
  )
  .filter(({ mutants }) => mutants > 0);
if (asked.length > 0) printScores('File', byFile);
printScores('Room', byRoom);

const low = byRoom.filter(({ percent }) => percent < wantedScore);
for (const { name, percent } of low) console.log(`✖ ${name}: ${showPercent(percent)}, but ${wantedScore} % are wanted`);
if (low.length > 0 || unlisted.length > 0 || stale.length > 0) process.exitCode = 1;

function printScores(heading: string, scores: Score[]): void {
  const rows = scores.map((score) => ({
    [heading]: score.name,
    Mutants: score.mutants,
    Killed: score.killed,
    'Timed out': score.timedOut,
    Survived: score.survived,
    'Not covered': score.uncovered,
    Broken: score.broken,
    Score: showPercent(score.percent),
  }));
  console.log();
  console.table(rows);
}
