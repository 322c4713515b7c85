// Asks a PostgreSQL server which cluster and timeline it is on, whether it accepts writes, and what its database remembers.
import pg from 'pg';
import { waitFor } from '../../kernel/work/deadline.ts';
import type { ClusterMemory, ServerState } from './choose-server.ts';
import { isAnswer } from './postgres-errors.ts';

type Answer = Exclude<ServerState, { kind: 'away' }>;

/** The same on two connections to the same server, until it is promoted or starts anew. */
export type ServerIdentity = Pick<Answer, 'kind' | 'system' | 'timeline' | 'startedAt'>;

/** A probe that takes longer counts as away. */
const askMilliseconds = 2000;
const probeOptions = {
  connectionTimeoutMillis: askMilliseconds,
  query_timeout: askMilliseconds,
  application_name: 'gatehouse probe',
};

/** The table of one row in which a database remembers its cluster. It is no table of the domain: no backup contains it. */
export const createMemoryTable = `create table if not exists database_cluster (
  slot text collate "C" primary key, system text, timeline bigint not null, adopted_at bigint not null)`;

type Row = {
  isWritable: boolean;
  startedAt: string;
  hasTable: boolean;
  hasInstallation: boolean;
  system: string | null;
  timeline: number | null;
};

const common = `current_setting('transaction_read_only') = 'off' as "isWritable",
  extract(epoch from pg_postmaster_start_time())::text as "startedAt", to_regclass('database_cluster') is not null as "hasTable",
  to_regclass('schema_migrations') is not null and to_regclass('installation') is not null as "hasInstallation"`;

/**
 * A primary is on the timeline of its log: its last checkpoint may be older than its promotion. A standby is on the newest of which
 * it has received or replayed anything.
 */
const fullQuestion = `select ${common}, (select system_identifier::text from pg_control_system()) as system,
  case when state.recovers then (
    select greatest(checkpoint.timeline_id, recovery.min_recovery_end_timeline, (select received_tli from pg_stat_wal_receiver))
    from pg_control_checkpoint() as checkpoint, pg_control_recovery() as recovery)
  else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end as timeline
  from (select pg_is_in_recovery() as recovers) as state`;
const plainQuestion = `select ${common}, null as system, 0 as timeline`;

/** The user may lack the permission for these functions, or a service that resembles PostgreSQL the functions. */
async function askWhich(client: pg.ClientBase): Promise<Row> {
  const ask = async (question: string) => {
    const { rows } = await client.query<Row>(question);
    if (rows[0] === undefined) throw new Error('the server does not say what it is');
    return rows[0];
  };
  return ask(fullQuestion).catch((error) => {
    if (!isAnswer(error)) throw error;
    return ask(plainQuestion);
  });
}

export async function identify(client: pg.ClientBase): Promise<ServerIdentity> {
  return identityOf(await askWhich(client));
}

export async function askServer(client: pg.ClientBase): Promise<Answer> {
  const answer = await askWhich(client);
  return {
    ...identityOf(answer),
    row: answer.hasTable ? await readRow(client) : undefined,
    installation: answer.hasInstallation ? await readInstallation(client) : undefined,
  };
}

async function readInstallation(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>("select id from installation where slot = 'this'");
  return rows[0]?.id;
}

function identityOf({ isWritable, system, timeline, startedAt }: Row): ServerIdentity {
  const kind = isWritable ? 'writable' : 'standby';
  return { kind, system: system ?? undefined, timeline: timeline ?? 0, startedAt };
}

async function readRow(client: pg.ClientBase): Promise<ClusterMemory | undefined> {
  const { rows } = await client.query<{ system: string | null; timeline: string; adopted_at: string }>(
    "select system, timeline, adopted_at from database_cluster where slot = 'this'",
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return { system: row.system ?? undefined, timeline: Number(row.timeline), adoptedAt: Number(row.adopted_at) };
}

/** Never writes less than what is there: another node may have seen more. */
export async function writeRow(client: pg.ClientBase, { system, timeline, adoptedAt }: ClusterMemory): Promise<void> {
  await client.query(
    `insert into database_cluster as known (slot, system, timeline, adopted_at) values ('this', $1, $2, $3)
     on conflict (slot) do update set system = excluded.system, timeline = excluded.timeline, adopted_at = excluded.adopted_at
     where (known.adopted_at, known.timeline) < (excluded.adopted_at, excluded.timeline) or known.system is null`,
    [system ?? null, timeline, adoptedAt],
  );
}

type Probe = {
  /** The work with a connection. It may be one that is open from an earlier call, unless `isNew`. */
  use<T>(work: (client: pg.Client) => Promise<T>, isNew: boolean): Promise<T>;
  end(): void;
};

/** A kept connection is replaced after this time: its name may lead to another server by then. */
const keptMilliseconds = 30_000;

/** A connection of its own to one server, beside the pool. */
export function createProbe(connectionString: string, Client: typeof pg.Client = pg.Client): Probe {
  let kept: { client: pg.Client; until: number } | undefined;
  const end = () => {
    if (kept !== undefined) endSoon(kept.client);
    kept = undefined;
  };
  const open = async () => {
    const client = new Client({ ...probeOptions, connectionString });
    client.on('error', () => undefined);
    kept = { client, until: performance.now() + keptMilliseconds };
    await client.connect();
    return client;
  };
  return {
    use: async (work, isNew) => {
      if (isNew || (kept !== undefined && performance.now() > kept.until)) end();
      const done = (async () => work(kept?.client ?? (await open())))();
      try {
        return await waitFor(done, { milliseconds: askMilliseconds, late: () => new Error('timeout of a probe') });
      } catch (error) {
        done.catch(() => undefined);
        end();
        throw error;
      }
    },
    end,
  };
}

/** A server that hangs does not close a connection. */
function endSoon(client: pg.Client): void {
  const timer = setTimeout(() => cut(client), 1000).unref();
  client.end().then(
    () => clearTimeout(timer),
    () => cut(client),
  );
}

/** At once, also in the middle of queries: they fail. */
export function cut(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(error?: Error): void } } };
  connection.stream.destroy(new Error('Connection terminated: another server is used now'));
}
