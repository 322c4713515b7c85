// The service secret of local mode: generated once in the data folder, readable only by the owner.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SecretConfig } from './read-secrets.ts';

type SecretPlace = Pick<SecretConfig, 'secret' | 'previousSecret'> & { readonly dataDir: string };

/** The secrets from the settings. Without SECRET, the ones in the data folder. */
export function loadSecrets({ secret, previousSecret, dataDir }: SecretPlace): {
  secret: string;
  previousSecret: string | undefined;
} {
  if (secret !== undefined) return { secret, previousSecret };
  return {
    secret: loadOrMakeSecret(dataDir),
    previousSecret: previousSecret ?? read(join(dataDir, 'secret.previous')),
  };
}

export function makeSecret(): string {
  return randomBytes(48).toString('base64url');
}

/**
 * Replaces the secret in the data folder and keeps the old one, so that its tokens stay valid. Every process of a running service
 * accepts the next secret before one of them uses it: `letRead` gives them the time to read it.
 */
export async function rotateSecret(dataDir: string, letRead: () => Promise<unknown>): Promise<void> {
  const path = join(dataDir, 'secret');
  const [old, next] = [loadOrMakeSecret(dataDir), makeSecret()];
  // The old secret comes first: a crash between the two renames then loses no secret.
  renameSync(writeTemporary(`${path}.previous`, `${old}\n${next}`), `${path}.previous`);
  await letRead();
  renameSync(writeTemporary(path, next), path);
}

/** Two processes that start at once agree on one secret: each writes a temporary file, but only one can link it to the final path. */
function loadOrMakeSecret(dataDir: string): string {
  const path = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const known = read(path);
  if (known !== undefined) return known;
  const temporary = writeTemporary(path, makeSecret());
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(temporary);
  }
  const made = read(path);
  if (made === undefined) throw new Error(`cannot read ${path}`);
  return made;
}

function writeTemporary(path: string, secret: string): string {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(temporary, 'wx', 0o600);
  writeSync(file, `${secret}\n`);
  fsyncSync(file);
  closeSync(file);
  return temporary;
}

function read(path: string): string | undefined {
  try {
    const secret = readFileSync(path, 'utf8').trim();
    return secret.length >= 32 ? secret : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
