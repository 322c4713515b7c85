// Runs the statements of an operation on a connection to SQLite: each has ended when its call returns.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Args } from '../engine/sql.ts';
import type { Bound, Statement } from '../engine/statement.ts';
import type { Transaction } from '../engine/transaction.ts';

/** Prepares each text once. */
export type Prepare = (text: string) => StatementSync;

export function createPreparer(db: DatabaseSync): Prepare {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const made = db.prepare(text);
    prepared.set(text, made);
    return made;
  };
}

/** Makes the transactions of a connection: one for reading operations, one for all others. They hold nothing of an operation. */
export function createTransactions(db: DatabaseSync, endpoints: readonly string[]): (reads: boolean) => Transaction {
  const readers = new Map<Bound, Reader>();
  const readerOf = (bound: Bound): Reader => {
    const known = readers.get(bound);
    if (known !== undefined) return known;
    const made = createReader(db, bound.text);
    readers.set(bound, made);
    return made;
  };
  const all = async <Result>(statement: Statement<Result>, args: Args) => {
    const bound = hasOneRow(statement, args) ? statement.onOne() : statement.on('sqlite');
    return readerOf(bound)(bound.bind(args)) as Result[];
  };
  const writers = new Map<Bound, StatementSync>();
  const write = (bound: Bound, args: Args, at?: number) => {
    const writer = writers.get(bound) ?? db.prepare(bound.text);
    writers.set(bound, writer);
    writer.run(...(bound.bind(args, at) as SQLInputValue[]));
  };
  const run = async (statement: Statement<never>, args: Args) => {
    if (!statement.isPerRow)
      return write(hasOneRow(statement, args) ? statement.onOne() : statement.on('sqlite'), args);
    const one = statement.onOne();
    const [name = ''] = statement.inputs();
    const { length } = args[name] as readonly unknown[];
    for (let at = 0; at < length; at++) write(one, args, at);
  };
  const common = { dialect: 'sqlite', isImmediate: true, endpoints, all, run } as const;
  const [reading, writing] = [true, false].map((reads): Transaction => ({ ...common, reads })) as [
    Transaction,
    Transaction,
  ];
  return (reads) => (reads ? reading : writing);
}

function hasOneRow(statement: Statement<unknown>, args: Args): boolean {
  const inputs = statement.inputs();
  return inputs.length > 0 && inputs.every((name) => (args[name] as readonly unknown[]).length === 1);
}

type Reader = (values: unknown[]) => Record<string, unknown>[];

/** The rows are made here from arrays: those that the driver makes are slow to read and to copy. */
function createReader(db: DatabaseSync, text: string): Reader {
  const prepared = db.prepare(text);
  prepared.setReturnArrays(true);
  const names = prepared.columns().map(({ name }) => name);
  return (values) =>
    (prepared.all(...(values as SQLInputValue[])) as unknown as unknown[][]).map((cells) => {
      const row: Record<string, unknown> = {};
      for (let index = 0; index < names.length; index++) row[names[index] as string] = cells[index];
      return row;
    });
}
