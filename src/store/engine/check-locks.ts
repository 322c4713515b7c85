// Checks every statement of a transaction against the lock order. Tests turn it on, on both databases.
import { lockOrder, tablesInLockOrder } from './lock-order.ts';
import { keyOf, type TableName } from './schema.ts';
import type { Args } from './sql.ts';
import type { Statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/** `lock` waits for rows and locks them in key order. `select` does the same and also returns the rows in that order. */
type Touch = { readonly table: TableName; readonly kind: 'select' | 'lock' | 'skip' | 'update' | 'insert' };

type Key = string | number;

export function checkLocks(transaction: Transaction): Transaction {
  /** Keys that a lock asked for or found. The rows that exist are locked. */
  const known = createKeys();
  const locked = createKeys();
  const lastKeys = new Map<TableName, Key>();
  let last: TableName = 'challenges';
  let lastInserted: TableName = 'challenges';

  const before = (statement: Statement<unknown>, args: Args): Touch | undefined => {
    const touch = touchOf(statement);
    if (touch === undefined) return undefined;
    const { table, kind } = touch;
    const keys = keysIn(args, table);
    const areKnown = keys?.every((key) => known.includes(table, key)) ?? false;
    if (transaction.reads) throw broken(`a reading operation touches rows of ${table}`);
    if (kind === 'update' && !areKnown) throw broken(`rows of ${table} are written before they are locked`);
    if (kind === 'insert' && lockOrder[table] === 'shared') {
      if (!known.has(table)) throw broken(`rows of ${table} are inserted before they are looked for with a lock`);
      if (isBefore(table, lastInserted)) throw broken(`${table} is inserted after ${lastInserted}`);
      lastInserted = table;
    }
    if ((kind === 'select' || kind === 'lock') && !areKnown) {
      if (isBefore(table, last)) throw broken(`${table} is locked after ${last}`);
      last = table;
    }
    if (kind === 'skip' && isBefore(last, table)) last = table;
    known.add(table, keys ?? []);
    return touch;
  };

  const after = ({ table, kind }: Touch, rows: readonly unknown[]): void => {
    const [column = ''] = keyOf(table);
    for (const row of rows) {
      const key = (row as Record<string, Key | undefined>)[column];
      if (key === undefined || locked.includes(table, key)) continue;
      const previous = lastKeys.get(table);
      if (kind === 'select' && previous !== undefined && previous >= key)
        throw broken(`row ${key} of ${table} is locked after row ${previous}`);
      if (kind === 'select') lastKeys.set(table, key);
      locked.add(table, [key]);
      known.add(table, [key]);
    }
  };

  return {
    ...transaction,
    all: async <Result>(statement: Statement<Result>, args: Args) => {
      const touch = before(statement, args);
      const rows = await transaction.all(statement, args);
      if (touch !== undefined) after(touch, rows);
      return rows;
    },
    run: async (statement, args) => {
      before(statement, args);
      await transaction.run(statement, args);
    },
  };
}

function broken(what: string): Error {
  return new Error(`the lock order is broken: ${what}`);
}

function isBefore(table: TableName, other: TableName): boolean {
  return tablesInLockOrder.indexOf(table) < tablesInLockOrder.indexOf(other);
}

function createKeys() {
  const byTable = new Map<TableName, Set<Key>>();
  return {
    has: (table: TableName) => byTable.has(table),
    includes: (table: TableName, key: Key) => byTable.get(table)?.has(key) ?? false,
    add: (table: TableName, keys: readonly Key[]) => {
      const kept = byTable.get(table) ?? new Set();
      for (const key of keys) kept.add(key);
      byTable.set(table, kept);
    },
  };
}

/** The keys in the arguments of a statement. Undefined if the statement selects its rows by another column. */
function keysIn({ rows, wanted }: Args, table: TableName): Key[] | undefined {
  const [column = ''] = keyOf(table);
  const given = (rows ?? wanted) as readonly Readonly<Record<string, Key>>[] | undefined;
  const keys = given?.flatMap((row) => row[column] ?? []) ?? [];
  return keys.length > 0 ? keys : undefined;
}

const touches = new WeakMap<Statement<unknown>, Touch | { readonly kind: 'read' }>();

/** Uses the PostgreSQL text on both databases: SQLite does not lock rows, so its text has no lock clauses. */
function touchOf(statement: Statement<unknown>): Touch | undefined {
  const known = touches.get(statement) ?? parse(statement.on('postgres').text);
  touches.set(statement, known);
  return known.kind === 'read' ? undefined : known;
}

function parse(text: string): Touch | { readonly kind: 'read' } {
  const [, verb, written] = /^(?:with \w+ as \()?(select|update|delete from|insert into)\s+"?(\w*)/.exec(text) ?? [];
  const isSelect = verb === 'select';
  if (isSelect && !text.includes('for update')) return { kind: 'read' };
  const name = isSelect ? /\bfrom "?(\w+)/.exec(text)?.[1] : written;
  const table = tablesInLockOrder.find((each) => each === name);
  if (table === undefined) throw broken(`no known table in: ${text}`);
  if (text.includes('skip locked')) return { table, kind: 'skip' };
  if (verb === 'insert into') return { table, kind: 'insert' };
  if (isSelect) return { table, kind: 'select' };
  return { table, kind: text.includes('for update') ? 'lock' : 'update' };
}
