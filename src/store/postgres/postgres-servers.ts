// The servers that a database's address names: connections to the one that takes writes, wherever a failover has put it.
import pg from 'pg';
import { splitDatabaseUrl } from '../../kernel/database-url.ts';
import { isOutOfConnections } from './postgres-errors.ts';

export type Connections = { readonly busy: number; readonly idle: number; readonly waiting: number };

export type PostgresServers = {
  connect(): Promise<pg.PoolClient>;
  /** To all servers together. */
  connections(): Connections;
  end(): Promise<void>;
};

/** Settings of a session, set after it has begun: poolers refuse or forget those that come with the first packet. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/** After the server had no connection left, so long nobody asks for more than there are. */
const shrunkMilliseconds = 5000;
const waitMilliseconds = 2000;

export function openPostgresServers(
  url: string,
  options: pg.PoolConfig & { readonly max: number },
  settings: SessionSettings,
): PostgresServers {
  const urls = serversOf(url);
  const onConnect = (client: pg.ClientBase) => prepareSession(client, settings, urls.length > 1);
  const pools = urls.map((connectionString) => new pg.Pool({ ...options, onConnect, connectionString }));
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  for (const pool of pools) pool.on('error', () => undefined);
  let latest = 0;
  return {
    // The one that worked last is asked first.
    connect: async () => {
      const order = [...pools.keys()].map((step) => (latest + step) % pools.length);
      const { item, value } = await firstOf(order, (at) => connectOrWait(poolAt(pools, at), options.max));
      latest = item;
      return value;
    },
    connections: () => {
      const sum = (read: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + read(pool), 0);
      const idle = sum((pool) => pool.idleCount);
      return { busy: sum((pool) => pool.totalCount) - idle, idle, waiting: sum((pool) => pool.waitingCount) };
    },
    end: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

/** Where the server has no connection left, those that we have are shared: whoever comes waits for one of them. */
async function connectOrWait(pool: pg.Pool, most: number): Promise<pg.PoolClient> {
  const until = performance.now() + waitMilliseconds;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if (!isOutOfConnections(error) || pool.totalCount === 0 || performance.now() > until) throw error;
      pool.options.max = pool.totalCount;
      setTimeout(() => {
        pool.options.max = most;
      }, shrunkMilliseconds).unref();
    }
  }
}

/** A single connection, for work that takes its time. */
export async function connectToPostgres(
  url: string,
  options: pg.ClientConfig,
  settings: SessionSettings = {},
): Promise<pg.Client> {
  const urls = serversOf(url);
  const { value } = await firstOf(urls, async (connectionString) => {
    const client = new pg.Client({ ...options, connectionString });
    client.on('error', () => undefined);
    await client.connect();
    try {
      await prepareSession(client, settings, urls.length > 1);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  });
  return value;
}

function serversOf(url: string): string[] {
  return splitDatabaseUrl(url) ?? [url];
}

function poolAt(pools: readonly pg.Pool[], index: number): pg.Pool {
  const pool = pools[index];
  if (pool === undefined) throw new Error('there is no such server');
  return pool;
}

/** The first that succeeds; when none does, the last failure. */
async function firstOf<Item, Value>(
  items: readonly Item[],
  attempt: (item: Item) => Promise<Value>,
): Promise<{ item: Item; value: Value }> {
  let failure: unknown = new Error('no server is named');
  for (const item of items) {
    try {
      return { item, value: await attempt(item) };
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

type SessionFacts = { readonly reads: string; readonly held: string[] };

/** One round trip: sets everything, and looks whether it holds. */
async function prepareSession(
  client: pg.ClientBase,
  settings: SessionSettings,
  refusesReaders: boolean,
): Promise<void> {
  const names = Object.keys(settings);
  const sets = names.map((name) => `set ${name} = ${pg.escapeLiteral(String(settings[name]))};`);
  const held = names.map((name) => `current_setting('${name}')`).join(', ');
  const question = `select current_setting('transaction_read_only') as reads, array[${held}]::text[] as held`;
  const results = (await client.query(`${sets.join(' ')} ${question}`)) as unknown as
    | pg.QueryResult<SessionFacts>
    | pg.QueryResult<SessionFacts>[];
  const [facts] = [results].flat().at(-1)?.rows ?? [];
  if (refusesReaders && facts?.reads !== 'off') throw readOnly();
  const wanted = names.map((name) => plainValue(settings[name]));
  const isHeld = wanted.every((value, index) => plainValue(facts?.held[index]) === value);
  if (!isHeld) throw new Error(`PostgreSQL does not keep what was set: ${names.join(', ')}`);
}

/** To a pooler the client is one of many, and gets a number that is not the server's. */
async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { processID } = client as unknown as { processID?: number | null };
  return processID !== (await backendOf(client));
}

async function backendOf(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ backend: number }>('select pg_backend_pid() as backend');
  return rows[0]?.backend;
}

/**
 * A pooler that lends its connections for single transactions loses what a session sets and prepares. It shows when two sessions
 * meet on one connection of the server, or when one is moved to another.
 */
export async function refuseSharedSessions(url: string, client: pg.ClientBase): Promise<void> {
  if (!(await isPooled(client))) return;
  const other = await connectToPostgres(url, probeOptions).catch(() => undefined);
  if (other === undefined) return;
  try {
    const own = await backendOf(client);
    for (let round = 0; round < probeRounds; round++) {
      const seen = [await backendOf(other), await backendOf(client)];
      if (seen[0] === own || seen[1] !== own) throw shared();
    }
  } finally {
    await other.end().catch(() => undefined);
  }
}

const probeRounds = 5;
const probeOptions = { connectionTimeoutMillis: 2000, query_timeout: 2000 };

function shared(): Error {
  const words = 'a pooler in transaction mode stands in front of PostgreSQL, which forgets what a session sets';
  return Object.assign(new Error(words), { code: 'POOLER_MODE' });
}

function readOnly(): Error {
  return Object.assign(new Error('no server that DATABASE_URL names takes writes'), { code: '25006' });
}

/** PostgreSQL shows 2500 as 2500ms and 2000 as 2s. */
function plainValue(value: string | number | undefined): string {
  const [, count, unit] = /^(\d+)(ms|s|min|h)?$/.exec(String(value)) ?? [];
  if (count === undefined) return String(value);
  const factor = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }[unit ?? 'ms'] ?? 1;
  return String(Number(count) * factor);
}
