// Reads the service secret and the URLs of the database and the storage.
import { type StorageScheme, storageProviders } from '../adapters/providers.ts';
import { splitSecrets } from '../kernel/crypto/secrets.ts';
import { completeDatabaseUrl, splitDatabaseUrl } from '../kernel/net/database-url.ts';
import { listForms, readProviderUrl } from '../kernel/net/provider.ts';
import type { ProviderUrl } from '../kernel/net/provider-url.ts';
import type { EnvReader } from './env-reader.ts';
import { weaknessOf } from './weak-secret.ts';

export type SecretConfig = {
  /** May be undefined in local mode: the service then generates one in dataDir. */
  readonly secret: string | undefined;
  /** Other accepted secrets, one on each line. */
  readonly previousSecret: string | undefined;
  /** Both are read again while the service runs. Undefined: the secret is not in a file. */
  readonly secretFiles: { readonly current: string | undefined; readonly previous: string | undefined };
  /** Signs backups and journals. Undefined: they have no MAC. */
  readonly backupKey: string | undefined;
  readonly previousBackupKey: string | undefined;
  /** The bucket of backups. */
  readonly backupBucket: ProviderUrl<StorageScheme> | undefined;
  readonly databaseUrl: string | undefined;
  /** The file of the URL, if it is in one: new connections take the password that is in it then. */
  readonly databaseUrlFile: string | undefined;
  readonly databasePool: number;
  readonly storage: ProviderUrl<StorageScheme> | undefined;
};

/** The accepted forms of STORAGE_URL and BACKUP_URL. */
export const storageForms = listForms(storageProviders);

export function readSecrets(reader: EnvReader, isProduction: boolean): SecretConfig {
  const secret = readSecret(reader, 'SECRET', isProduction);
  if (reader.text('SECRET') === undefined && isProduction && !reader.hasProblem('SECRET', 'SECRET_FILE')) {
    reader.report('SECRET', 'is required in production', writeRandom);
  }
  return {
    secret,
    previousSecret: readSecret(reader, 'SECRET_PREVIOUS', isProduction),
    secretFiles: { current: reader.fileOf('SECRET'), previous: reader.fileOf('SECRET_PREVIOUS') },
    backupKey: readSecret(reader, 'BACKUP_KEY', isProduction),
    previousBackupKey: readSecret(reader, 'BACKUP_KEY_PREVIOUS', isProduction),
    backupBucket: reader.parsed<SecretConfig['backupBucket']>(
      'BACKUP_URL',
      undefined,
      parseStorageUrl,
      `write ${storageForms}, or leave it out for backups in folders`,
    ),
    databasePool: reader.count('DATABASE_POOL', 16, 2, 500),
    databaseUrlFile: reader.fileOf('DATABASE_URL'),
    databaseUrl: reader.parsed<string | undefined>(
      'DATABASE_URL',
      undefined,
      (text) => (splitDatabaseUrl(text) === undefined ? undefined : completeUrl(reader, text)),
      'write postgres://user:password@host:5432/name with % / ? # and @ in its parts percent-encoded (%25 %2F %3F %23 %40), or leave it out for SQLite',
    ),
    storage: reader.parsed<SecretConfig['storage']>(
      'STORAGE_URL',
      undefined,
      parseStorageUrl,
      `write ${storageForms}, or leave it out for the disk`,
    ),
  };
}

function completeUrl({ driverVariable, report }: EnvReader, text: string): string {
  const url = completeDatabaseUrl(text, {
    host: driverVariable('PGHOST'),
    port: driverVariable('PGPORT'),
    name: driverVariable('PGDATABASE'),
    user: driverVariable('PGUSER'),
  });
  if (splitDatabaseUrl(url) !== undefined) return url;
  report(
    'PGPORT',
    'is no port, and DATABASE_URL has none',
    'write a number from 1 to 65535, or a port into DATABASE_URL',
  );
  return text;
}

type SecretName = 'SECRET' | 'SECRET_PREVIOUS' | 'BACKUP_KEY' | 'BACKUP_KEY_PREVIOUS';

const writeRandom = 'write 32 random bytes or more: openssl rand -base64 48';

/** A previous secret cannot be chosen anew: either it is accepted as it was, or not at all. */
const leaveOut = 'leave it out, so that nothing made with it is accepted; for a new secret: openssl rand -base64 48';

const weakCures: Readonly<Record<SecretName, string>> = {
  SECRET: writeRandom,
  SECRET_PREVIOUS: leaveOut,
  BACKUP_KEY: writeRandom,
  BACKUP_KEY_PREVIOUS: leaveOut,
};

export function readSecret(reader: EnvReader, name: SecretName, isProduction: boolean): string | undefined {
  const secret = reader.text(name);
  if (secret === undefined) return undefined;
  for (const each of name === 'SECRET_PREVIOUS' ? splitSecrets(secret) : [secret]) {
    if (Buffer.byteLength(each) < 32)
      return reader.report(name, 'is too short', 'write at least 32 bytes: openssl rand -base64 48');
    const weakness = isProduction ? weaknessOf(each) : undefined;
    if (weakness !== undefined) return reader.report(name, weakness, weakCures[name]);
  }
  return secret;
}

export function parseStorageUrl(text: string): SecretConfig['storage'] {
  return readProviderUrl(storageProviders, text);
}
