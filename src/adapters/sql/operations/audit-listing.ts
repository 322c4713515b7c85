// Audit events as they are read again: of one user, of one kind, or with a text in them; newest first.
import { sql } from 'kysely';
import type { AuditDetail, AuditKind, AuditQuery, StoredEvent } from '../../../kernel/audit.ts';
import { firstIdAt } from '../../../kernel/random.ts';
import type { Row } from '../schema.ts';
import { statement } from '../statement.ts';
import { reading } from '../transaction.ts';

export const listAudit = reading(async (transaction, inputs: readonly AuditQuery[]): Promise<StoredEvent[][]> => {
  const outputs: StoredEvent[][] = [];
  for (const { userId, kind = '', text = '', since, most } of inputs) {
    const narrow = { kind, pattern: text === '' ? '' : `%${text}%`, since: firstIdAt(since), most };
    const rows = await (userId === undefined
      ? transaction.all(newest, narrow)
      : transaction.all(newestOfUser, { ...narrow, userId }));
    // LIKE reads _ as any letter.
    outputs.push(rows.filter((row) => row.detail.includes(text)).map(toEvent));
  }
  return outputs;
});

const newest = lister(false);
const newestOfUser = lister(true);

function lister(isOfUser: boolean) {
  return statement<Row<'audit_events'>>(({ db, value }) => {
    const ofUser = isOfUser ? sql`user_id = ${value<string>('userId')} and` : sql``;
    const text = sql<Row<'audit_events'>>`select * from audit_events where ${ofUser} id >= ${value<string>('since')}
      and (${value<string>('kind')} = '' or kind = ${value<string>('kind')})
      and (${value<string>('pattern')} = '' or detail like ${value<string>('pattern')})
      order by id desc limit ${value<number>('most')}`;
    return { compile: () => text.compile(db) };
  });
}

function toEvent(row: Row<'audit_events'>): StoredEvent {
  return {
    id: row.id,
    kind: row.kind as AuditKind,
    ...(row.user_id !== null && { userId: row.user_id }),
    detail: JSON.parse(row.detail) as AuditDetail,
    at: row.created_at,
  };
}
