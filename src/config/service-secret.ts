// The service secret of local mode: generated once into the data folder, readable by nobody else.
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

/** What the settings give; in local mode what lies in the data folder. */
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

/** Puts a new secret in the place of the one in the data folder, which stays beside it: what was made under it still counts. */
export function rotateSecret(dataDir: string): void {
  const path = join(dataDir, 'secret');
  const old = loadOrMakeSecret(dataDir);
  // The old one first: whatever happens between the two, it is in one of the places that are read.
  renameSync(writeAside(`${path}.previous`, old), `${path}.previous`);
  renameSync(writeAside(path, makeSecret()), path);
}

/** Two processes that start at once agree on one secret: it is written aside and linked into place, which only one can do. */
function loadOrMakeSecret(dataDir: string): string {
  const path = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const known = read(path);
  if (known !== undefined) return known;
  const aside = writeAside(path, makeSecret());
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(aside);
  }
  const made = read(path);
  if (made === undefined) throw new Error(`cannot read ${path}`);
  return made;
}

function writeAside(path: string, secret: string): string {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(aside, 'wx', 0o600);
  writeSync(file, `${secret}\n`);
  fsyncSync(file);
  closeSync(file);
  return aside;
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
