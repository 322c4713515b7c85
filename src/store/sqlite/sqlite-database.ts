// Opens one SQLite file for durable writes and runs batches of calls, each batch as one commit.
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Outcome, operationNamed, runTogether } from '../batch.ts';
import { checkLocks } from '../engine/check-locks.ts';
import { runOperation } from '../engine/run-operation.ts';
import type { Transaction } from '../engine/transaction.ts';
import { columnTypes, migrations } from '../migrations/all.ts';
import { judgeMigrations, plainStatements } from '../migrations/migration.ts';
import type { OperationName } from '../operations/all.ts';
import type { MigrationState } from '../store.ts';
import { isBusy, isTrouble } from './sqlite-errors.ts';
import { createPreparer, createTransactions, type Prepare } from './sqlite-transaction.ts';
import { useLog } from './use-log.ts';

/** So long a commit waits for that of another process. It is less than a call may take. */
const busyMilliseconds = 4000;

type Call = { readonly name: OperationName; readonly input: unknown };

export type SqliteDatabase = {
  /** Outcomes in the order of the calls. Resolves after the commit. */
  run(calls: readonly Call[]): Promise<Outcome[]>;
  ping(): void;
  migrationStatus(): MigrationState[];
  /** The names of the applied migrations. Undefined if another process is writing. */
  migrate(): string[] | undefined;
  close(): void;
};

/**
 * `checksLocks` checks every operation against the lock order, for tests. SQLite itself does not need the order.
 * `mapsFile`: pages that are mapped count as memory of the process, up to the size of the file.
 */
export function openSqliteDatabase(
  path: string,
  endpoints: readonly string[],
  checksLocks = false,
  mapsFile = true,
): SqliteDatabase {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(path, { timeout: busyMilliseconds });
  chmodSync(path, 0o600);
  // FULL syncs the log at every commit, so an acknowledged write survives a power cut. Pages are read through a memory map, so a
  // large database needs no more system calls than a small one. A checkpoint writes each page of the log once, however often it
  // changed: with twice the usual pages in the log it writes fewer for each change.
  useLog(db, busyMilliseconds);
  db.exec(
    `pragma synchronous = full; pragma wal_autocheckpoint = 2000; pragma temp_store = memory;
    pragma cache_size = -${cachedKibibytes(mapsFile)}; pragma mmap_size = ${mappedBytes(mapsFile)}`,
  );
  const prepare = createPreparer(db);
  const transactionFor = createTransactions(db, endpoints);
  const begin: Begin = (reads) => (checksLocks ? checkLocks(transactionFor(reads)) : transactionFor(reads));
  return {
    run: (calls) => runBatch(db, prepare, calls, begin),
    ping: () => void prepare('select count(*) from schema_migrations').get(),
    migrationStatus: () => statusOf(db),
    migrate: () => migrate(db),
    close: () => db.close(),
  };
}

/**
 * What is mapped needs no place in the cache, which then holds only pages that are in the log. It is small, because SQLite looks
 * through all of it at the end of almost every commit that splits a page of an index.
 */
function cachedKibibytes(mapsFile: boolean): number {
  return mapsFile ? 2000 : 8000;
}

export function mappedBytes(mapsFile: boolean): number {
  return mapsFile ? 1024 ** 3 : 0;
}

type Begin = (reads: boolean) => Transaction;

/**
 * First without savepoints: inside one, SQLite copies every page that it changes. If something fails, nothing of the batch stays, and
 * it runs again with a savepoint for each operation, so that only the calls that fail get the error.
 */
async function runBatch(db: DatabaseSync, prepare: Prepare, calls: readonly Call[], begin: Begin): Promise<Outcome[]> {
  const groups = groupByName(calls);
  const failed = (error: unknown): Outcome[] => calls.map(() => ({ error }));
  const plainly: RunGroup = async (name, inputs) => {
    const operation = operationNamed(name);
    const values = await runOperation(name, operation, begin(operation.reads === true), inputs);
    return values.map((value) => ({ value }));
  };
  const apart: RunGroup = (name, inputs) =>
    runTogether(
      name,
      inputs,
      savepoint(prepare, () => begin(operationNamed(name).reads === true)),
      isTrouble,
    );
  try {
    return await commitGroups(db, prepare, calls, groups, plainly);
  } catch (error) {
    if (calls.length === 1 || isBusy(error) || (groups.size === 1 && isTrouble(error))) return failed(error);
  }
  return commitGroups(db, prepare, calls, groups, apart).catch(failed);
}

type RunGroup = (name: OperationName, inputs: readonly unknown[]) => Promise<Outcome[]>;

async function commitGroups(
  db: DatabaseSync,
  prepare: Prepare,
  calls: readonly Call[],
  groups: ReadonlyMap<OperationName, readonly number[]>,
  runGroup: RunGroup,
): Promise<Outcome[]> {
  const onlyReads = [...groups.keys()].every((name) => operationNamed(name).reads === true);
  const outcomes: Outcome[] = new Array(calls.length);
  try {
    prepare(onlyReads ? 'begin' : 'begin immediate').run();
    for (const [name, indexes] of groups) {
      const inputs = indexes.map((index) => calls[index]?.input);
      const results = await runGroup(name, inputs);
      indexes.forEach((index, at) => {
        outcomes[index] = results[at] ?? { error: new Error('no outcome') };
      });
    }
    prepare('commit').run();
  } catch (error) {
    if (db.isTransaction) prepare('rollback').run();
    throw error;
  }
  return outcomes;
}

/** Calls of the same operation run together. Operations run in the order of their first call. */
function groupByName(calls: readonly Call[]): Map<OperationName, number[]> {
  const groups = new Map<OperationName, number[]>();
  calls.forEach(({ name }, index) => {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [index]);
    else group.push(index);
  });
  return groups;
}

function savepoint(prepare: Prepare, begin: () => Transaction) {
  return async (work: (transaction: Transaction) => Promise<unknown[]>): Promise<unknown[]> => {
    prepare('savepoint step').run();
    try {
      const values = await work(begin());
      prepare('release step').run();
      return values;
    } catch (error) {
      prepare('rollback to step').run();
      prepare('release step').run();
      throw error;
    }
  };
}

function statusOf(db: DatabaseSync): MigrationState[] {
  db.exec('create table if not exists schema_migrations (name text primary key, applied_at integer not null)');
  const rows = db.prepare('select name from schema_migrations').all() as { name: string }[];
  return judgeMigrations(
    migrations,
    rows.map(({ name }) => name),
  );
}

/** Applies all missing migrations in one transaction with the write lock. A process that is killed halfway leaves the file unchanged. */
function migrate(db: DatabaseSync): string[] | undefined {
  if (statusOf(db).every((migration) => migration.isApplied)) return [];
  try {
    db.exec('begin immediate');
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
  try {
    const missing = new Set(
      statusOf(db)
        .filter((migration) => !migration.isApplied)
        .map(({ name }) => name),
    );
    for (const migration of migrations.filter(({ name }) => missing.has(name))) {
      for (const text of plainStatements(migration, columnTypes.sqlite)) db.exec(text);
      db.prepare('insert into schema_migrations (name, applied_at) values (?, ?)').run(migration.name, Date.now());
    }
    db.exec('commit');
    return [...missing];
  } catch (error) {
    // On a full disk SQLite has undone it already.
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}
