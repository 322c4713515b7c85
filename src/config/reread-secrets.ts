// Reads the files of the service secrets again while the service runs, and judges whether it may use what they hold now.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitSecrets } from '../kernel/crypto/secrets.ts';
import type { Config } from './config.ts';
import { createEnvReader } from './env-reader.ts';
import { readSecret } from './read-secrets.ts';

export type SecretTexts = { readonly secret: string; readonly previousSecret: string | undefined };

export type SecretPlaces = Pick<Config, 'mode' | 'secret' | 'previousSecret' | 'secretFiles' | 'dataDir'>;

/** Undefined: no file holds a secret, so nothing can change. */
export function rereadSecrets(
  { mode, secret, previousSecret, secretFiles, dataDir }: SecretPlaces,
  used: SecretTexts,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): SecretTexts | { readonly problem: string } | undefined {
  const isGenerated = secret === undefined;
  const { current, previous } = secretFiles;
  if (!isGenerated && current === undefined && previous === undefined) return undefined;
  const currentFile = isGenerated ? join(dataDir, 'secret') : current;
  const generated = isGenerated && previousSecret === undefined ? join(dataDir, 'secret.previous') : undefined;
  const previousFile = previous ?? (generated !== undefined && exists(generated, readFile) ? generated : undefined);
  const reader = createEnvReader(
    {
      ...(currentFile === undefined ? { SECRET: used.secret } : { SECRET_FILE: currentFile }),
      ...(previousFile === undefined ? { SECRET_PREVIOUS: previousSecret } : { SECRET_PREVIOUS_FILE: previousFile }),
    },
    readFile,
  );
  const found = {
    secret: readSecret(reader, 'SECRET', mode === 'production'),
    previousSecret: readSecret(reader, 'SECRET_PREVIOUS', mode === 'production'),
  };
  const [problem] = reader.problems;
  if (problem !== undefined) return { problem: `${problem.name} ${problem.trouble}: ${problem.cure}` };
  return found.secret === undefined ? undefined : { ...found, secret: found.secret };
}

/** An operator who deletes the generated file wants no previous secret. One that cannot be read counts as there, so that it is reported. */
function exists(path: string, readFile: (path: string) => string): boolean {
  try {
    readFile(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/** A change while the service runs signs nobody out. A restart does that. */
export function judgeSecrets(used: SecretTexts, found: SecretTexts): 'same' | 'use' | { readonly problem: string } {
  if (found.secret === used.secret && found.previousSecret === used.previousSecret) return 'same';
  if (found.secret === used.secret || splitSecrets(found.previousSecret).includes(used.secret)) return 'use';
  return {
    problem:
      'the secret in use until now is missing in SECRET_PREVIOUS, so all users would be signed out: write it there, or restart the service if you want that',
  };
}
