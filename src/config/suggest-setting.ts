// Finds names in the environment that look like misspelled settings.
import type { Env, Problem } from './env-reader.ts';
import { isSecret, settingNames } from './settings.ts';

export function findLookAlikes(env: Env): Problem[] {
  const known = new Set<string>(settingNames.flatMap((name) => (isSecret(name) ? [name, `${name}_FILE`] : [name])));
  return Object.keys(env)
    .filter((name) => /^[A-Za-z][A-Za-z0-9_-]{2,60}$/.test(name) && !known.has(name))
    .flatMap((name) => {
      const meant = [...known].find((candidate) => looksLike(name, candidate));
      if (meant === undefined) return [];
      return [{ name, trouble: 'is not a setting', cure: `did you mean ${meant}?` }];
    });
}

/** The closest word, or undefined if no word is close enough. */
export function findNearest(word: string, words: readonly string[]): string | undefined {
  const near = words.map((known) => [known, isSwap(word, known) ? 1 : distance(word, known)] as const);
  const [best] = near.toSorted(([, a], [, b]) => a - b);
  return best !== undefined && best[1] <= 2 ? best[0] : undefined;
}

function looksLike(name: string, candidate: string): boolean {
  const plain = (text: string) => text.toUpperCase().replaceAll(/[_-]/g, '');
  if (name !== candidate && plain(name) === plain(candidate)) return candidate.includes('_');
  if (name !== name.toUpperCase() || candidate.length < 6) return candidate.length >= 4 && isSwap(name, candidate);
  return distance(name, candidate) <= (candidate.length < 9 ? 1 : 2) || isSwap(name, candidate);
}

/** True if two adjacent letters are in the wrong order: SMS_ULR. */
function isSwap(name: string, candidate: string): boolean {
  if (name.length !== candidate.length || name === candidate) return false;
  const at = name.split('').findIndex((letter, index) => letter !== candidate[index]);
  return (
    name[at] === candidate[at + 1] && name[at + 1] === candidate[at] && name.slice(at + 2) === candidate.slice(at + 2)
  );
}

function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current[column] = Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
    }
    previous = current;
  }
  return previous[b.length] ?? 3;
}
