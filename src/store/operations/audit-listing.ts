// Lists audit events, newest first: of one user, about one recipient, of one kind, or the acts of operators and staff.

import type { AuditDetail, AuditQuery, StoredEvent } from '../../kernel/audit.ts';
import { firstIdAt } from '../../kernel/crypto/random.ts';
import type { Row } from '../engine/schema.ts';
import { type Sql, sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { reading } from '../engine/transaction.ts';

/** Beyond every id. */
const noEnd = 'g';

export const list = reading(async (transaction, inputs: readonly AuditQuery[]): Promise<StoredEvent[][]> => {
  const outputs: StoredEvent[][] = [];
  for (const query of inputs) {
    const { userId, recipient, kind = '', before = noEnd, since, most } = query;
    const args = { userId, recipient, kind, before, since: firstIdAt(since), most };
    const rows = await transaction.all(chooseLister(query), args);
    outputs.push(rows.map(toEvent));
  }
  return outputs;
});

/** Each has an index of its own, so that it reads only the wanted rows. */
function chooseLister({ userId, recipient, acts }: AuditQuery) {
  if (userId !== undefined) return listers.ofUser;
  if (recipient !== undefined) return listers.aboutRecipient;
  return acts === true ? listers.acts : listers.all;
}

const listers = {
  all: lister(() => sql``),
  ofUser: lister((value) => sql`user_id = ${value('userId')} and`),
  aboutRecipient: lister((value) => sql`recipient = ${value('recipient')} and`),
  // Must equal the predicate of the partial index.
  acts: lister(() => sql`detail like '%"actor":%' and`),
};

function lister(narrow: (value: (name: string) => Sql) => Sql) {
  return statement<Row<'audit_events'>>(
    ({ all, value }) => sql`select ${all('audit_events')} from audit_events where ${narrow((name) => value(name))}
      id >= ${value('since')} and id < ${value('before')}
      and (${value('kind')} = '' or kind = ${value('kind')})
      order by id desc limit ${value('most')}`,
  );
}

export function toEvent(row: Row<'audit_events'>): StoredEvent {
  return {
    id: row.id,
    kind: row.kind,
    ...(row.user_id !== null && { userId: row.user_id }),
    detail: JSON.parse(row.detail) as AuditDetail,
    at: row.created_at,
  };
}
