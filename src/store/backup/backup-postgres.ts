// Backup and restore on PostgreSQL: reads one repeatable-read snapshot, and fills an empty database in one commit.
import pg from 'pg';
import type { Cell, Page, Snapshot } from '../../backup/snapshot.ts';
import { columnTypes, migrations } from '../migrations/all.ts';
import { namesAmong, plainStatements } from '../migrations/migration.ts';
import { adoptServer } from '../postgres/adopt-cluster.ts';
import { nothingRemembered } from '../postgres/choose-server.ts';
import { type Cluster, type ClusterPlace, openCluster } from '../postgres/cluster.ts';
import { makeOwnTables } from '../postgres/own-tables.ts';
import { connectToPostgres } from '../postgres/postgres-servers.ts';
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

export async function openPostgresSnapshot(place: ClusterPlace): Promise<Snapshot> {
  const client = await connect(openCluster(place));
  await client.query('begin isolation level repeatable read read only');
  return {
    migrations: await namesOf(client),
    shapes: keptShapes,
    pages: async function* (shape) {
      const { table, columns } = plainNames(shape);
      await client.query(`declare page no scroll cursor for ${selectOf({ table, columns })} order by 1`);
      for (;;) {
        const { rows } = await client.query<Cell[]>({ text: `fetch ${pageRows} from page`, rowMode: 'array' });
        if (rows.length > 0) yield rows;
        if (rows.length < pageRows) break;
      }
      await client.query('close page');
    },
    close: async () => {
      await client.query('rollback').catch(() => undefined);
      await client.end();
    },
  };
}

/**
 * Atomic: a process that is killed halfway leaves the database unchanged. Whoever fills a new database has decided for it: nodes that
 * remember another cluster accept it.
 */
export async function fillPostgres(url: string, names: readonly string[], pages: AsyncIterable<Page>): Promise<void> {
  const client = await connect(openCluster(url));
  try {
    await client.query('begin');
    // Files are copied before the commit, and that takes as long as it takes.
    await client.query('set local idle_in_transaction_session_timeout = 0');
    await makeTables(client, names);
    await refuse(client);
    for await (const { shape, rows: kept } of pages) {
      const rows = asRestored(shape, kept);
      const { table, columns } = plainNames(shape);
      const values = columns.map((_, index) => rows.map((row) => row[index] ?? null));
      const marks = columns.map((column, index) => {
        const type = shape.columns[column]?.startsWith('int') === true ? 'int8[]' : 'text[]';
        return `$${index + 1}::${type}`;
      });
      const text = `insert into ${table} (${columns.join(', ')}) select * from unnest(${marks.join(', ')})`;
      await client.query(text, values).catch((error: Error) => {
        throw isOfRow(error) ? notAccepted(table, error.message) : error;
      });
    }
    await client.query(countUsage);
    await goOnCounting(client);
    await adoptServer(client, nothingRemembered, Date.now());
    await client.query('commit');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Classes 22 and 23: a value or a row that breaks a rule; 42: a table or column that the migrations of the backup do not make. */
function isOfRow(error: Error): boolean {
  return /^(?:22|23|42)/.test((error as { code?: string }).code ?? '');
}

/** New events must follow the restored ones that no reader has got yet. A backup of an older version has no numbers. */
async function goOnCounting(client: pg.Client): Promise<void> {
  if (!(await hasTable(client, 'event_order'))) return;
  await client.query("select setval('event_order', max(order_no)) from audit_events having max(order_no) is not null");
}

export async function refusePostgresRows(url: string): Promise<void> {
  const client = await connect(openCluster(url));
  try {
    await refuse(client);
  } finally {
    await client.end();
  }
}

async function refuse(client: pg.Client): Promise<void> {
  for (const table of tablesThatMustBeEmpty) {
    if (!(await hasTable(client, table))) continue;
    const { rows } = await client.query(`select 1 from ${table} limit 1`);
    if (rows.length > 0) throw notEmpty(table);
  }
}

/** Creates the tables as they were when the backup was made. The next start migrates them. */
async function makeTables(client: pg.Client, names: readonly string[]): Promise<void> {
  await makeOwnTables(client);
  if ((await namesOf(client)).length > 0) return;
  for (const migration of migrations.filter(({ name }) => names.includes(name))) {
    for (const statement of plainStatements(migration, columnTypes.postgres)) await client.query(statement);
    await client.query('insert into schema_migrations (name, applied_at) values ($1, $2)', [
      migration.name,
      Date.now(),
    ]);
  }
}

async function namesOf(client: pg.Client): Promise<string[]> {
  if (!(await hasTable(client, 'schema_migrations'))) return [];
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  return namesAmong(rows.map(({ name }) => name));
}

/** Of a table or a sequence. */
async function hasTable(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: string | null }>('select to_regclass($1)::text as found', [table]);
  return rows[0]?.found != null;
}

function connect(cluster: Cluster): Promise<pg.Client> {
  return connectToPostgres(cluster, {
    connectionTimeoutMillis: 5000,
    application_name: 'gatehouse backup',
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    types: {
      getTypeParser: ((oid: number) =>
        oid === 20 ? Number : pg.types.getTypeParser(oid)) as typeof pg.types.getTypeParser,
    },
  });
}
