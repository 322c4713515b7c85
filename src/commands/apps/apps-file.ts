// The file of apps, for the commands that read and change it. Changes are atomic, and never lost to a change at the same time.
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { checkApps, listApps, type ParsedApps, parseApps, type RawApp } from '../../apps/clients/parse-apps.ts';
import { readLogoBeside } from '../../config/read-apps.ts';
import { asRecord } from '../../kernel/text/as-record.ts';
import { CommandError } from '../command-error.ts';
import { appsFileSetting } from '../load-config.ts';

const waitMilliseconds = 10_000;

/** The path by the option, else by the setting. A link is followed, so that a change does not replace it by a file. */
export function locateAppsFile(file: string | undefined): string {
  const path = file ?? appsFileSetting();
  if (path === undefined || path === '')
    throw new CommandError('No file of apps is named. Set APPS_FILE, such as APPS_FILE=apps.json, or give --file.', 2);
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

export function readAppsFile(path: string): ParsedApps {
  return parseApps(readText(path), readLogoBeside(path));
}

/** Throws a CommandError if the file has problems. */
export function requireApps(path: string) {
  const result = readAppsFile(path);
  if ('apps' in result) return result.apps;
  throw new CommandError(describeProblems(path, result.problems));
}

export function describeProblems(path: string, problems: readonly string[]): string {
  return `${path} has problems.\n${problems.map((problem) => `  ${problem}`).join('\n')}`;
}

/** Nothing is written if the file has problems, before or after the change. */
export async function changeAppsFile(
  path: string,
  change: (apps: readonly RawApp[]) => readonly RawApp[],
): Promise<void> {
  const unlock = await lock(path);
  try {
    const text = existsSync(path) ? readText(path) : '[]\n';
    const readLogo = readLogoBeside(path);
    const before = parseApps(text, readLogo);
    if ('problems' in before) throw new CommandError(describeProblems(path, before.problems));
    const list = listApps(text);
    const entries = change('entries' in list ? list.entries.map(asRecord) : []);
    const after = checkApps(entries, readLogo);
    if ('problems' in after)
      throw new CommandError(`Nothing was changed.\n${after.problems.map((problem) => `  ${problem}`).join('\n')}`, 2);
    replace(path, write(entries, text));
  } finally {
    unlock();
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${reasonOf(error)}. To create it: gatehouse apps add --help`);
  }
}

/** In the form of the old text: a list or an object, and its indentation. */
function write(entries: readonly RawApp[], old: string): string {
  const [, indentation = '  '] = /\n([ \t]+)\S/.exec(old) ?? [];
  return `${JSON.stringify(old.trimStart().startsWith('{') ? { apps: entries } : entries, undefined, indentation)}\n`;
}

/** The service may belong to another user: the file keeps its owner and its permissions. */
function replace(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.new`;
  try {
    const file = openSync(temporary, 'w', 0o644);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (existsSync(path)) keepOwner(path, temporary);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new CommandError(`${path} cannot be written: ${reasonOf(error)}.`);
  }
}

function keepOwner(from: string, to: string): void {
  const { mode, uid, gid } = statSync(from);
  chmodSync(to, mode & 0o777);
  const made = statSync(to);
  if (made.uid !== uid || made.gid !== gid) chownSync(to, uid, gid);
}

/** The lock is a file beside it, so that it also holds between containers that share the folder. */
async function lock(path: string): Promise<() => void> {
  const place = `${path}.lock`;
  for (const end = Date.now() + waitMilliseconds; ; await setTimeout(20)) {
    try {
      closeSync(openSync(place, 'wx', 0o600));
      return () => rmSync(place, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST')
        throw new CommandError(`${dirname(path)} cannot be written to: ${reasonOf(error)}. ${path} stays as it is.`);
      if (Date.now() >= end)
        throw new CommandError(
          `Another command changes ${path}. If no other command runs, one was interrupted: remove ${place} and try again.`,
        );
    }
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'you may not do this',
  EPERM: 'you may not do this',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
};

function reasonOf(error: unknown): string {
  return reasons[codeOf(error)] ?? codeOf(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
