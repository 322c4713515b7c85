// Which names of a file of settings the program knows, and which of them hold the path of a file or folder.
import { isSecret, settingNames } from './settings.ts';

const secretFiles = settingNames.filter(isSecret).map((name) => `${name}_FILE`);

const known: ReadonlySet<string> = new Set([
  ...settingNames,
  ...secretFiles,
  'NODE_ENV',
  'TZ',
  'NO_COLOR',
  'FORCE_COLOR',
]);

const paths: ReadonlySet<string> = new Set([
  ...secretFiles,
  ...settingNames.filter((name) => /_(DIR|FILE)$/.test(name)),
]);

/** A setting, or what the program or its driver of PostgreSQL reads itself. NODE_OPTIONS, say, would run foreign code in its child processes. */
export function isKnownName(name: string): boolean {
  return known.has(name) || /^PG[A-Z]+$/.test(name);
}

export function isPathSetting(name: string): boolean {
  return paths.has(name);
}
