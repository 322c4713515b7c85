// After a PostgreSQL database was set back in time: ends all sessions, codes, links and keys in one commit.
import type pg from 'pg';
import type { EndedCounts, RecoverableStore } from '../../backup/snapshot.ts';
import { type ClusterPlace, openCluster } from '../postgres/cluster.ts';
import { connectToPostgres } from '../postgres/postgres-servers.ts';
import { emptiedTables, inUse, isRecoveredTo, recoveryEvent, texts } from './recovery-tables.ts';

export function openSetBackPostgres(place: ClusterPlace): RecoverableStore {
  return {
    endEverything: async ({ to, now, evenInUse }) => {
      const client = await connectToPostgres(openCluster(place), {
        connectionTimeoutMillis: 5000,
        application_name: 'gatehouse recover',
      });
      try {
        if (!evenInUse && (await isInUse(client))) throw inUse();
        await client.query('begin');
        const ended = await end(client, to, now);
        await client.query('commit');
        return ended;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
  };
}

async function end(client: pg.Client, to: string, now: number): Promise<EndedCounts | undefined> {
  await client.query("set local lock_timeout = '10s'");
  // If two processes recover at once, the second waits here and then sees that the recovery is done.
  await client.query('lock table sessions in access exclusive mode');
  const last = await client.query<{ detail: string }>(texts.lastRecovery);
  if (isRecoveredTo(last.rows[0]?.detail, to)) return undefined;
  const { rows } = await client.query<Record<keyof EndedCounts, string>>(texts.counts);
  const ended = toNumbers(rows[0]);
  await client.query(texts.recordUses);
  await client.query(`truncate ${emptiedTables.join(', ')}`);
  await client.query(
    "update webhooks set state = 'parked', done_at = $1, last_error = 'database recovered' where done_at is null",
    [now],
  );
  await client.query(texts.announcePhoneChanges);
  await client.query(
    'insert into audit_events (id, kind, detail, created_at) values ($1, $2, $3, $4)',
    recoveryEvent(to, now, ended),
  );
  return ended;
}

async function isInUse(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'gatehouse' limit 1",
  );
  return rows.length > 0;
}

function toNumbers(row: Record<keyof EndedCounts, string> | undefined): EndedCounts {
  const { sessions = 0, adminSignIns = 0, serviceKeys = 0, messages = 0, webhooks = 0, phoneChanges = 0 } = row ?? {};
  return {
    sessions: Number(sessions),
    adminSignIns: Number(adminSignIns),
    serviceKeys: Number(serviceKeys),
    messages: Number(messages),
    webhooks: Number(webhooks),
    phoneChanges: Number(phoneChanges),
  };
}
