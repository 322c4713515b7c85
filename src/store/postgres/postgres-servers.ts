// Connects to the servers that the database URL names, and uses the one that accepts writes, also after a failover.
import pg from 'pg';
import { splitDatabaseUrl } from '../../kernel/database-url.ts';
import { waitFor } from '../../kernel/deadline.ts';
import { isOutOfConnections } from './postgres-errors.ts';

export type Connections = { readonly busy: number; readonly idle: number; readonly waiting: number };

export type PostgresServers = {
  connect(): Promise<pg.PoolClient>;
  /** The sum over all servers. */
  connections(): Connections;
  /** Ends once the servers have ended all sessions, or have not done so for a second. */
  end(): Promise<void>;
};

/** Settings of a session. They are set after the session has started, because poolers refuse or drop start-up parameters. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/** After the server ran out of connections, the pool does not grow for this time. */
const shrunkMilliseconds = 5000;
const waitMilliseconds = 2000;
const endMilliseconds = 1000;

export function openPostgresServers(
  url: string,
  options: pg.PoolConfig & { readonly max: number },
  settings: SessionSettings,
): PostgresServers {
  const urls = serversOf(url);
  const sessions = createSessions();
  const onConnect = (client: pg.ClientBase) => {
    sessions.add(client);
    return prepareSession(client, settings, urls.length > 1);
  };
  const pools = urls.map((connectionString) => new pg.Pool({ ...options, onConnect, connectionString }));
  // A broken idle connection is replaced at the next use. Without a listener its error would end the process.
  for (const pool of pools) pool.on('error', () => undefined);
  let latest = 0;
  return {
    // The server that worked last is tried first.
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
      // A pool does not wait for its connections. Whoever looks for sessions of this process after its end must find none.
      await waitFor(sessions.ended(), { milliseconds: endMilliseconds, late: silent }).catch(() => undefined);
    },
  };
}

/** The connections that are open. A connection ends after the server has ended its session. */
function createSessions() {
  const open = new Map<pg.ClientBase, Promise<void>>();
  return {
    add: (client: pg.ClientBase) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      open.set(client, promise);
      client.once('end', () => {
        open.delete(client);
        resolve();
      });
    },
    ended: () => Promise.all(open.values()),
  };
}

function silent(): Error {
  return new Error('the server has not ended all sessions');
}

/** If the server has no free connection, calls wait for one of the connections that the pool already has. */
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

/** A single connection, for long-running work. */
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
  if (pool === undefined) throw new Error(`there is no server ${index}`);
  return pool;
}

/** Returns the first success. If all attempts fail, throws the last failure. */
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

type SessionState = { readonly reads: string; readonly held: string[] };

/** Sets everything in one round trip and verifies that the settings are in force. */
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
    | pg.QueryResult<SessionState>
    | pg.QueryResult<SessionState>[];
  const [state] = [results].flat().at(-1)?.rows ?? [];
  if (refusesReaders && state?.reads !== 'off') throw readOnly();
  const wanted = names.map((name) => plainValue(settings[name]));
  const isHeld = wanted.every((value, index) => plainValue(state?.held[index]) === value);
  if (!isHeld) throw new Error(`PostgreSQL does not keep these session settings: ${names.join(', ')}`);
}

/** A pooler gives the client a process id that is not the id of the server process. */
async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { processID } = client as unknown as { processID?: number | null };
  return processID !== (await backendOf(client));
}

async function backendOf(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ backend: number }>('select pg_backend_pid() as backend');
  return rows[0]?.backend;
}

/**
 * A pooler in transaction mode loses the settings and prepared statements of a session. It is detected when two sessions share one
 * server connection, or when a session moves to another one.
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
  const message = 'a connection pooler in transaction mode is in front of PostgreSQL and loses session settings';
  return Object.assign(new Error(message), { code: 'POOLER_MODE' });
}

function readOnly(): Error {
  return Object.assign(new Error('no server in DATABASE_URL accepts writes'), { code: '25006' });
}

/** PostgreSQL shows 2500 as 2500ms and 2000 as 2s. */
function plainValue(value: string | number | undefined): string {
  const [, count, unit] = /^(\d+)(ms|s|min|h)?$/.exec(String(value)) ?? [];
  if (count === undefined) return String(value);
  const factor = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }[unit ?? 'ms'] ?? 1;
  return String(Number(count) * factor);
}
