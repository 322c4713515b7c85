// Explains why the service cannot start: one sentence with the cause and the cure. Exit code 78 when the settings are wrong.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Config } from '../../config/config.ts';
import { InstallationMismatch } from '../../files/storage/installation.ts';
import { describeDatabaseProblem } from '../../kernel/net/database-problem.ts';
import { ProgramFileError } from '../../kernel/process/program-files.ts';
import { CommandError } from '../command-error.ts';
import { mismatchExitCode, writeMismatch } from '../write-mismatch.ts';

export function startError(config: Config, cause: Error): CommandError {
  const { dataDir, databaseUrl } = config;
  if (cause instanceof InstallationMismatch)
    return new CommandError(`Cannot start. ${writeMismatch(config, cause)}`, mismatchExitCode);
  if (cause instanceof ProgramFileError) return new CommandError(`Cannot start. ${cause.message}`, 1, { cause });
  const { path } = cause as NodeJS.ErrnoException;
  if (isOfFile(cause) && path !== undefined && !isInside(dataDir, path))
    return new CommandError(`Cannot start: ${cause.message}.`, 1, { cause });
  // Errors of SQLite have no path.
  if (databaseUrl === undefined || isOfFile(cause))
    return new CommandError(`Cannot use the data folder ${dataDir}: ${cause.message}`, 1, { cause });
  const { place, cause: why, cure } = describeDatabaseProblem(databaseUrl, cause);
  const { code, isFinal = false } = cause as { code?: string; isFinal?: boolean };
  const exitCode = code === 'POOLER_MODE' || isFinal ? 78 : 1;
  const sentence = `Cannot use PostgreSQL at ${place}: ${why}. To cure it: ${cure}.`;
  return new CommandError(sentence, exitCode, { cause });
}

/** An error of a local file, such as a secret that is a folder or belongs to another user. It is not an error of the database. */
function isOfFile(error: NodeJS.ErrnoException & { address?: string }): boolean {
  const { code = '', path, address } = error;
  if (address !== undefined) return false;
  return path !== undefined || /^(EISDIR|ENOTDIR|EACCES|EPERM|EROFS|ENOSPC)$/.test(code);
}

function isInside(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
