// The file in DATA_DIR in which a node remembers the PostgreSQL cluster and the highest timeline that it has seen.
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ClusterMemory, isLater, nothingRemembered } from './choose-server.ts';

export function memoryFile(dataDir: string): string {
  return join(dataDir, 'database-cluster.json');
}

export function readMemory(path: string): ClusterMemory {
  const text = readIfThere(path);
  if (text === undefined) return nothingRemembered;
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

export function parseMemory(text: string): ClusterMemory | undefined {
  try {
    const { system, timeline, adoptedAt } = JSON.parse(text) as Record<string, unknown>;
    const isWhole = [timeline, adoptedAt].every((value) => Number.isSafeInteger(value) && Number(value) >= 0);
    const isNamed = system === undefined || (typeof system === 'string' && /^\d+$/.test(system));
    return isWhole && isNamed ? { system, timeline: Number(timeline), adoptedAt: Number(adoptedAt) } : undefined;
  } catch {
    return undefined;
  }
}

/** Processes and threads of a node share the file. If two write at once, the later memory stays. */
export function writeMemory(path: string, memory: ClusterMemory): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  while (isLater(memory, readMemory(path))) {
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
}
