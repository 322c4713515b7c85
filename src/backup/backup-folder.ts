// The parts of a backup on disk: rows, a list of files with their hashes, the blobs, and a manifest that is written last.
import { createHash } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { refuseBackup } from './finding.ts';
import { BackupError } from './snapshot.ts';

const names = {
  manifest: 'manifest.json',
  mac: 'manifest.mac',
  database: 'database.jsonl.gz',
  fileList: 'files.jsonl',
};

export const partNames: readonly string[] = Object.values(names);

export function manifestPath(folder: string): string {
  return join(folder, names.manifest);
}

export function macPath(folder: string): string {
  return join(folder, names.mac);
}

export function databasePath(folder: string): string {
  return join(folder, names.database);
}

export function fileListPath(folder: string): string {
  return join(folder, names.fileList);
}

export function filesFolder(folder: string): string {
  return join(folder, 'files');
}

/** Durable when it resolves. Returns the hash of the written bytes. */
export async function writeLines(
  path: string,
  lines: AsyncIterable<string | Buffer>,
  isPacked: boolean,
): Promise<string> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const text = Readable.from(lines, { objectMode: false });
  await (isPacked ? pipeline(text, createGzip(), hashing, target) : pipeline(text, hashing, target));
  return hash.digest('hex');
}

/** Undefined if there is no such file. */
export async function hashOf(path: string): Promise<string | undefined> {
  const handle = await openPart(path);
  if (handle === undefined) return undefined;
  const hash = createHash('sha256');
  try {
    for await (const chunk of handle.createReadStream()) hash.update(chunk as Buffer);
  } catch (error) {
    throw unreadable(path, error as Error);
  }
  return hash.digest('hex');
}

/** Undefined only if there is nothing of that name. Any other error is thrown: what cannot be read may be there, and sound. */
export async function ifThere<T>(path: string, found: Promise<T>): Promise<T | undefined> {
  return found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error instanceof BackupError ? error : unreadable(path, error);
  });
}

function unreadable(path: string, { message }: Error): BackupError {
  return new BackupError(`${basename(path)} cannot be read: ${message}.`);
}

/** The codes of a link, and of a socket, in the place of a file. */
const notPlain = ['ELOOP', 'ENXIO'];

/** Undefined if there is no such file. Whatever else stands in its place is refused: reading a pipe or a device would never end. */
export async function openPart(path: string): Promise<FileHandle | undefined> {
  // A pipe is opened without waiting for its writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const opened = open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (notPlain.includes(error.code ?? '')) refuseBackup(`${basename(path)} is not a file`);
    throw error;
  });
  const handle = await ifThere(path, opened);
  if (handle === undefined || (await handle.stat()).isFile()) return handle;
  await handle.close();
  return refuseBackup(`${basename(path)} is not a file`);
}
