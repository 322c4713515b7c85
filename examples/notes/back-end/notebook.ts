// The app's own database: the notes, whose sessions have ended, and how far the events have been read.
import { DatabaseSync } from 'node:sqlite';

export type Note = {
  readonly id: number;
  readonly userId: string;
  readonly text: string;
  readonly fileId: string | null;
  readonly createdAt: string;
};

/** Why sessions of a user have ended. */
export type End = 'blocked' | 'ended' | 'deleted';

export type Notebook = ReturnType<typeof openNotebook>;

const tables = `
  pragma journal_mode = wal;
  create table if not exists notes (
    id integer primary key, user_id text not null, text text not null, file_id text, created_at text not null);
  create index if not exists notes_by_user on notes (user_id);
  create index if not exists notes_by_file on notes (file_id);
  create table if not exists marks (user_id text primary key, why text not null, at text not null);
  create table if not exists seen_events (id text primary key, at text not null);
  create table if not exists cursor (only integer primary key check (only = 1), after text not null);
`;
const columns = 'id, user_id as userId, text, file_id as fileId, created_at as createdAt';

export function openNotebook(path: string) {
  const database = new DatabaseSync(path);
  database.exec(tables);
  const all = <Row>(sql: string, ...values: (string | number | null)[]) =>
    database.prepare(sql).all(...values) as Row[];
  const run = (sql: string, ...values: (string | number | null)[]) => database.prepare(sql).run(...values).changes;
  return {
    newest: (limit: number) => all<Note>(`select ${columns} from notes order by id desc limit ?`, limit),
    authors: () => all<{ id: string }>('select distinct user_id as id from notes').map(({ id }) => id),
    add: ({ userId, text, fileId, createdAt }: Omit<Note, 'id'>) =>
      run(
        'insert into notes (user_id, text, file_id, created_at) values (?, ?, ?, ?)',
        userId,
        text,
        fileId,
        createdAt,
      ),
    remove: (id: number, userId: string) => run('delete from notes where id = ? and user_id = ?', id, userId) === 1,
    removeAllOf: (userId: string) => run('delete from notes where user_id = ?', userId),
    removePicture: (fileId: string) => run('update notes set file_id = null where file_id = ?', fileId),

    /** Marks a user whose sessions have ended. Events may arrive out of order, so an older one changes nothing. */
    mark: (userId: string, why: End, at: string) =>
      run(
        `insert into marks values (?, ?, ?)
         on conflict (user_id) do update set why = excluded.why, at = excluded.at where excluded.at > marks.at`,
        ...[userId, why, at],
      ),
    markOf: (userId: string) => all<{ why: End }>('select why from marks where user_id = ?', userId)[0]?.why,

    /** Runs the change once for each event, in one commit with its id: a repeated event changes nothing. */
    once: (id: string, at: string, change: () => void): void => {
      database.exec('begin immediate');
      try {
        if (run('insert or ignore into seen_events values (?, ?)', id, at) === 1) change();
        database.exec('commit');
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },
    cursor: () => all<{ after: string }>('select after from cursor')[0]?.after,
    moveCursor: (after: string) => run('insert or replace into cursor values (1, ?)', after),
    forgetCursor: () => run('delete from cursor'),
    forgetEventsBefore: (at: string) => run('delete from seen_events where at < ?', at),
    forgetMarksBefore: (at: string) => run('delete from marks where at < ?', at),
    close: () => database.close(),
  };
}
