// The rows of a backup: written as lines of JSON, and read back through the schema of their tables.
import { createReadStream } from 'node:fs';
import { pipeline as connect, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { BlobInfo } from '../files/storage/copy-blob.ts';
import { isFileId } from '../files/stored-file.ts';
import { databasePath } from './backup-folder.ts';
import { type OnBad, refuseBackup } from './finding.ts';
import { linesOf, parseJson } from './lines.ts';
import { type KnownShape, parseRow, parseShape } from './row-schema.ts';
import { BackupError, type BackupSchema, type Page, type Rows, type TableShape } from './snapshot.ts';

/** More than the largest row: no text of the service is close to it. */
const longestRow = 4 * 1024 * 1024;
const pageRows = 1000;

/** The facts of a blob and its owner. */
export type FileRow = BlobInfo & { readonly user_id: string };

/** `read`: how many lines of the table the page stands for, with those of rows that were left out. */
export type KnownPage = { readonly shape: KnownShape; readonly rows: Rows; readonly read: number };

/** One line with the shape of each table, then one line per row. */
export async function* writePages(pages: AsyncIterable<Page>, count: (shape: TableShape, rows: number) => void) {
  let table = '';
  for await (const { shape, rows } of pages) {
    if (shape.table !== table) yield `${JSON.stringify({ table: shape.table, columns: shape.columns })}\n`;
    table = shape.table;
    count(shape, rows.length);
    yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
}

/** A row that does not fit the schema is reported to `onBad` and left out. Without `onBad` it ends the reading. */
export async function* readPages(
  folder: string,
  schema: BackupSchema,
  onBad: OnBad = refuseBackup,
): AsyncIterable<KnownPage> {
  let shape: KnownShape | undefined;
  let rows: Rows[number][] = [];
  let [number, yielded] = [0, 0];
  const seen = new Set<string>();
  for await (const line of rowLines(folder)) {
    const value = parseJson(line);
    if (!Array.isArray(value)) {
      if (shape !== undefined && number > yielded) yield { shape, rows, read: number - yielded };
      [rows, number, yielded] = [[], 0, 0];
      shape = nextShape(schema, value, seen, onBad);
      continue;
    }
    number += 1;
    if (shape === undefined) {
      // A finding about its table stands for all rows of it.
      if (seen.size === 0 && number === 1) onBad('a row comes before the first table');
      continue;
    }
    const parsed = parseRow(shape, value, number);
    if ('finding' in parsed) onBad(parsed.finding);
    else rows.push(parsed.value);
    if (rows.length < pageRows) continue;
    yield { shape, rows, read: number - yielded };
    [rows, yielded] = [[], number];
  }
  if (shape !== undefined && number > yielded) yield { shape, rows, read: number - yielded };
}

function nextShape(schema: BackupSchema, value: unknown, seen: Set<string>, onBad: OnBad): KnownShape | undefined {
  const parsed = parseShape(schema, value);
  const name = 'finding' in parsed ? 'unknown' : parsed.value.table;
  const finding = 'finding' in parsed ? parsed.finding : seen.has(name) ? `the table ${name} comes twice` : undefined;
  seen.add(name);
  if (finding !== undefined) onBad(finding);
  return finding === undefined && 'value' in parsed ? parsed.value : undefined;
}

/** Bytes that cannot be unpacked are a fault of the backup. An error of the disk is not. */
async function* rowLines(folder: string): AsyncIterable<string> {
  try {
    yield* linesOf(unpacked(databasePath(folder)), longestRow);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') !== true) throw error;
    throw new BackupError(`The database of the backup cannot be unpacked: ${message}.`);
  }
}

/** An error of the file also ends the unpacked stream. */
function unpacked(path: string): Readable {
  return connect(createReadStream(path), createGunzip(), () => undefined);
}

/** The values of a row by column name. */
export function namedRow<T>({ columns }: TableShape, row: Rows[number]): T {
  return Object.fromEntries(Object.keys(columns).map((column, index) => [column, row[index] ?? null])) as T;
}

/** The record of a file. Its id and hash become names of blobs. */
export function fileOf(shape: TableShape, row: Rows[number]): FileRow {
  const { id, size, sha256, user_id } = namedRow<Record<string, unknown>>(shape, row);
  if (typeof id !== 'string' || !isFileId(id)) return refuseBackup('a record of a file has no id');
  if (typeof size !== 'number' || typeof sha256 !== 'string' || typeof user_id !== 'string')
    return refuseBackup(`the record of the file ${id} has no size, hash or owner`);
  return { id, size, sha256, user_id };
}
