// Two real PostgreSQL servers, the second a synchronous standby of the first. It can be promoted and get its own standby.
import { execFileSync } from 'node:child_process';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { waitUntil } from '../wait-until.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';

const settings = ['wal_keep_size=512MB', 'hot_standby=on', 'synchronous_commit=on'];

type Choices = {
  /** Further settings of PostgreSQL. */
  readonly settings?: readonly string[];
  /** The folder of the data, if it is on another disk. */
  readonly data?: string;
};

/** A server that follows another from a copy made while that one works. From now on the other confirms no write that this one lacks. */
export async function addStandby(
  primary: PostgresServer,
  more: Pick<Choices, 'settings'> = {},
): Promise<PostgresServer> {
  const client = await connect(primary);
  const name = `standby${Date.now()}`;
  const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`;
  const standby = await startPostgresServer({
    home: primary.home,
    settings: [...settings, ...(more.settings ?? []), `primary_conninfo=${source}`],
    fill: async (data) => {
      await client.query("select pg_backup_start('standby', true)");
      execFileSync('cp', ['-a', primary.data, data]);
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
      rmSync(join(data, 'postmaster.pid'), { force: true });
      execFileSync('sh', ['-c', 'rm -rf "$1"/pg_wal/0*', 'sh', data]);
      for (const [file, text] of [
        ['backup_label', rows[0]?.labelfile ?? ''],
        ['standby.signal', ''],
        ['postgresql.auto.conf', ''],
      ] as const) {
        writeFileSync(join(data, file), text);
        if (primary.runAs.uid !== undefined) chownSync(join(data, file), primary.runAs.uid, primary.runAs.gid ?? 0);
      }
    },
  });
  await waitFor(name, client);
  await client.end();
  return standby;
}

export function startPrimary(more: Choices = {}): Promise<PostgresServer> {
  return startPostgresServer({ ...more, settings: [...settings, ...(more.settings ?? [])] });
}

/** Makes the server wait for this standby from now on. */
async function waitFor(name: string, client: pg.Client): Promise<void> {
  await client.query(`alter system set synchronous_standby_names = '${name}'`);
  await client.query('select pg_reload_conf()');
  const synchronous = "select 1 from pg_stat_replication where application_name = $1 and sync_state = 'sync'";
  await waitUntil('the standby follows', async () => (await client.query(synchronous, [name])).rows.length > 0);
}

export async function promote(standby: PostgresServer): Promise<void> {
  const client = await connect(standby);
  await client.query('select pg_promote(true, 60)');
  await client.end();
}

export async function connect({ url }: PostgresServer): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
