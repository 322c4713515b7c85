// Declares the server of a connection the right one, whatever nodes remember: its database then carries the decision to all of them.
import pg from 'pg';
import type { Act } from '../../kernel/audit.ts';
import { newId } from '../../kernel/crypto/random.ts';
import { askServer } from './ask-server.ts';
import type { ClusterMemory } from './choose-server.ts';
import { makeOwnTables, refuseOtherDatabase } from './own-tables.ts';

const connectMilliseconds = 5000;
const statementMilliseconds = 5000;
const lockMilliseconds = 3000;
/** For a server that hangs, too. */
const answerMilliseconds = 8000;

/** Later than every decision that is known, also if the clock of this machine is behind. */
export async function adoptServer(client: pg.ClientBase, known: ClusterMemory, now: number): Promise<ClusterMemory> {
  const { system, timeline, row } = await askServer(client);
  const adoptedAt = Math.max(now, known.adoptedAt + 1, (row?.adoptedAt ?? 0) + 1);
  await makeOwnTables(client);
  await client.query(
    `insert into database_cluster (slot, system, timeline, adopted_at) values ('this', $1, $2, $3)
     on conflict (slot) do update set system = excluded.system, timeline = excluded.timeline, adopted_at = excluded.adopted_at`,
    [system ?? null, timeline, adoptedAt],
  );
  return { system, timeline, adoptedAt };
}

/** With an audit event. Every step has its time limit, because an operator adopts when parts are lost. */
export async function adoptAndRecord(url: string, known: ClusterMemory, { actor, why }: Act): Promise<ClusterMemory> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMilliseconds,
    query_timeout: answerMilliseconds,
    application_name: 'gatehouse adopt',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    await client.query(limits);
    await refuseOtherDatabase(client);
    const now = Date.now();
    const adopted = await adoptServer(client, known, now);
    const detail = JSON.stringify({ timeline: adopted.timeline, system: adopted.system ?? 'not told', actor, why });
    await client.query(
      "insert into audit_events (id, kind, detail, created_at) values ($1, 'database.adopted', $2, $3)",
      [newId(), detail, now],
    );
    await client.query('commit');
    return adopted;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The standby that commits wait for may be what was lost. */
const limits = `set local synchronous_commit = local; set local statement_timeout = ${statementMilliseconds};
  set local lock_timeout = ${lockMilliseconds}`;
