// Reads the options of a service key, and describes everything that is wrong with them at once.

import { type KeyProblem, problemsOf } from '../../backend/create-service-key.ts';
import { type BackendScope, backendScopes, longestKeyName, longestLifeDays } from '../../backend/service-key.ts';
import { findNearest } from '../../config/suggest-setting.ts';
import { parseDuration } from '../../config/units.ts';
import { findWord } from '../../kernel/text/closed-list.ts';
import { CommandError } from '../command-error.ts';

type KeyOptions = {
  readonly name: string | undefined;
  readonly scope: string | undefined;
  readonly until: string | undefined;
};

type KeyWish = { readonly name: string; readonly scopes: readonly BackendScope[]; readonly endsAt: number };

const day = 86_400_000;

const cures: Readonly<Record<KeyProblem, string>> = {
  name: `--name: say what uses the key, in at most ${longestKeyName} characters, such as --name "shop server"`,
  scopes: `--scope: name at least one of ${backendScopes.join(', ')}`,
  endsAt: `--until: give an end in the future, at most ${longestLifeDays} days ahead, such as 90d or 2027-01-31`,
};

export function readKeyOptions({ name = '', scope = '', until = '' }: KeyOptions, now: number): KeyWish {
  const words = scope.split(/[\s,]+/).filter((word) => word !== '');
  const unknown = words.filter((word) => findWord(backendScopes, word) === undefined);
  const scopes = words.flatMap((word) => findWord(backendScopes, word) ?? []);
  const wish = { name, scopes, endsAt: parseEnd(until, now) ?? 0 };
  const problems = problemsOf(wish, now).filter((problem) => problem !== 'scopes' || unknown.length === 0);
  refuse([...unknown.map(describeScope), ...problems.map((problem) => cures[problem])]);
  return wish;
}

export function readEnd(until: string | undefined, now: number): number {
  const endsAt = parseEnd(until ?? '', now) ?? 0;
  const allowed = problemsOf({ name: 'any', scopes: backendScopes, endsAt }, now);
  refuse(allowed.map((problem) => cures[problem]));
  return endsAt;
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0)
    throw new CommandError(`No key was created.\n${problems.map((each) => `  ${each}`).join('\n')}`, 2);
}

function describeScope(word: string): string {
  const nearest = findNearest(word, backendScopes) ?? backendScopes.find((scope) => sameWords(scope, word));
  const hint = nearest === undefined ? `there are ${backendScopes.join(', ')}` : `did you mean ${nearest}?`;
  return `--scope: there is no scope “${word}”; ${hint}`;
}

/** `read:users`, `users.read` and `user:read` mean `users:read`. */
function sameWords(scope: string, word: string): boolean {
  const wordsOf = (text: string) =>
    text
      .toLowerCase()
      .split(/[^a-z]+/)
      .map((part) => part.replace(/s$/, ''))
      .sort();
  return wordsOf(scope).join(' ') === wordsOf(word).join(' ');
}

/** A duration from now, a moment, or a date: then the key works on that day, in UTC. */
export function parseEnd(text: string, now: number): number | undefined {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return now + seconds * 1000;
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (!isDate && !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text))
    return undefined;
  const at = Date.parse(text);
  // `2027-02-31` is not the third of March.
  if (Number.isNaN(at) || (isDate && new Date(at).toISOString().slice(0, 10) !== text)) return undefined;
  return isDate ? at + day : at;
}
