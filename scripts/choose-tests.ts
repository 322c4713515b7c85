// Finds the test files that a command line means: a file, a folder, a pattern, or a source file, whose tests have its name.
import { existsSync } from 'node:fs';
import { matchesGlob, relative } from 'node:path';

export type Tier = 'fast' | 'slow' | 'all';
type Choice = { readonly files: readonly string[] } | { readonly problem: string };

const kindOfTest = /(?:\.(?:live|contract|page|slow))?\.test\.ts$/;
const most = 8;

/** What a test needs is in the end of its name. */
export const isUnit = (file: string): boolean => !/\.(?:live|contract|page|slow)\.test\.ts$/.test(file);
export const isSlow = (file: string): boolean => file.endsWith('.slow.test.ts');

export function filesOfTier(all: readonly string[], tier: Tier): readonly string[] {
  return tier === 'all' ? all : all.filter((file) => isSlow(file) === (tier === 'slow'));
}

/** A file that is named in full runs in every tier. Everything else means those of its tests that the tier has. */
export function chooseTests(words: readonly string[], all: readonly string[], tier: Tier): Choice {
  const chosen = new Set<string>();
  for (const word of words) {
    const path = relative('.', word).replaceAll('\\', '/');
    const { found, mustBeOne } = find(path, path === '' ? [] : all);
    if (found.length === 0) return { problem: `No test file: ${word}` };
    if (mustBeOne && new Set(found.map(stemOf)).size > 1)
      return { problem: `${word} means several files:${listOf(found)}` };
    const files = found.includes(path) ? found : filesOfTier(found, tier);
    if (files.length === 0) return { problem: `No test of this tier, name the file:${listOf(found)}` };
    for (const file of files) chosen.add(file);
  }
  return { files: [...chosen] };
}

function find(path: string, all: readonly string[]): { found: readonly string[]; mustBeOne: boolean } {
  if (all.includes(path)) return { found: [path], mustBeOne: true };
  const inTest = inTestFolder(path);
  const folder = inTest.endsWith('/') ? inTest : `${inTest}/`;
  const within = all.filter((file) => file.startsWith(folder) || matchesGlob(file, path) || matchesGlob(file, inTest));
  if (within.length > 0) return { found: within, mustBeOne: false };
  const isTest = kindOfTest.test(path);
  const endOf = (file: string) => (isTest ? file : stemOf(file));
  const end = endOf(inTest).replace(/^(?:media\/)?test\//, '/');
  const ways = [
    all.filter((file) => endOf(file) === endOf(inTest)),
    all.filter((file) => endOf(file).endsWith(end)),
    // The tests of scripts and of benches have folders of their own.
    all.filter((file) => !isTest && existsSync(path) && endOf(file).endsWith(end.slice(end.lastIndexOf('/')))),
  ];
  return { found: ways.find((files) => files.length > 0) ?? [], mustBeOne: true };
}

/** The package of media types has its tests beside its sources. */
function inTestFolder(path: string): string {
  const inMedia = /^media(?:\/(?:src|test))?(?:\/(.*))?$/.exec(path);
  return inMedia === null ? `test/${path.replace(/^(?:src|test)(?:\/|$)/, '')}` : `media/test/${inMedia[1] ?? ''}`;
}

/** The name of a test, and of the source that it tests. */
function stemOf(file: string): string {
  return file.replace(kindOfTest, '').replace(/\.[jt]sx?$/, '');
}

function listOf(files: readonly string[]): string {
  const rest = files.length - most;
  const shown = files.slice(0, most).map((file) => `\n  ${file}`);
  return `${shown.join('')}${rest > 0 ? `\n  and ${rest} more` : ''}`;
}
