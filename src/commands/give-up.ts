// Ends a start that cannot succeed: one sentence that names the cause and the cure, and an exit code. 78: the settings are wrong.
import type { Config } from '../config/config.ts';
import { InstallationMismatch } from '../files/installation.ts';
import { describeDatabaseTrouble } from '../kernel/database-trouble.ts';
import { tell } from './terminal.ts';
import { mismatchExitCode, writeMismatch } from './write-mismatch.ts';

export function giveUp(config: Config, error: Error): never {
  const { dataDir, databaseUrl, logLevel } = config;
  if (error instanceof InstallationMismatch)
    return endWith(mismatchExitCode, `Gatehouse cannot start. ${writeMismatch(config, error)}`.trimEnd());
  if (logLevel === 'debug') tell(`${error.stack}\n`);
  if (databaseUrl === undefined || isOfFile(error))
    return endWith(1, `Gatehouse cannot use the data folder ${dataDir}: ${error.message}`);
  const { place, cause, cure } = describeDatabaseTrouble(databaseUrl, error);
  const code = (error as { code?: string }).code === 'POOLER_MODE' ? 78 : 1;
  return endWith(code, `Gatehouse cannot use PostgreSQL at ${place}: ${cause}. To cure it: ${cure}.`);
}

/** The secret, say, may be a folder or belong to somebody else: that is not the database's fault. */
function isOfFile(error: NodeJS.ErrnoException & { address?: string }): boolean {
  return /^(EISDIR|ENOTDIR|EACCES|EPERM|EROFS|ENOSPC)$/.test(error.code ?? '') && error.address === undefined;
}

export function endWith(exitCode: number, sentence: string): never {
  tell(`${sentence}\n`);
  process.exit(exitCode);
}
