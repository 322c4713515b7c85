// Connects to the server that the cluster chooses among those of the database URL, and to another one after a failover.
import pg from 'pg';
import { waitFor } from '../../kernel/work/deadline.ts';
import { cut, identify, type ServerIdentity } from './ask-server.ts';
import { type Cluster, isSame } from './cluster.ts';
import { isOutOfConnections } from './postgres-errors.ts';

type Connections = { readonly busy: number; readonly idle: number; readonly waiting: number };

type PostgresServers = {
  connect(): Promise<pg.PoolClient>;
  /** The sum over all servers. */
  connections(): Connections;
  /** Ends once the servers have ended all sessions, or have not done so for a second. */
  end(): Promise<void>;
};

/** Settings of a session. They are set after the session has started, because poolers refuse or drop start-up parameters. */
type SessionSettings = Readonly<Record<string, string | number>>;

/** After the server ran out of connections, the pool does not grow for this time. */
const shrunkMilliseconds = 5000;
const waitMilliseconds = 2000;
const endMilliseconds = 1000;

export function openPostgresServers(
  cluster: Cluster,
  options: pg.PoolConfig & { readonly max: number },
  settings: SessionSettings,
): PostgresServers {
  const sessions = createSessions();
  const onConnect = async (client: pg.ClientBase) => {
    client.once('error', cluster.doubt);
    sessions.add(client);
    sessions.name(client, await prepareSession(client, settings, cluster));
  };
  const pools = cluster.urls.map((connectionString) => new pg.Pool({ ...options, onConnect, connectionString }));
  // A broken idle connection is replaced at the next use. Without a listener its error would end the process.
  for (const pool of pools) pool.on('error', () => undefined);
  // What a server on another timeline would still confirm is lost.
  cluster.follow((chosen) => sessions.cutExcept(chosen));

  /** A pool that has connections is used while the servers are asked again: each was checked when it was made. */
  const choose = async (): Promise<number> => {
    const latest = cluster.latest();
    const pool = latest === undefined ? undefined : poolAt(pools, latest);
    if (latest !== undefined && pool !== undefined && pool.idleCount > 0) return latest;
    try {
      return await cluster.choose();
    } catch (error) {
      if (isOutOfConnections(error) && latest !== undefined && pool !== undefined && pool.totalCount > 0) return latest;
      throw error;
    }
  };
  return {
    connect: async () => {
      const first = await choose();
      try {
        return await connectOrWait(poolAt(pools, first), options.max);
      } catch (error) {
        if (isOutOfConnections(error)) throw error;
        cluster.doubt();
        const second = await cluster.choose();
        if (second === first) throw error;
        return await connectOrWait(poolAt(pools, second), options.max);
      }
    },
    connections: () => {
      const sum = (read: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + read(pool), 0);
      const idle = sum((pool) => pool.idleCount);
      return { busy: sum((pool) => pool.totalCount) - idle, idle, waiting: sum((pool) => pool.waitingCount) };
    },
    end: async () => {
      cluster.end();
      await Promise.all(pools.map((pool) => pool.end()));
      // A pool does not wait for its connections. Whoever looks for sessions of this process after its end must find none.
      await waitFor(sessions.ended(), { milliseconds: endMilliseconds, late: silent }).catch(() => undefined);
    },
  };
}

/** The connections that are open. A connection ends after the server has ended its session. */
function createSessions() {
  const open = new Map<pg.ClientBase, { readonly ended: Promise<void>; identity?: ServerIdentity }>();
  return {
    add: (client: pg.ClientBase) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      open.set(client, { ended: promise });
      client.once('end', () => {
        open.delete(client);
        resolve();
      });
    },
    name: (client: pg.ClientBase, identity: ServerIdentity) => {
      const session = open.get(client);
      if (session !== undefined) session.identity = identity;
    },
    /** Those without an identity are not in use yet, and are checked before they are. */
    cutExcept: (chosen: ServerIdentity | undefined) => {
      for (const [client, { identity }] of open) if (identity !== undefined && !isSame(chosen, identity)) cut(client);
    },
    ended: () => Promise.all([...open.values()].map(({ ended }) => ended)),
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
  cluster: Pick<Cluster, 'urls' | 'choose' | 'admit'>,
  options: pg.ClientConfig,
  settings: SessionSettings = {},
): Promise<pg.Client> {
  const connectionString = cluster.urls[await cluster.choose()];
  const client = new pg.Client({ ...options, connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await prepareSession(client, settings, cluster);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

function poolAt(pools: readonly pg.Pool[], index: number): pg.Pool {
  const pool = pools[index];
  if (pool === undefined) throw new Error(`there is no server ${index}`);
  return pool;
}

/** Sets everything in one round trip, verifies that the settings are in force, and that this is the chosen server. */
async function prepareSession(
  client: pg.ClientBase,
  settings: SessionSettings,
  cluster: Pick<Cluster, 'admit'>,
): Promise<ServerIdentity> {
  const names = Object.keys(settings);
  const sets = names.map((name) => `set ${name} = ${pg.escapeLiteral(String(settings[name]))};`);
  const held = names.map((name) => `current_setting('${name}')`).join(', ');
  const results = (await client.query(`${sets.join(' ')} select array[${held}]::text[] as held`)) as unknown as
    | pg.QueryResult<{ held: string[] }>
    | pg.QueryResult<{ held: string[] }>[];
  const [state] = [results].flat().at(-1)?.rows ?? [];
  const wanted = names.map((name) => plainValue(settings[name]));
  const isHeld = wanted.every((value, index) => plainValue(state?.held[index]) === value);
  if (!isHeld) throw new Error(`PostgreSQL does not keep these session settings: ${names.join(', ')}`);
  const identity = await identify(client);
  await cluster.admit(identity);
  return identity;
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
export async function refuseSharedSessions(cluster: Cluster, client: pg.ClientBase): Promise<void> {
  if (!(await isPooled(client))) return;
  const other = await connectToPostgres(cluster, probeOptions).catch(() => undefined);
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

/** PostgreSQL shows 2500 as 2500ms and 2000 as 2s. */
function plainValue(value: string | number | undefined): string {
  const [, count, unit] = /^(\d+)(ms|s|min|h)?$/.exec(String(value)) ?? [];
  if (count === undefined) return String(value);
  const factor = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }[unit ?? 'ms'] ?? 1;
  return String(Number(count) * factor);
}
