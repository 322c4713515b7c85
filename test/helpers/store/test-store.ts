// Opens a migrated store of one kind for a suite, with its ports and direct access to its tables.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe } from 'node:test';
import pg from 'pg';
import type { Row, TableName } from '../../../src/store/engine/schema.ts';
import { createPorts, type Ports } from '../../../src/store/ports.ts';
import type { Store } from '../../../src/store/store.ts';
import { createDatabase, createMigratedDatabase, type TestDatabase } from '../databases/databases.ts';
import { type StoreKind, storeKinds } from '../services/gatehouse.ts';
import { noting } from './noting.ts';
import { openNode } from './open-node.ts';

/** An empty database: a file path or a URL, and a query function that bypasses the store. */
export type EmptyDatabase = {
  readonly kind: StoreKind;
  readonly address: string;
  query(text: string): Promise<Record<string, unknown>[]>;
  end(): Promise<void>;
};

export type TestStore = EmptyDatabase & {
  readonly store: Store;
  readonly ports: Ports;
  /** The errors that the store reported. */
  readonly troubles: Error[];
  rows<T extends TableName>(table: T): Promise<Row<T>[]>;
};

/** Runs a suite on each kind of store, each on its own database, which is created before the first test. */
export function onEveryStore(name: string, suite: (open: () => TestStore, kind: StoreKind) => void): void {
  for (const kind of storeKinds) {
    describe(`${name} on ${kind}`, () => {
      let opened: TestStore | undefined;
      before(async () => {
        opened = await openTestStore(kind);
      });
      after(() => opened?.end());
      suite(() => {
        if (opened === undefined) throw new Error('the store is not open yet');
        return opened;
      }, kind);
    });
  }
}

export async function openTestStore(kind: StoreKind): Promise<TestStore> {
  const database = kind === 'sqlite' ? await createSqliteFile() : lookInto(await createMigratedDatabase());
  const troubles: Error[] = [];
  const store = await openNode(kind, database.address, (error) => troubles.push(error));
  await store.migrations.up();
  return {
    ...database,
    store,
    troubles,
    ports: noting(createPorts(store)),
    rows: async <T extends TableName>(table: T) => (await database.query(`select * from ${table}`)) as Row<T>[],
    end: async () => {
      await store.close();
      await database.end();
    },
  };
}

export async function createEmptyDatabase(kind: StoreKind): Promise<EmptyDatabase> {
  return kind === 'sqlite' ? createSqliteFile() : lookInto(await createDatabase());
}

async function createSqliteFile(): Promise<EmptyDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-store-'));
  const address = join(folder, 'gatehouse.db');
  return {
    kind: 'sqlite',
    address,
    query: async (text) => {
      const db = new DatabaseSync(address, { timeout: 5000 });
      try {
        return db
          .prepare(text)
          .all()
          .map((row) => ({ ...row }));
      } finally {
        db.close();
      }
    },
    end: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function lookInto({ url, drop }: TestDatabase): EmptyDatabase {
  const getTypeParser = (oid: number) => (oid === 20 ? Number : pg.types.getTypeParser(oid));
  const types = { getTypeParser: getTypeParser as typeof pg.types.getTypeParser };
  const pool = new pg.Pool({ connectionString: url, max: 1, types });
  pool.on('error', () => undefined);
  return {
    kind: 'postgres',
    address: url,
    query: async (text) => (await pool.query(text)).rows as Record<string, unknown>[],
    end: async () => {
      await pool.end();
      await drop();
    },
  };
}
