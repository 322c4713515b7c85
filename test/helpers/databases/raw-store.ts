// Reads the database of a service directly, without the service.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { TestEnv } from '../services/gatehouse.ts';
import { waitUntil } from '../wait-until.ts';

export type RawRow = Record<string, unknown>;

/** Runs one statement without parameters on the database of the settings. */
export async function askStore(env: TestEnv, text: string): Promise<RawRow[]> {
  if (env.DATABASE_URL === undefined) {
    const db = new DatabaseSync(sqliteFile(env), { timeout: 5000 });
    try {
      return db.prepare(text).all();
    } finally {
      db.close();
    }
  }
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  try {
    return (await client.query<RawRow>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until every waiting message was sent and recorded. */
export async function allSent(env: TestEnv): Promise<void> {
  const waiting = "select id from outbox where state <> 'parked'";
  await waitUntil('every message is sent', async () => (await askStore(env, waiting)).length === 0);
}

export function sqliteFile(env: TestEnv): string {
  return join(String(env.DATA_DIR), 'gatehouse.db');
}
