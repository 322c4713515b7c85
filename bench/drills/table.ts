// The table of the drills in docs/evidence/drills.md. A run replaces the lines of its drills and keeps the others, so each line says what it ran with.
import { readFileSync, writeFileSync } from 'node:fs';
import { type Drill, nameOf } from './drill.ts';
import { missesDoubled, type Row } from './judge.ts';

const page = new URL('../../docs/evidence/drills.md', import.meta.url);
const place = /(<!-- drills -->\n\n)([\s\S]*?)(\n\n<!-- end -->)/;

/** Text of the page, by column. */
type Cells = Readonly<Record<(typeof heads)[number], string>>;

const heads = [
  'drill',
  'could sign in',
  'codes lost',
  'doubled',
  'signed out',
  'writes lost',
  'p99',
  'recovered',
  'alerts',
  'goals',
  'fault',
  'commit',
] as const;

export const head = `| ${heads.join(' | ')} |\n|${'---|'.repeat(heads.length)}`;

export function toLine(row: Row, commit: string): string {
  const { signInShare, messages, doubled, alerts, misses } = row;
  const cells: Cells = {
    drill: nameOf(row.drill),
    'could sign in': signInShare === undefined ? '' : `${Math.round(signInShare * 100)} % of ${row.signIns}`,
    'codes lost': `${row.codesLost}`,
    doubled: `${doubled} of ${messages}`,
    'signed out': count(row.signOuts),
    'writes lost': count(row.writesLost),
    p99: `${row.p99Seconds.toFixed(2)} s`,
    recovered: row.recoverySeconds === 0 ? 'at once' : `${row.recoverySeconds.toFixed(1)} s`,
    alerts: alerts.map(({ name, state, seconds }) => `${short(name)} ${state} ${Math.round(seconds)} s`).join(', '),
    goals: misses.length === 0 ? '✔' : `✖ ${misses.join(', ')}`,
    fault: `${Math.round(row.faultSeconds)} s`,
    commit,
  };
  return `| ${heads.map((name) => cells[name]).join(' | ')} |`;
}

/** The page with these lines, and those of other drills as they were. */
export function mergeLines(
  text: string,
  lines: readonly string[],
  drills: readonly Drill[],
  conditions: string,
): string {
  const [, , old] = place.exec(text) ?? [];
  if (old === undefined) throw new Error('docs/evidence/drills.md has no place for the table');
  const known = new Map([...old.split('\n'), ...lines].map((line) => [readCells(line)?.drill, line]));
  const kept = drills.flatMap((drill) => known.get(nameOf(drill)) ?? []);
  const excuses = drills.flatMap((drill) =>
    Object.entries(drill.excuses ?? {}).map(([goal, reason]) => `- ${nameOf(drill)}, ${goal}: ${reason}.`),
  );
  const table = [head, ...kept].join('\n');
  const parts = [conditions, table, toSummary(kept), `Goals that a fault cannot keep:\n\n${excuses.join('\n')}`];
  return text.replace(place, (_, begin: string, __, end: string) => begin + parts.join('\n\n') + end);
}

export function writeLines(lines: readonly string[], drills: readonly Drill[], conditions: string): void {
  writeFileSync(page, mergeLines(readFileSync(page, 'utf8'), lines, drills, conditions));
}

/** What is judged over all drills together. */
export function toSummary(lines: readonly string[]): string {
  const cells = lines.flatMap((line) => readCells(line) ?? []);
  const kept = cells.filter(({ goals }) => goals === '✔').length;
  const counts = cells.map(({ doubled }) => doubled.split(' of ').map(Number));
  const [doubled, messages] = [0, 1].map((index) => counts.reduce((sum, pair) => sum + (pair[index] ?? 0), 0));
  const mark = missesDoubled(doubled ?? 0, messages ?? 0) ? '✖' : '✔';
  return `${kept} of ${cells.length} drills kept their goals. ${doubled} of ${messages} messages arrived twice ${mark}.`;
}

/** Undefined for a line that is none of this table. */
function readCells(line: string): Cells | undefined {
  const words = line.split('|').map((word) => word.trim());
  if (words.length !== heads.length + 2 || words[1]?.includes('/') !== true) return undefined;
  return Object.fromEntries(heads.map((name, index) => [name, words[index + 1] ?? ''])) as Cells;
}

function short(alert: string): string {
  return alert.replace(/^Gatehouse/, '');
}

/** The number, and what they were. */
function count(words: readonly string[]): string {
  const kinds = [...Map.groupBy(words, (word) => word)].map(([word, same]) => `${same.length} ${word}`);
  return words.length === 0 ? '0' : kinds.slice(0, 3).join(', ');
}
