// A bounded connection pool for PostgreSQL with time-outs, and transactions whose outcome is always known.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newId } from '../../kernel/crypto/random.ts';
import type { BatchTime } from '../engine/call-queue.ts';
import { checkLocks } from '../engine/check-locks.ts';
import type { Args } from '../engine/sql.ts';
import type { Bound, Statement } from '../engine/statement.ts';
import type { Transaction } from '../engine/transaction.ts';
import { type ClusterPlace, openCluster } from './cluster.ts';
import { disagreeMilliseconds, isWrongPassword } from './database-password.ts';
import { codeOf, isAnswer, isRace } from './postgres-errors.ts';
import { openPostgresServers } from './postgres-servers.ts';
import { mayReconnect, repeat } from './repeat.ts';

type Work = (transaction: Transaction) => Promise<unknown[]>;

/** The result of an attempt whose commit was sent. */
type Sent = { values?: unknown[] };

export type PostgresPool = ReturnType<typeof openPostgresPool>;

/** After a refused connection there is no new attempt for this time. A time-out does not count as a refusal. */
const restMilliseconds = 200;
const receiptKeptSeconds = 3600;

const sessionSettings = {
  statement_timeout: 2500,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 5000,
  // Every statement selects by key. A plan that was cached while a table was small must not scan the table after it has grown.
  enable_seqscan: 'off',
};

/** `checksLocks` checks every operation against the lock order, for tests. */
export function openPostgresPool(
  place: string | ClusterPlace,
  endpoints: readonly string[],
  max = 8,
  checksLocks = false,
) {
  const cluster = openCluster(place);
  const { urlFile } = cluster;
  const begin = (client: pg.PoolClient, reads: boolean, pending: Promise<unknown>[]): Transaction => {
    const transaction = transactionOn(client, reads, pending, endpoints);
    return checksLocks ? checkLocks(transaction) : transaction;
  };
  const servers = openPostgresServers(
    cluster,
    {
      max,
      connectionTimeoutMillis: 2000,
      idleTimeoutMillis: 30_000,
      query_timeout: 3000,
      keepAlive: true,
      application_name: 'gatehouse',
      pipeline: true,
      Client: cluster.Client,
      types: {
        getTypeParser: ((oid: number) =>
          oid === 20 ? Number : pg.types.getTypeParser(oid)) as typeof pg.types.getTypeParser,
      },
    } as pg.PoolConfig & { max: number },
    sessionSettings,
  );
  let restUntil = 0;
  let refusal: unknown;

  const connect = async (time?: BatchTime): Promise<pg.PoolClient> => {
    const isResting = Date.now() < restUntil && servers.connections().idle === 0;
    if (isResting) throw unreachable(refusal);
    if (time?.isOver === true) throw unreachable(timeIsOver);
    try {
      const client = await (time === undefined ? servers.connect() : inTime(servers.connect(), time));
      client.on('error', ignore);
      if (time !== undefined) time.cut = () => breakConnection(client);
      return client;
    } catch (error) {
      if (urlFile !== undefined && isWrongPassword(error)) {
        if (time === undefined) throw unreachable(error);
        await sleep(disagreeMilliseconds);
        return connect(time);
      }
      refusal = error;
      if (!/timeout/.test(String(error))) restUntil = Date.now() + restMilliseconds;
      throw unreachable(refusal);
    }
  };
  const release = (client: pg.PoolClient, time?: BatchTime, error?: unknown) => {
    // From now on the connection may serve another batch.
    if (time !== undefined) time.cut = ignore;
    client.off('error', ignore);
    client.release(error !== undefined && !isAnswer(error));
  };

  const read = async (work: Work, time: BatchTime): Promise<unknown[]> => {
    const client = await connect(time);
    try {
      const values = await work(begin(client, true, []));
      release(client, time);
      return values;
    } catch (error) {
      release(client, time, error);
      throw error;
    }
  };

  /** One attempt. If it throws and `sent.values` is set, the commit may have happened. */
  const write = async (work: Work, receipt: string, sent: Sent, time: BatchTime): Promise<unknown[]> => {
    const client = await connect(time);
    const pending: Promise<unknown>[] = [];
    try {
      pending.push(track(client.query('begin')));
      const noted = track(client.query(noteReceipt(receipt)));
      pending.push(noted);
      // A second attempt with the same receipt waits here until the first one is settled. It finds the receipt if that one was committed.
      if (sent.values !== undefined && (await noted).rowCount === 0) {
        // Writes the row again, so that this commit waits for the synchronous standby. The standby then has the first commit too.
        pending.push(track(client.query('update receipts set sweep_at = sweep_at where id = $1', [receipt])));
        await commit(client);
        release(client, time);
        return sent.values;
      }
      delete sent.values;
      const values = await work(begin(client, false, pending));
      sent.values = values;
      const committed = track(commit(client));
      await Promise.all(pending);
      await committed;
      release(client, time);
      return values;
    } catch (thrown) {
      const error = await causeOf(thrown, pending);
      if (isAnswer(error)) {
        delete sent.values;
        await client.query('rollback').catch(ignore);
      }
      release(client, time, error);
      throw error;
    }
  };

  const writeSurely = (work: Work, time: BatchTime): Promise<unknown[]> => {
    const receipt = newId();
    const sent: Sent = {};
    return repeat(
      () => write(work, receipt, sent, time),
      (error, round) => isRace(error, round) || sent.values !== undefined || mayReconnect(error, round),
      time,
    );
  };

  return {
    read: (work: Work, time: BatchTime) => repeat(() => read(work, time), mayReconnect, time),
    write: writeSurely,
    query: async (text: string, values: unknown[] = []) => {
      const client = await connect();
      try {
        const result = await client.query(text, values);
        release(client);
        return result;
      } catch (error) {
        release(client, undefined, error);
        throw error;
      }
    },
    cluster,
    connections: () => servers.connections(),
    end: () => servers.end(),
  };
}

const timeIsOver = 'timeout: the batch has no time left';

/** A connection that comes later goes back to the pool. */
function inTime(connecting: Promise<pg.PoolClient>, time: BatchTime): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    time.cut = () => reject(unreachable(timeIsOver));
    connecting.then((client) => (time.isOver ? client.release() : resolve(client)), reject);
  });
}

/** Every statement that waits on it fails at once. A server that still gets them ends them by its own time-outs. */
function breakConnection(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}

function unreachable(reason: unknown): Error {
  return Object.assign(new Error(String(reason), { cause: reason }), { code: 'UNREACHABLE' });
}

/** PostgreSQL reports success with a warning if the wait for the synchronous standby was cancelled. Such a commit could still be lost. */
async function commit(client: pg.PoolClient): Promise<void> {
  let isReplicated = true;
  const onNotice = ({ routine }: { routine?: string | undefined }) => {
    if (routine === 'SyncRepWaitForLSN') isReplicated = false;
  };
  client.on('notice', onNotice);
  const { command } = await client.query('commit').finally(() => client.off('notice', onNotice));
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
  if (!isReplicated) throw unreachable('the synchronous standby has not confirmed');
}

function transactionOn(
  client: pg.PoolClient,
  reads: boolean,
  pending: Promise<unknown>[],
  endpoints: readonly string[],
): Transaction {
  const ask = (bound: Bound, args: Args) =>
    track(client.query({ name: bound.name, text: bound.text, values: bound.bind(args) }));
  return {
    dialect: 'postgres',
    reads,
    endpoints,
    all: async <Result>(statement: Statement<Result>, args: Args) =>
      (await ask(statement.on('postgres'), args)).rows as Result[],
    run: async (statement, args) => {
      pending.push(ask(statement.on('postgres'), args));
    },
  };
}

/** It ends by the clock of the database, like the sweep: a node whose clock is behind must not lose its receipts. */
function noteReceipt(id: string) {
  const text = `insert into receipts (id, sweep_at)
    values ($1, (extract(epoch from now()) * 1000)::bigint + ${receiptKeptSeconds * 1000}) on conflict (id) do nothing`;
  return { name: 'receipt', text, values: [id] };
}

/** Pipelined queries are awaited later. Until then their failure must not count as an unhandled rejection. */
function track<T>(promise: Promise<T>): Promise<T> {
  promise.catch(ignore);
  return promise;
}

function ignore(): void {}

/** After a failed statement the server reports every later one as aborted. The first failure is the cause. */
async function causeOf(thrown: unknown, pending: readonly Promise<unknown>[]): Promise<unknown> {
  if (codeOf(thrown) !== '25P02') return thrown;
  const failed = (await Promise.allSettled(pending)).find((step) => step.status === 'rejected');
  return failed?.reason ?? thrown;
}
