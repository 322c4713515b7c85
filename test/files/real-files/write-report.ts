// Writes what happened to real files: a table by package, and every refusal with its reason and what the format's tool says.
import type { Judgement } from './judge-refusal.ts';
import type { Survey } from './survey.ts';

const verdicts = [
  'rule',
  'damaged',
  'bytes behind the end',
  'known',
  'unexplained',
] as const satisfies readonly Judgement['verdict'][];

/** Markdown. */
export function writeReport({ accepted, judgements, pixels, tags, leftOut }: Survey): string {
  const names = [...new Set([...accepted, ...judgements.map(({ refused }) => refused)].map(({ file }) => file.from))];
  const rows = names.map((name) => {
    const taken = accepted.filter(({ file }) => file.from === name).length;
    const ours = judgements.filter(({ refused }) => refused.file.from === name);
    return rowOf(name, taken, ours);
  });
  return [
    `| package | files | accepted | ${verdicts.join(' | ')} |`,
    `|---|---|---|${'---|'.repeat(verdicts.length)}`,
    ...rows.toSorted(),
    rowOf('**all**', accepted.length, judgements),
    '',
    `${pixels.compared} stripped pictures compared: ${pixels.changed.length} differ in pixels, size or orientation. ` +
      `${tags.looked} stored pictures read with exiftool: ${tags.left.length} have tags about place, device or owner.`,
    ...(leftOut.length === 0 ? [] : ['', `Left out: ${leftOut.join('; ')}.`]),
  ].join('\n');
}

/** One line for each refusal that damage does not explain. */
export function listRefusals(judgements: readonly Judgement[], wanted: readonly Judgement['verdict'][]): string[] {
  return judgements
    .filter(({ verdict }) => wanted.includes(verdict))
    .map(({ refused: { file, code, type }, verdict, because }) =>
      [file.from, file.name.replace(/^[^/]*\//, ''), type ?? file.seen ?? '', code, verdict, because].join(' | '),
    );
}

function rowOf(name: string, taken: number, ours: readonly Judgement[]): string {
  const counts = verdicts.map((wanted) => ours.filter(({ verdict }) => verdict === wanted).length);
  return `| ${name} | ${taken + ours.length} | ${taken} | ${counts.join(' | ')} |`;
}
