// Backup and restore on SQLite: reads from a copy of the live file, and fills an empty file in one commit.
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { BackupError, type Cell, type Page, type Snapshot } from '../../backup/snapshot.ts';
import { columnTypes, migrations } from '../migrations/all.ts';
import { plainStatements } from '../migrations/migration.ts';
import {
  asRestored,
  countUsage,
  keptShapes,
  notAccepted,
  notEmpty,
  pageRows,
  plainNames,
  selectOf,
  tablesThatMustBeEmpty,
} from './backup-tables.ts';

/** Copies all pages in one step: a copy in several steps restarts at every write, and under load would never end. */
const wholeFile = 2 ** 31 - 1;

/** Locks the live file only while it is copied. Rows are read from the copy, which is removed at the end. */
export async function openSqliteSnapshot(path: string, workFolder: string): Promise<Snapshot> {
  if (!existsSync(path)) throw new BackupError(`There is no database at ${path}.`);
  const copyPath = join(workFolder, 'snapshot.db');
  const live = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    await backup(live, copyPath, { rate: wholeFile });
  } finally {
    live.close();
  }
  const copy = new DatabaseSync(copyPath);
  return {
    migrations: namesOf(copy),
    shapes: keptShapes,
    pages: async function* (shape) {
      const { table, columns } = plainNames(shape);
      let page: Cell[][] = [];
      for (const row of copy.prepare(`${selectOf({ table, columns })} order by 1`).iterate()) {
        page.push(columns.map((column) => row[column] as Cell));
        if (page.length < pageRows) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },
    close: async () => {
      copy.close();
      for (const ending of ['', '-wal', '-shm']) rmSync(`${copyPath}${ending}`, { force: true });
    },
  };
}

/** Atomic: a process that is killed halfway leaves the database unchanged. */
export async function fillSqlite(path: string, names: readonly string[], pages: AsyncIterable<Page>): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    chmodSync(path, 0o600);
    db.exec('pragma journal_mode = wal; pragma synchronous = full; begin immediate');
    makeTables(db, names);
    refuse(db);
    for await (const { shape, rows } of pages) {
      const { table, columns } = plainNames(shape);
      const marks = columns.map(() => '?').join(', ');
      try {
        const insert = db.prepare(`insert into ${table} (${columns.join(', ')}) values (${marks})`);
        for (const row of asRestored(shape, rows)) insert.run(...row);
      } catch (error) {
        throw isOfRow(error) ? notAccepted(table, error.message) : error;
      }
    }
    db.exec(countUsage);
    db.exec('commit');
  } finally {
    db.close();
  }
}

/** A row that breaks a rule of its table, or a table or column that the migrations of the backup do not make. */
function isOfRow(error: unknown): error is Error {
  const { errcode = 0 } = error as { errcode?: number };
  return error instanceof Error && [1, 18, 19, 20].includes(errcode & 0xff);
}

export async function refuseSqliteRows(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    refuse(db);
  } finally {
    db.close();
  }
}

function refuse(db: DatabaseSync): void {
  const full = tablesThatMustBeEmpty.find((table) => hasTable(db, table) && hasRows(db, table));
  if (full !== undefined) throw notEmpty(full);
}

/** Creates the tables as they were when the backup was made. The next start migrates them. */
function makeTables(db: DatabaseSync, names: readonly string[]): void {
  db.exec('create table if not exists schema_migrations (name text primary key, applied_at integer not null)');
  if (namesOf(db).length > 0) return;
  for (const migration of migrations.filter(({ name }) => names.includes(name))) {
    for (const text of plainStatements(migration, columnTypes.sqlite)) db.exec(text);
    db.prepare('insert into schema_migrations (name, applied_at) values (?, ?)').run(migration.name, Date.now());
  }
}

function namesOf(db: DatabaseSync): string[] {
  if (!hasTable(db, 'schema_migrations')) return [];
  return db
    .prepare('select name from schema_migrations order by name')
    .all()
    .map((row) => String(row.name));
}

function hasTable(db: DatabaseSync, table: string): boolean {
  return db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(table) !== undefined;
}

function hasRows(db: DatabaseSync, table: string): boolean {
  return db.prepare(`select 1 from ${table} limit 1`).get() !== undefined;
}
