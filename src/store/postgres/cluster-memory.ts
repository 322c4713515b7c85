// The file in DATA_DIR in which a node remembers the PostgreSQL cluster and the highest timeline that it has seen.
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInstallationId } from '../../files/storage/installation.ts';
import { type ClusterMemory, isLater, nothingRemembered } from './choose-server.ts';

/** What is in the file. */
export type KeptMemory = ClusterMemory & {
  /** The installation whose database this node used. Undefined in the file of an older version. */
  readonly installation: string | undefined;
};

export const nothingKept: KeptMemory = { ...nothingRemembered, installation: undefined };

export function memoryFile(dataDir: string): string {
  return join(dataDir, 'database-cluster.json');
}

export function readMemory(path: string): KeptMemory {
  const text = readIfThere(path);
  if (text === undefined) return nothingKept;
  const memory = parseMemory(text);
  if (memory === undefined)
    throw Object.assign(new Error(`the file ${path} is damaged`), { code: 'CLUSTER_FILE', isFinal: true });
  return memory;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseMemory(text: string): KeptMemory | undefined {
  try {
    const { system, timeline, adoptedAt, installation } = JSON.parse(text) as Record<string, unknown>;
    const isWhole = [timeline, adoptedAt].every((value) => Number.isSafeInteger(value) && Number(value) >= 0);
    const isNamed = system === undefined || (typeof system === 'string' && /^\d+$/.test(system));
    const isOwned = installation === undefined || (typeof installation === 'string' && isInstallationId(installation));
    if (!isWhole || !isNamed || !isOwned) return undefined;
    return { system, timeline: Number(timeline), adoptedAt: Number(adoptedAt), installation };
  } catch {
    return undefined;
  }
}

/** Processes and threads of a node share the file. If two write at once, the later memory stays, and so does the installation that one knows. */
export function writeMemory(path: string, memory: KeptMemory): void {
  const there = readMemory(path);
  const whole = { ...memory, installation: memory.installation ?? there.installation };
  const isOfOther = !isLater(there, whole) && there.installation !== whole.installation;
  if (isOfOther) replaceMemory(path, whole);
  while (isLater(whole, readMemory(path))) replaceMemory(path, whole);
}

/** Whatever is there. */
export function replaceMemory(path: string, memory: KeptMemory): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(temporary, 'wx', 0o600);
  writeSync(file, `${JSON.stringify(memory)}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
