// Reads the service secret and the URLs of the database and the storage.
import { type StorageScheme, storageProviders } from '../adapters/providers.ts';
import { splitDatabaseUrl } from '../kernel/database-url.ts';
import { listForms, readProviderUrl } from '../kernel/provider.ts';
import type { ProviderUrl } from '../kernel/provider-url.ts';
import type { EnvReader } from './env-reader.ts';

export type SecretConfig = {
  /** May be undefined in local mode: the service then generates one in dataDir. */
  readonly secret: string | undefined;
  readonly previousSecret: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly databasePool: number;
  readonly storage: ProviderUrl<StorageScheme> | undefined;
};

/** The accepted forms of STORAGE_URL. */
export const storageForms = listForms(storageProviders);

export function readSecrets(reader: EnvReader, isProduction: boolean): SecretConfig {
  const secret = readSecret(reader, 'SECRET');
  if (reader.text('SECRET') === undefined && isProduction && !reader.hasProblem('SECRET', 'SECRET_FILE')) {
    reader.report('SECRET', 'is required in production', 'write 32 random bytes or more: openssl rand -base64 48');
  }
  return {
    secret,
    previousSecret: readSecret(reader, 'SECRET_PREVIOUS'),
    databasePool: reader.count('DATABASE_POOL', 16, 2, 500),
    databaseUrl: reader.parsed<string | undefined>(
      'DATABASE_URL',
      undefined,
      (text) => (splitDatabaseUrl(text) === undefined ? undefined : text),
      'write postgres://user:password@host:5432/name, or leave it out for SQLite',
    ),
    storage: reader.parsed<SecretConfig['storage']>(
      'STORAGE_URL',
      undefined,
      parseStorageUrl,
      `write ${storageForms}, or leave it out for the disk`,
    ),
  };
}

function readSecret(reader: EnvReader, name: 'SECRET' | 'SECRET_PREVIOUS'): string | undefined {
  const secret = reader.text(name);
  if (secret !== undefined && Buffer.byteLength(secret) < 32) {
    return reader.report(name, 'is too short', 'write at least 32 bytes: openssl rand -base64 48');
  }
  return secret;
}

export function parseStorageUrl(text: string): SecretConfig['storage'] {
  return readProviderUrl(storageProviders, text);
}
