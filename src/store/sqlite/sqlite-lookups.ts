// Looks rows up on the thread of the caller, with a connection of its own that only reads.
import { DatabaseSync } from 'node:sqlite';
import { withoutClient } from '../../kernel/work/waiting-client.ts';
import { operationNamed } from '../batch.ts';
import { checkLocks } from '../engine/check-locks.ts';
import type { Transaction } from '../engine/transaction.ts';
import type { OperationName } from '../operations/all.ts';
import { mappedBytes } from './sqlite-database.ts';
import { createTransactions } from './sqlite-transaction.ts';

type SqliteLookups = {
  /** Sees every commit that was answered. */
  find(name: OperationName, input: unknown): Promise<unknown>;
  close(): void;
};

type Waiting = { readonly input: unknown; resolve(value: unknown): void };

type Connection = { readonly db: DatabaseSync; begin(): Transaction };

type LookupOptions = {
  readonly path: string;
  readonly checksLocks: boolean;
  readonly mapsFile: boolean;
  /** Asks the thread of the store instead, if the file cannot be read here: it waits for locks, and says what the trouble is. */
  askStore(name: OperationName, input: unknown): Promise<unknown>;
};

/** With more in one turn, this thread would do nothing else for too long. */
const mostPerTurn = 512;

/** Opens the file at the first look-up. A program that makes none needs no second connection. */
export function createLookups(options: LookupOptions): SqliteLookups {
  let connection: Connection | undefined;
  let isClosed = false;
  let waiting = new Map<OperationName, Waiting[]>();
  let count = 0;
  const connect = (): Connection => {
    if (isClosed) throw new Error('the store is closed');
    connection ??= open(options);
    return connection;
  };
  // Every statement is a transaction of its own that ends at once, so nothing holds up a checkpoint, whatever the operation does.
  const answer = async (name: OperationName, calls: readonly Waiting[]) => {
    try {
      const { run } = operationNamed(name);
      const outputs = await run(
        connect().begin(),
        calls.map(({ input }) => input),
      );
      for (const [index, { resolve }] of calls.entries()) resolve(outputs[index]);
    } catch {
      // All look-ups of a turn run for the client of the first one.
      withoutClient(() => {
        for (const { input, resolve } of calls) resolve(options.askStore(name, input));
      });
    }
  };
  const flush = () => {
    const groups = waiting;
    waiting = new Map();
    count = 0;
    for (const [name, calls] of groups) void answer(name, calls);
  };
  return {
    // All look-ups in one turn of the event loop share a statement, and their requests go on together.
    find: (name, input) => {
      if (++count > mostPerTurn) return options.askStore(name, input);
      return new Promise((resolve) => {
        if (waiting.size === 0) setImmediate(flush);
        const group = waiting.get(name);
        if (group === undefined) waiting.set(name, [{ input, resolve }]);
        else group.push({ input, resolve });
      });
    },
    close: () => {
      isClosed = true;
      connection?.db.close();
      connection = undefined;
    },
  };
}

/** It never waits for a lock: this thread has other work. Few pages are kept, because a commit of the store makes them all stale. */
function open({ path, checksLocks, mapsFile }: LookupOptions): Connection {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  db.exec(`pragma cache_size = -500; pragma mmap_size = ${mappedBytes(mapsFile)}`);
  const transactionFor = createTransactions(db, []);
  const begin = () => (checksLocks ? checkLocks(transactionFor(true)) : transactionFor(true));
  return { db, begin };
}
