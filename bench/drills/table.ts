// The table of the drills as docs/drills.md shows it, and its place in that page.
import { readFileSync, writeFileSync } from 'node:fs';
import { nameOf } from './drill.ts';
import { missesDoubled, type Row } from './judge.ts';

const page = new URL('../../docs/drills.md', import.meta.url);
const place = /(<!-- drills -->\n\n)[\s\S]*?(\n\n<!-- end -->)/;

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
];

export function toLine(row: Row): string {
  const { signInShare, messages, doubled, alerts, misses } = row;
  const cells = [
    nameOf(row.drill),
    signInShare === undefined ? '' : `${Math.round(signInShare * 100)} % of ${row.signIns}`,
    `${row.codesLost}`,
    `${doubled} of ${messages}`,
    count(row.signOuts),
    count(row.writesLost),
    `${row.p99Seconds.toFixed(2)} s`,
    row.recoverySeconds === 0 ? 'at once' : `${row.recoverySeconds.toFixed(1)} s`,
    alerts.map(({ name, state, seconds }) => `${name} ${state} ${Math.round(seconds)} s`).join(', '),
    misses.length === 0 ? '✔' : `✖ ${misses.join(', ')}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

export const head = `| ${heads.join(' | ')} |\n|${'---|'.repeat(heads.length)}`;

/** What is judged over all drills together. */
export function toSummary(rows: readonly Row[]): string {
  const sum = (count: (row: Row) => number) => rows.reduce((total, row) => total + count(row), 0);
  const kept = rows.filter(({ misses }) => misses.length === 0).length;
  const [doubled, messages] = [sum((row) => row.doubled), sum((row) => row.messages)];
  const mark = missesDoubled(rows) ? '✖' : '✔';
  return `${kept} of ${rows.length} drills kept their goals. ${doubled} of ${messages} messages arrived twice ${mark}.`;
}

export function toTable(rows: readonly Row[], conditions: string): string {
  const excuses = rows.flatMap(({ drill }) =>
    Object.entries(drill.excuses ?? {}).map(([goal, reason]) => `- ${nameOf(drill)}, ${goal}: ${reason}.`),
  );
  const parts = [conditions, [head, ...rows.map(toLine)].join('\n'), toSummary(rows)];
  if (excuses.length > 0) parts.push(`Goals that a drill cannot keep:\n\n${excuses.join('\n')}`);
  return parts.join('\n\n');
}

export function replaceTable(text: string, table: string): string {
  if (!place.test(text)) throw new Error('docs/drills.md has no place for the table');
  return text.replace(place, (_, begin: string, end: string) => begin + table + end);
}

export function writeTable(table: string): void {
  writeFileSync(page, replaceTable(readFileSync(page, 'utf8'), table));
}

/** The number, and what they were. */
function count(words: readonly string[]): string {
  const kinds = [...Map.groupBy(words, (word) => word)].map(([word, same]) => `${same.length} ${word}`);
  return words.length === 0 ? '0' : kinds.slice(0, 3).join(', ');
}
