// The layout of a backup on disk: rows, a list of files with their hashes, the blobs, and a manifest that is written last.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline as connect, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { BlobInfo } from '../files/copy-blob.ts';
import { BackupError, type Page, type Rows, type TableShape } from './snapshot.ts';

/** Format 2 names files by hash and lists them in the order of ids. Format 1 names files by id and lists them in no order. */
const formats = ['gatehouse backup 1', 'gatehouse backup 2'] as const;
const format = formats[1];

export type Manifest = {
  readonly format: (typeof formats)[number];
  readonly createdAt: string;
  readonly version: string;
  readonly migrations: readonly string[];
  /** The number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly files: { readonly count: number; readonly bytes: number; readonly areIncluded: boolean };
  /** The hashes of the parts that have no hash elsewhere. */
  readonly sha256: { readonly database: string; readonly fileList: string };
};

export function databasePath(folder: string): string {
  return join(folder, 'database.jsonl.gz');
}

export function fileListPath(folder: string): string {
  return join(folder, 'files.jsonl');
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

/** One line with the shape of each table, then one line per row. */
export async function* writePages(pages: AsyncIterable<Page>, count: (shape: TableShape, rows: number) => void) {
  let table = '';
  for await (const { shape, rows } of pages) {
    if (shape.table !== table) yield `${JSON.stringify(shape)}\n`;
    table = shape.table;
    count(shape, rows.length);
    yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
}

export async function* readPages(folder: string): AsyncIterable<Page> {
  let shape: TableShape | undefined;
  let rows: Rows[number][] = [];
  for await (const line of linesOf(unpacked(databasePath(folder)))) {
    const value = JSON.parse(line) as TableShape | Rows[number];
    if (Array.isArray(value)) rows.push(value);
    const isFull = rows.length >= 1000 || !Array.isArray(value);
    if (isFull && shape !== undefined && rows.length > 0) {
      yield { shape, rows };
      rows = [];
    }
    if (!Array.isArray(value)) shape = value as TableShape;
  }
  if (shape !== undefined && rows.length > 0) yield { shape, rows };
}

/** An error of the file also ends the unpacked stream. */
function unpacked(path: string): Readable {
  return connect(createReadStream(path), createGunzip(), () => undefined);
}

/** The values of a row by column name. */
export function namedRow<T>({ columns }: TableShape, row: Rows[number]): T {
  return Object.fromEntries(Object.keys(columns).map((column, index) => [column, row[index] ?? null])) as T;
}

export async function* readFileList(folder: string): AsyncIterable<BlobInfo> {
  for await (const line of linesOf(createReadStream(fileListPath(folder)))) yield JSON.parse(line) as BlobInfo;
}

/** Throws the errors of the stream. */
export async function* linesOf(stream: Readable): AsyncIterable<string> {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield line;
  }
  if (rest !== '') yield rest;
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Written last: a backup without a manifest is unfinished. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const path = join(folder, 'manifest.json');
  const handle = await open(`${path}.part`, 'wx', 0o600);
  await handle.writeFile(`${JSON.stringify({ format, ...manifest }, null, 2)}\n`);
  await handle.sync();
  await handle.close();
  await rename(`${path}.part`, path);
  const folderHandle = await open(folder, 'r');
  await folderHandle.sync();
  await folderHandle.close();
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new BackupError(`${folder} is not a finished backup: it has no manifest.json. Name the folder of a backup.`);
  const manifest = parse(text);
  if (manifest === undefined || !formats.includes(manifest.format))
    throw new BackupError(
      `${folder} has a manifest that this version cannot read. Use the version that made the backup.`,
    );
  return manifest;
}

function parse(text: string): Manifest | undefined {
  try {
    return (JSON.parse(text) as Manifest | null) ?? undefined;
  } catch {
    return undefined;
  }
}
