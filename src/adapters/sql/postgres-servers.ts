// The servers that a database's address names: connections to the one that takes writes, wherever a failover has put it.
import pg from 'pg';
import { splitDatabaseUrl } from '../../kernel/database-url.ts';

export type Connections = { readonly busy: number; readonly idle: number; readonly waiting: number };

export type PostgresServers = {
  connect(): Promise<pg.PoolClient>;
  /** To all servers together. */
  connections(): Connections;
  end(): Promise<void>;
};

export function openPostgresServers(url: string, options: pg.PoolConfig): PostgresServers {
  const urls = serversOf(url);
  const verify = urls.length > 1 ? { verify: refuseReader } : {};
  const pools = urls.map((connectionString) => new pg.Pool({ ...options, ...verify, connectionString }));
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  for (const pool of pools) pool.on('error', () => undefined);
  let latest = 0;
  return {
    // The one that worked last is asked first.
    connect: async () => {
      const order = [...pools.keys()].map((step) => (latest + step) % pools.length);
      const { item, value } = await firstOf(order, (at) => poolAt(pools, at).connect());
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

/** A single connection, for work that takes its time. */
export async function connectToPostgres(url: string, options: pg.ClientConfig): Promise<pg.Client> {
  const urls = serversOf(url);
  const { value } = await firstOf(urls, async (connectionString) => {
    const client = new pg.Client({ ...options, connectionString });
    client.on('error', () => undefined);
    await client.connect();
    if (urls.length === 1 || !(await isReader(client))) return client;
    await client.end();
    throw readOnly();
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

/** What the pool asks of every new connection. */
function refuseReader(client: pg.PoolClient, done: (error?: Error) => void): void {
  isReader(client).then((isOne) => done(isOne ? readOnly() : undefined), done);
}

async function isReader(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  return rows[0]?.transaction_read_only !== 'off';
}

function readOnly(): Error {
  return Object.assign(new Error('no server that DATABASE_URL names takes writes'), { code: '25006' });
}
