// A backup as one file: a plain tar of its folder, made and opened without any tool.
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, opendir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackupError } from './snapshot.ts';

const block = 512;
/** The largest size that eleven octal digits can say. */
const octalMost = 8 ** 11 - 1;

export function isFileName(path: string): boolean {
  return path.endsWith('.tar');
}

/** Durable when it resolves; refuses to write over a file. */
export async function packFolder(folder: string, path: string): Promise<void> {
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(Readable.from(entriesOf(folder), { objectMode: false }), target);
}

/** Hands the folder of a backup to the work: itself, or what is in its file, unpacked beside it until the work ends. */
export async function withBackupFolder<T>(path: string, work: (folder: string) => Promise<T>): Promise<T> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return work(path);
  const folder = await mkdtemp(join(dirname(path), 'unpacked-'));
  try {
    await unpack(path, found.size, folder);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* entriesOf(folder: string): AsyncIterable<Buffer> {
  for await (const path of pathsIn(folder)) {
    const { size, mtimeMs } = await stat(path);
    yield writeHead(path.slice(folder.length + 1), size, mtimeMs);
    for await (const chunk of createReadStream(path)) yield chunk as Buffer;
    yield Buffer.alloc(paddingOf(size));
  }
  yield Buffer.alloc(2 * block);
}

/** As they come, however many there are. */
async function* pathsIn(folder: string): AsyncIterable<string> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* pathsIn(path);
    else if (entry.isFile()) yield path;
  }
}

function writeHead(name: string, size: number, modifiedAt: number): Buffer {
  const head = Buffer.alloc(block);
  head.write(name, 0, 100);
  head.write('0000600\0', 100);
  head.write('0000000\0'.repeat(2), 108);
  if (size <= octalMost) head.write(size.toString(8).padStart(11, '0'), 124);
  else {
    head[124] = 0x80;
    head.writeBigUInt64BE(BigInt(size), 128);
  }
  head.write(
    Math.floor(modifiedAt / 1000)
      .toString(8)
      .padStart(11, '0'),
    136,
  );
  head.write('0ustar\0', 156);
  head.write('00', 263);
  head.write(`${sumOf(head).toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

async function unpack(path: string, length: number, folder: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    for (let at = 0; at < length; ) {
      const head = await readHead(handle, at);
      if (head === undefined) return;
      const start = at + block;
      if (start + head.size > length) throw broken();
      if (head.isFile) await extract(path, start, head.size, join(folder, head.name));
      at = start + head.size + paddingOf(head.size);
    }
  } finally {
    await handle.close();
  }
}

async function extract(path: string, start: number, size: number, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const target = createWriteStream(to, { flags: 'wx', mode: 0o600 });
  const source = size === 0 ? Readable.from([]) : createReadStream(path, { start, end: start + size - 1 });
  await pipeline(source, target);
}

/** Undefined at the end. Files and folders with plain names are all that a backup has. */
async function readHead(handle: FileHandle, at: number) {
  const head = Buffer.alloc(block);
  const { bytesRead } = await handle.read(head, 0, block, at);
  if (bytesRead < block) throw broken();
  if (head.every((byte) => byte === 0)) return undefined;
  const sum = Number.parseInt(head.toString('latin1', 148, 156), 8);
  const name = textAt(head, 0, 100).replace(/^(\.\/)+/, '');
  const kind = String.fromCharCode(head[156] ?? 0);
  const size =
    head[124] === 0x80 ? Number(head.readBigUInt64BE(128)) : Number.parseInt(textAt(head, 124, 12) || '0', 8);
  const isFile = kind === '0' || kind === '\0';
  const isPlain = !isFile || (/^[\w.-]+(\/[\w.-]+)*$/.test(name) && !name.split('/').includes('..'));
  if (sum !== sumOf(head) || !Number.isSafeInteger(size) || !isPlain || !(isFile || kind === '5')) throw broken();
  return { name, size, isFile };
}

/** Of all bytes, with its own place taken as spaces. */
function sumOf(head: Buffer): number {
  return head.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

function textAt(head: Buffer, start: number, length: number): string {
  return head.toString('latin1', start, start + length).split(/[\0 ]/, 1)[0] ?? '';
}

function paddingOf(size: number): number {
  return (block - (size % block)) % block;
}

function broken(): BackupError {
  return new BackupError('The file is no backup, or was cut off. Name the folder or the .tar of a backup.');
}
