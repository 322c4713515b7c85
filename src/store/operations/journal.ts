// What operators ask of the audit log: what a restore must not undo, and when something was done last.
import type { JournalPage } from '../../backup/journal/journal.ts';
import { toJournalEntry } from '../../backup/journal/journal-kinds.ts';
import type { AuditKind } from '../../kernel/audit.ts';
import { newId } from '../../kernel/crypto/random.ts';
import { insert, listBy, openRows, remove } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { sql } from '../engine/sql.ts';
import { statement } from '../engine/statement.ts';
import { operation, reading } from '../engine/transaction.ts';
import { toEvent } from './audit-listing.ts';

export const list = reading(
  async (transaction, inputs: readonly { after: string; most: number }[]): Promise<JournalPage[]> => {
    const outputs: JournalPage[] = [];
    for (const input of inputs) {
      const events = await transaction.all(eventsAfter, input);
      outputs.push({
        entries: events.flatMap((row) => toJournalEntry(toEvent(row)) ?? []),
        next: events.length < input.most ? undefined : events.at(-1)?.id,
      });
    }
    return outputs;
  },
);

/** When an event of the kind was written last. Only for kinds without a user, such as the acts of operators. */
export const findLastEvent = reading(async (transaction, kinds: readonly AuditKind[]) => {
  const outputs: (number | undefined)[] = [];
  for (const kind of kinds) outputs.push((await transaction.all(lastOf, { kind }))[0]?.created_at);
  return outputs;
});

/** The row of `counters` that says when the journal was last extended. */
const journalSlot = 'journal';

export const note = operation(async (transaction, inputs: readonly { now: number }[]): Promise<undefined[]> => {
  const rows = await openRows(transaction, 'counters', 'slot', [journalSlot]);
  for (const { now } of inputs) rows.put({ slot: journalSlot, counted_until: String(now) });
  await rows.save();
  return inputs.map(() => undefined);
});

/** When the last backup was made, the journal was extended, and the installation was made. */
type BackupTimes = {
  readonly backupAt: number | undefined;
  readonly journalAt: number | undefined;
  readonly installedAt: number | undefined;
};

export const readBackupTimes = reading(async (transaction, inputs: readonly null[]): Promise<BackupTimes[]> => {
  const [backup] = await transaction.all(lastOf, { kind: 'backup.created' satisfies AuditKind });
  const [journal] = await listBy(transaction, 'counters', 'slot', [journalSlot]);
  const [installation] = await transaction.all(installed, {});
  const times = {
    backupAt: backup?.created_at,
    journalAt: journal && Number(journal.counted_until),
    installedAt: installation?.created_at,
  };
  return inputs.map(() => times);
});

/** Writes a row and removes it again, to see whether the database can write. */
export const tryWriting = operation(async (transaction, inputs: readonly null[]): Promise<undefined[]> => {
  const rows = inputs.map(() => ({ id: newId(), sweep_at: 0 }));
  await insert(transaction, 'receipts', rows);
  await remove(transaction, 'receipts', rows);
  return inputs.map(() => undefined);
});

const eventsAfter = statement<Row<'audit_events'>>(
  ({ all, value }) => sql`select ${all('audit_events')} from audit_events where id > ${value('after')}
    order by id limit ${value('most')}`,
);

const installed = statement<{ created_at: number }>(() => sql`select created_at from installation`);

const lastOf = statement<{ created_at: number }>(
  ({ value }) => sql`select created_at from audit_events
    where user_id is null and recipient is null and kind = ${value('kind')} order by id desc limit 1`,
);
