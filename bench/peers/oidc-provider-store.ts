// Two token stores for oidc-provider: memory, and SQLite with a durable commit for every write.
import { DatabaseSync } from 'node:sqlite';

type Payload = { grantId?: string; uid?: string; consumed?: number };

/** One for each kind of token, as oidc-provider requires. */
export type TokenStore = (kind: string) => {
  upsert(id: string, payload: Payload, expiresIn?: number): Promise<void>;
  find(id: string): Promise<Payload | undefined>;
  findByUid(uid: string): Promise<Payload | undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
};

export function createMemoryStore(): TokenStore {
  const rows = new Map<string, Payload>();
  return (kind) => ({
    upsert: async (id, payload) => {
      rows.set(`${kind}:${id}`, payload);
    },
    find: async (id) => rows.get(`${kind}:${id}`),
    findByUid: async (uid) => rows.values().find((payload) => payload.uid === uid),
    consume: async (id) => {
      const payload = rows.get(`${kind}:${id}`);
      if (payload !== undefined) payload.consumed = nowInSeconds();
    },
    destroy: async (id) => {
      rows.delete(`${kind}:${id}`);
    },
    revokeByGrantId: async (grantId) => {
      for (const [key, payload] of rows) if (payload.grantId === grantId) rows.delete(key);
    },
  });
}

export function createSqliteStore(file: string): TokenStore {
  const database = new DatabaseSync(file);
  database.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table tokens (
      kind text, id text, payload text not null, grant_id text, uid text, consumed integer, ends integer,
      primary key (kind, id)
    ) without rowid;
    create index tokens_by_grant on tokens (grant_id) where grant_id is not null;
    create index tokens_by_uid on tokens (uid) where uid is not null`);
  const insert = database.prepare('insert or replace into tokens values (?, ?, ?, ?, ?, ?, ?)');
  const select = database.prepare('select payload, consumed from tokens where kind = ? and id = ?');
  const selectByUid = database.prepare('select payload, consumed from tokens where kind = ? and uid = ?');
  const consume = database.prepare('update tokens set consumed = ? where kind = ? and id = ?');
  const remove = database.prepare('delete from tokens where kind = ? and id = ?');
  const removeGrant = database.prepare('delete from tokens where kind = ? and grant_id = ?');
  return (kind) => ({
    upsert: async (id, payload, expiresIn = 0) => {
      const { grantId = null, uid = null, consumed = null } = payload;
      insert.run(kind, id, JSON.stringify(payload), grantId, uid, consumed, nowInSeconds() + expiresIn);
    },
    find: async (id) => toPayload(select.get(kind, id)),
    findByUid: async (uid) => toPayload(selectByUid.get(kind, uid)),
    consume: async (id) => {
      consume.run(nowInSeconds(), kind, id);
    },
    destroy: async (id) => {
      remove.run(kind, id);
    },
    revokeByGrantId: async (grantId) => {
      removeGrant.run(kind, grantId);
    },
  });
}

function toPayload(row: Record<string, unknown> | undefined): Payload | undefined {
  if (row === undefined) return undefined;
  const payload = JSON.parse(String(row.payload)) as Payload;
  return row.consumed === null ? payload : { ...payload, consumed: Number(row.consumed) };
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
