// The report of a whole run, `bench/mutation.md`: the score of each room and of each file.
import { writeFileSync } from 'node:fs';
import { wantedScore } from './rooms.ts';
import { type Score, showPercent } from './score.ts';
import { type Survivor, survivorsFile } from './survivors.ts';

export function writeReport(byRoom: readonly Score[], byFile: readonly Score[], survivors: readonly Survivor[]): void {
  const listed = survivors.filter(({ reason }) => reason !== undefined).length;
  const text = `# Mutation score

\`npm run mutation\` changes the sources in small ways, one at a time: a condition becomes \`true\`, \`<\` becomes \`<=\`, a call is left
out, a text becomes empty. Such a change is a mutant. It is killed if a unit test fails, and it survives if none does. The score is the
share of killed mutants. The command wrote this page; it fails if a room is below ${wantedScore} %.

What counts:

- Every mutant of every file of these rooms, also those of texts for people and logs. None is left out.
- Only unit tests: \`test/auth/sessions/session.test.ts\` for \`src/auth/sessions/session.ts\`. Tests with a service, a database or a browser kill more, but
  do not count here. Tests of one process only: what runs in threads is not seen.
- A mutant that loops for ever, or takes all memory, is killed. It has its own column.
- A survivor that changes nothing, or is not worth a test, counts as a survivor. [The list](../${survivorsFile}) gives the reason of
  ${listed === survivors.length ? 'each' : `${listed}`} of the ${survivors.length}. The command fails for a survivor that is not listed, and for a listed one that is killed.

${table('Room', byRoom)}

## Files

${table('File', byFile)}
`;
  writeFileSync('bench/mutation.md', text);
}

function table(heading: string, scores: readonly Score[]): string {
  const head = [heading, 'mutants', 'killed', 'endless', 'survived', 'in no test', 'score'];
  const rows = scores.map(({ name, mutants, killed, timedOut, survived, uncovered, percent }) => [
    name,
    mutants,
    killed,
    timedOut,
    survived,
    uncovered,
    showPercent(percent),
  ]);
  return [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}
