// The tables of the floor on SQLite. All writes of one turn of the event loop share a durable commit; answers leave after it.
import { DatabaseSync } from 'node:sqlite';

/** In milliseconds. */
const sessionLife = 86_400_000;

type Waiting = { readonly write: () => number | undefined; readonly done: (user: number | undefined) => void };

type FloorStore = {
  keepCode(phone: string, codeHash: string, end: number, done: () => void): void;
  /** Uses up the code, and answers with the user, who is new or known. Undefined if the code is wrong. */
  useCode(phone: string, codeHash: string, tokenHash: string, done: (user: number | undefined) => void): void;
  /** Replaces the refresh token. Undefined if it is not valid. */
  useToken(tokenHash: string, nextHash: string, done: (user: number | undefined) => void): void;
};

export function openFloorStore(file: string): FloorStore {
  const db = new DatabaseSync(file);
  db.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -131072; pragma wal_autocheckpoint = 4000;
    create table users (id integer primary key, phone text unique);
    create table codes (phone text primary key, hash text, ends integer, tries integer) without rowid;
    create table tokens (hash text primary key, user_id integer, ends integer, next text) without rowid`);
  const putCode = db.prepare(`insert into codes values (?, ?, ?, 0)
    on conflict (phone) do update set hash = excluded.hash, ends = excluded.ends, tries = 0`);
  const takeCode = db.prepare('delete from codes where phone = ? and hash = ? and ends > ?');
  const putUser = db.prepare(
    'insert into users (phone) values (?) on conflict (phone) do update set phone = phone returning id',
  );
  const putToken = db.prepare('insert into tokens (hash, user_id, ends) values (?, ?, ?)');
  const takeToken = db.prepare(
    'update tokens set next = ? where hash = ? and next is null and ends > ? returning user_id as user',
  );

  let waiting: Waiting[] = [];
  const commit = () => {
    const group = waiting;
    waiting = [];
    db.exec('begin immediate');
    const results = group.map(({ write }) => write());
    db.exec('commit');
    for (const [index, { done }] of group.entries()) done(results[index]);
  };
  const enqueue = (write: Waiting['write'], done: Waiting['done']) => {
    if (waiting.push({ write, done }) === 1) setImmediate(commit);
  };

  return {
    keepCode: (phone, codeHash, end, done) =>
      enqueue(() => {
        putCode.run(phone, codeHash, end);
        return undefined;
      }, done),
    useCode: (phone, codeHash, tokenHash, done) =>
      enqueue(() => {
        const now = Date.now();
        if (takeCode.run(phone, codeHash, now).changes === 0) return undefined;
        const { id } = putUser.get(phone) as { id: number };
        putToken.run(tokenHash, id, now + sessionLife);
        return id;
      }, done),
    useToken: (tokenHash, nextHash, done) =>
      enqueue(() => {
        const now = Date.now();
        const row = takeToken.get(nextHash, tokenHash, now) as { user: number } | undefined;
        if (row !== undefined) putToken.run(nextHash, row.user, now + sessionLife);
        return row?.user;
      }, done),
  };
}
