// The mutants that no test notices: how each is named, and the list of those that are known, with the reason.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';

/** `ArrayDeclaration: [] → ["Stryker was here"]`: the change itself, without its line, which moves. */
export type Survivor = { file: string; line: number; change: string; reason: string | undefined };

/** By file: groups of changes with one reason. A change that a file contains twice is listed twice. */
type KnownSurvivors = Record<string, { reason: string; changes: string[] }[]>;

export const survivorsFile = 'test/mutation-survivors.json';

export const isDetected = ({ status }: MutantResult): boolean => status === 'Killed' || status === 'Timeout';
export const isSurvivor = ({ status }: MutantResult): boolean => status === 'Survived' || status === 'NoCoverage';

/** The survivors among the results, each with its reason if it is listed, and the listed changes that no longer survive. */
export function matchSurvivors(results: readonly MutantResult[]): { survivors: Survivor[]; stale: Survivor[] } {
  const listed = readListed();
  const files = new Set(results.map(fileOf));
  const survivors = results.filter(isSurvivor).map((result): Survivor => {
    const file = fileOf(result);
    const change = nameChange(result, file);
    const at = listed.findIndex((entry) => entry.file === file && entry.change === change);
    const [entry] = at < 0 ? [] : listed.splice(at, 1);
    return { file, line: result.location.start.line, change, reason: entry?.reason };
  });
  survivors.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  return { survivors, stale: listed.filter(({ file }) => files.has(file) || !existsSync(file)) };
}

export function readKnownSurvivors(): KnownSurvivors {
  return existsSync(survivorsFile) ? (JSON.parse(readFileSync(survivorsFile, 'utf8')) as KnownSurvivors) : {};
}

function readListed(): Survivor[] {
  return Object.entries(readKnownSurvivors()).flatMap(([file, groups]) =>
    groups.flatMap(({ reason, changes }) => changes.map((change) => ({ file, line: 0, change, reason }))),
  );
}

export function fileOf({ fileName }: Pick<MutantResult, 'fileName'>): string {
  return relative(process.cwd(), fileName).replaceAll('\\', '/');
}

function nameChange({ mutatorName, replacement, location: { start, end } }: MutantResult, file: string): string {
  const lines = readLines(file).slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1);
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  return `${mutatorName}: ${onOneLine(lines.join('\n'))} → ${onOneLine(replacement ?? '')}`;
}

const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const sources = new Map<string, string[]>();

function readLines(file: string): string[] {
  const lines = sources.get(file) ?? readFileSync(file, 'utf8').split('\n');
  sources.set(file, lines);
  return lines;
}
