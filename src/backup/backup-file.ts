// A backup as one file: a plain tar of its folder, written and read without external tools.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, opendir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Header, type Pack, pack } from 'tar-stream';
import { quote } from './finding.ts';
import { BackupError } from './snapshot.ts';

export function isFileName(path: string): boolean {
  return path.endsWith('.tar');
}

/** Durable when it resolves. Refuses to overwrite a file. */
export async function packFolder(folder: string, path: string): Promise<void> {
  const archive = pack();
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const written = writeEntries(archive, folder).catch((error: Error) => archive.destroy(error));
  await pipeline(archive, target);
  await written;
}

/**
 * Calls the work with the folder of a backup. A .tar is unpacked next to itself, and the copy is removed after the work. So every
 * message about the copy names the archive.
 */
export async function withBackupFolder<T>(path: string, work: (folder: string) => Promise<T>): Promise<T> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return work(path);
  const folder = await mkdtemp(join(dirname(path), 'unpacked-')).catch(({ message }: Error) => {
    throw new BackupError(
      `${path} is unpacked next to itself, and no folder can be made there: ${message}. Copy it to a folder that you may write to.`,
    );
  });
  try {
    await unpack(path, folder);
    return await work(folder);
  } catch (error) {
    throw error instanceof BackupError ? new BackupError(error.message.replaceAll(folder, path)) : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeEntries(archive: Pack, folder: string): Promise<void> {
  for await (const path of pathsIn(folder)) {
    const { size, mtime } = await stat(path);
    const entry = archive.entry({ name: path.slice(folder.length + 1), size, mtime, mode: 0o600 });
    await pipeline(createReadStream(path), entry);
  }
  archive.finalize();
}

/** In directory order, so that memory use does not grow with the number of files. */
async function* pathsIn(folder: string): AsyncIterable<string> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* pathsIn(path);
    else if (entry.isFile()) yield path;
  }
}

/** Archives of the first version of Gatehouse lack the magic bytes of the format. */
const readOptions = { allowUnknownFormat: true, highWaterMark: 64 * 1024 };

async function unpack(path: string, folder: string): Promise<void> {
  const archive = extract(readOptions);
  const source = createReadStream(path);
  source.on('error', (error) => archive.destroy(error));
  source.pipe(archive);
  try {
    for await (const entry of archive) {
      const name = nameOf(entry.header);
      if (name === undefined) entry.resume();
      else await keep(entry, folder, name);
    }
  } catch (error) {
    // An error of the disk does not mean that the archive is broken.
    if (error instanceof BackupError || (error instanceof Error && 'syscall' in error)) throw error;
    throw broken(isEnd(error) ? 'it ends too early' : 'the header of an entry cannot be read');
  } finally {
    source.destroy();
  }
}

/** More than any name in a backup has: files/abc/ and a hash. */
const longestName = 200;
const deepest = 4;

/** Undefined for a folder. A backup contains only files and folders with plain names. */
function nameOf({ name, type }: Header): string | undefined {
  if (type === 'directory') return undefined;
  if (type !== 'file') throw broken(`the entry ${quote(name)} is neither a file nor a folder`);
  const plain = name.replace(/^(\.\/)+/, '');
  const pieces = plain.split('/');
  const isPlain = pieces.every((piece) => /^[\w.-]+$/.test(piece) && !/^\.{1,2}$/.test(piece));
  if (!isPlain || plain.length > longestName || pieces.length > deepest)
    throw broken(`no backup has an entry with the name ${quote(name)}`);
  return plain;
}

async function keep(bytes: AsyncIterable<unknown>, folder: string, name: string): Promise<void> {
  const to = join(folder, name);
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await pipeline(Readable.from(bytes), createWriteStream(to, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // One entry has the name of another, or of a folder of another.
    if (['EEXIST', 'ENOTDIR', 'EISDIR'].includes(code)) throw broken(`the entry ${quote(name)} comes twice`);
    throw error;
  }
}

/** The words of the library for an archive whose last entry is cut. */
function isEnd(error: unknown): boolean {
  return error instanceof Error && /destroyed|unexpected end/i.test(error.message);
}

function broken(why: string): BackupError {
  return new BackupError(
    `The file is not a backup, or it is incomplete: ${why}. Name the folder or the .tar of a backup.`,
  );
}
