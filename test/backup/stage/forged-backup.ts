// Changes a backup as an attacker can who holds the archive and no key: parts are rewritten, and all hashes fit again.
import { hash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { databasePath, fileListPath, manifestPath } from '../../../src/backup/backup-folder.ts';

type Json = Record<string, unknown>;

export type Forgery = {
  /** The lines of the database: a table, then its rows. */
  readonly rows?: (lines: string[]) => string[];
  readonly list?: (lines: string[]) => string[];
  readonly manifest?: (manifest: Json) => unknown;
  readonly folder?: (folder: string) => void;
};

/** Copies the backup to the target and changes the copy. */
export function forgeBackup(source: string, target: string, { rows, list, manifest, folder }: Forgery): void {
  cpSync(source, target, { recursive: true });
  const same = (lines: string[]) => lines;
  const database = gzipSync(change(gunzipSync(readFileSync(databasePath(target))), rows ?? same));
  writeFileSync(databasePath(target), database);
  const fileList = change(readFileSync(fileListPath(target)), list ?? same);
  writeFileSync(fileListPath(target), fileList);
  const sha256 = { database: hash('sha256', database), fileList: hash('sha256', fileList) };
  const whole: Json = { ...(JSON.parse(readFileSync(manifestPath(target), 'utf8')) as Json), sha256 };
  writeFileSync(manifestPath(target), JSON.stringify(manifest?.(whole) ?? whole));
  folder?.(target);
}

function change(bytes: Buffer, by: (lines: string[]) => string[]): Buffer {
  return Buffer.from(`${by(bytes.toString().trimEnd().split('\n')).join('\n')}\n`);
}

/** Changes a value of the first row of a table. */
export function setCell(lines: string[], table: string, column: string, value: unknown): string[] {
  const at = lines.findIndex((line) => line.startsWith(`{"table":"${table}"`));
  const { columns } = JSON.parse(lines[at] ?? '{}') as { columns: Json };
  const row = JSON.parse(lines[at + 1] ?? '[]') as unknown[];
  return lines.with(at + 1, JSON.stringify(row.with(Object.keys(columns).indexOf(column), value)));
}

/** Adds a row to a table behind its first one: a copy with other values. */
export function addRow(lines: string[], table: string, changes: Json): string[] {
  const at = lines.findIndex((line) => line.startsWith(`{"table":"${table}"`));
  const { columns } = JSON.parse(lines[at] ?? '{}') as { columns: Json };
  const row = JSON.parse(lines[at + 1] ?? '[]') as unknown[];
  const added = Object.keys(columns).map((name, index) => (name in changes ? changes[name] : row[index]));
  return lines.toSpliced(at + 2, 0, JSON.stringify(added));
}
