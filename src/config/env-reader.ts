// Reads one environment by the settings table and gathers every problem, each with its cure.
import { readFileSync } from 'node:fs';
import { isSecret, type SettingName, settingNames } from './settings.ts';
import { type CountPerTime, parseBytes, parseCount, parseCountsPerTime, parseDuration } from './units.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export type Problem = { readonly name: string; readonly trouble: string; readonly cure: string };

export type EnvReader = ReturnType<typeof createEnvReader>;

export function createEnvReader(env: Env, readFile: (path: string) => string = (path) => readFileSync(path, 'utf8')) {
  const problems: Problem[] = [];
  const report = (name: string, trouble: string, cure: string): undefined => {
    problems.push({ name, trouble, cure });
  };

  const text = (name: SettingName): string | undefined => {
    const value = env[name]?.trim();
    const path = isSecret(name) ? env[`${name}_FILE`]?.trim() : undefined;
    if (path === undefined || path === '') return value === '' ? undefined : value;
    if (value !== undefined && value !== '') {
      return report(name, `is set twice: ${name} and ${name}_FILE`, `keep one of the two`);
    }
    try {
      const content = readFile(path).trim();
      return content === '' ? report(`${name}_FILE`, 'names an empty file', `write the value into it`) : content;
    } catch {
      return report(`${name}_FILE`, 'names a file that cannot be read', `check the path and its permissions`);
    }
  };

  const parsed = <T>(name: SettingName, fallback: T, parse: (text: string) => T | undefined, cure: string): T => {
    const value = text(name);
    if (value === undefined) return fallback;
    const result = parse(value);
    if (result !== undefined) return result;
    report(name, isSecret(name) ? 'cannot be read' : `is “${shorten(value)}”, which cannot be read`, cure);
    return fallback;
  };

  return {
    problems,
    report,
    text,
    parsed,
    duration: (name: SettingName, fallback: number) =>
      parsed(name, fallback, parseDuration, 'write a number and a unit (s, m, h, d), at least 1s, for example 5m'),
    bytes: (name: SettingName, fallback: number) =>
      parsed(name, fallback, parseBytes, 'write a size with its unit, for example 2GiB'),
    count: (name: SettingName, fallback: number, least: number, most: number) =>
      parsed(
        name,
        fallback,
        (value) => parseCount(value, least, most),
        `write a whole number from ${least} to ${most}`,
      ),
    choice: <T extends string>(name: SettingName, fallback: T, choices: readonly T[]) =>
      parsed(
        name,
        fallback,
        (value) => choices.find((choice) => choice === value),
        `write one of ${choices.join(', ')}`,
      ),
    limit: (name: SettingName, fallback: readonly CountPerTime[]) =>
      parsed<readonly CountPerTime[]>(
        name,
        fallback,
        (value) => (value === 'off' ? [] : parseCountsPerTime(value)),
        'write count/time, for example 5/1h,10/24h, or off',
      ),
  };
}

/** Names in the environment that are not ours but look as if they were meant to be. */
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

function looksLike(name: string, candidate: string): boolean {
  const plain = (text: string) => text.toUpperCase().replaceAll(/[_-]/g, '');
  if (name !== candidate && plain(name) === plain(candidate)) return candidate.includes('_');
  if (name !== name.toUpperCase() || candidate.length < 6) return candidate.length >= 4 && isSwap(name, candidate);
  return distance(name, candidate) <= (candidate.length < 9 ? 1 : 2) || isSwap(name, candidate);
}

/** Two neighbouring letters in the wrong order: SMS_ULR. */
function isSwap(name: string, candidate: string): boolean {
  if (name.length !== candidate.length || name === candidate) return false;
  const at = [...name].findIndex((letter, index) => letter !== candidate[index]);
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

function shorten(value: string): string {
  const printable = value.replaceAll(/[^\x20-\x7e]/g, '?');
  return printable.length > 40 ? `${printable.slice(0, 40)}…` : printable;
}
