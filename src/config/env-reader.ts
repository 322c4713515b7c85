// Reads settings from an environment and collects every problem, each with a fix.
import { readFileSync } from 'node:fs';
import { isSecret, type SettingName } from './settings.ts';
import { type CountPerTime, parseBytes, parseCount, parseCountsPerTime, parseDuration } from './units.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export type Problem = { readonly name: string; readonly trouble: string; readonly cure: string };

export type EnvReader = ReturnType<typeof createEnvReader>;

export function createEnvReader(env: Env, readFile: (path: string) => string = (path) => readFileSync(path, 'utf8')) {
  const problems: Problem[] = [];
  const hasProblem = (...names: readonly string[]) => problems.some(({ name }) => names.includes(name));
  /** Reports a problem only once, even if its setting is read twice. */
  const report = (name: string, trouble: string, cure: string): undefined => {
    const isKnown = problems.some((known) => known.name === name && known.trouble === trouble && known.cure === cure);
    if (!isKnown) problems.push({ name, trouble, cure });
  };

  /** The file that holds the value of a secret, if it is given so. */
  const fileOf = (name: SettingName): string | undefined => {
    const path = isSecret(name) ? env[`${name}_FILE`]?.trim() : undefined;
    return path === '' ? undefined : path;
  };

  const text = (name: SettingName): string | undefined => {
    const value = env[name]?.trim();
    const path = fileOf(name);
    if (path === undefined) return value === '' ? undefined : value;
    if (value !== undefined && value !== '') {
      return report(name, `is set twice: ${name} and ${name}_FILE`, `keep one of the two`);
    }
    try {
      const content = readFile(path).trim();
      return content === ''
        ? report(`${name}_FILE`, 'names an empty file', `write the value into it, or leave out ${name}_FILE`)
        : content;
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
    hasProblem,
    report,
    text,
    /** A variable that the driver of PostgreSQL reads itself. */
    driverVariable: (name: `PG${string}`) => (env[name] === '' ? undefined : env[name]),
    fileOf,
    readFile,
    parsed,
    duration: (name: SettingName, fallback: number) =>
      parsed(
        name,
        fallback,
        parseDuration,
        'write a number and a unit (ms, s, m, h, d), from 1s to 3650d, for example 5m',
      ),
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

function shorten(value: string): string {
  const printable = withoutPassword(value).replaceAll(/[^\x20-\x7e…]/g, '?');
  return printable.length > 40 ? `${printable.slice(0, 40)}…` : printable;
}

/** Also of a setting that takes none. */
function withoutPassword(value: string): string {
  const [start, end] = [value.indexOf('//'), value.lastIndexOf('@')];
  return start === -1 || end < start ? value : `${value.slice(0, start)}//…${value.slice(end)}`;
}
