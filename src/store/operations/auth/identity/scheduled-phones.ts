// Scheduled changes of phone numbers: shows one, cancels one, and lets those take effect that are due.

import {
  type PhoneOwner,
  phoneCancelledEvent,
  phoneChangedEnd,
  phoneChangedEvent,
  phoneScheduledEvent,
  type ScheduledPhone,
  writePhoneNotices,
} from '../../../../auth/identity/phone-change.ts';
import {
  cancelledBy,
  cancelledNotices,
  type DueOutcome,
  type DueRound,
  dueNotices,
  judgeDue,
  type PhoneCancellation,
  phoneFailedEvent,
  scheduledAfter,
} from '../../../../auth/identity/scheduled-phone.ts';
import { anotherDraft, type NoticeDraft, type SentNotice } from '../../../../auth/notices/notice.ts';
import type { SessionDraft } from '../../../../auth/sessions/session.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import type { UserId } from '../../../../kernel/ids.ts';
import { findWord, unreachable } from '../../../../kernel/text/closed-list.ts';
import { type Language, languages } from '../../../../kernel/text/language.ts';
import { listBy, openRows, update } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement, type Tools } from '../../../engine/statement.ts';
import { operation, reading, type Transaction } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';
import { queueNotices, writeNotices } from '../notices/notices.ts';
import { openUndoLinks } from '../notices/undo-links.ts';
import { toPhoneOwner } from './phone-changes.ts';
import { noScheduledPhone } from './user-rows.ts';
import { endSessionsOfUsers } from './users.ts';

export const findPhoneChange = reading(
  async (transaction, ids: readonly UserId[]): Promise<(ScheduledPhone | undefined)[]> => {
    const users = await openRows(transaction, 'users', 'id', ids);
    return ids.map((id) => {
      const row = users.get(id);
      return row && toScheduled(row);
    });
  },
);

export const cancelPhoneChange = operation(
  async (transaction, inputs: readonly PhoneCancellation[]): Promise<boolean[]> => {
    const users = await openRows(
      transaction,
      'users',
      'id',
      inputs.map((input) => input.userId),
    );
    const notices: SentNotice[] = [];
    const events: DatedEvent[] = [];
    const outputs = inputs.map((input) => {
      const { userId, notices: drafts, now } = input;
      const row = users.get(userId);
      const scheduled = row && toScheduled(row);
      if (row === undefined || scheduled === undefined) return false;
      users.put({ ...row, ...noScheduledPhone });
      notices.push(...cancelledNotices(drafts, toPhoneOwner(row), scheduled.phone));
      events.push(phoneCancelledEvent(userId, scheduled.phone, cancelledBy(input), now));
      return true;
    });
    await Promise.all([users.save(), writeAudit(transaction, events)]);
    await writeNotices(transaction, notices);
    return outputs;
  },
);

type DueQuery = { readonly now: number; readonly most: number };

export const countDuePhoneChanges = reading(async (transaction, inputs: readonly DueQuery[]): Promise<number[]> => {
  const outputs: number[] = [];
  for (const { now, most } of inputs) outputs.push((await transaction.all(idsOfDue, { now, most })).length);
  return outputs;
});

/** One input after the other: each sees the numbers that the ones before it took and freed. */
export const applyPhoneChanges = operation(
  async (transaction, inputs: readonly DueRound[]): Promise<(readonly DueOutcome[])[]> => {
    const rounds = await handleDue(transaction, inputs);
    const all = rounds.flat();
    const applied = all.filter(({ kind }) => kind === 'applied');
    const links = await openUndoLinks(
      transaction,
      applied.map(({ user }) => user.id),
    );
    const ofChanges = applied.flatMap(({ user, scheduled, notices, now }) =>
      links.tell(user.id, scheduled.phone, notices, now),
    );
    await links.save();
    const endings = applied.map(({ user, now }) => ({ user_id: user.id, ended_at: now, end_reason: phoneChangedEnd }));
    const ended = endings.length === 0 ? [] : await transaction.all(endSessionsOfUsers, { rows: endings });
    const byUser = Map.groupBy(ended, (session) => session.user_id);
    const sessionsOf = ({ user }: Handled) => (byUser.get(user.id) ?? []).map(({ id }) => id).toSorted();
    await queueNotices(transaction, ofChanges);
    await writeNotices(
      transaction,
      all.flatMap(({ kind, notices }) => (kind === 'applied' ? [] : notices)),
    );
    await writeAudit(
      transaction,
      all.map((handled) => dueEvent(handled, sessionsOf(handled).length)),
    );
    return rounds.map((round) =>
      round.map((handled) =>
        handled.kind === 'applied' ? { kind: handled.kind, sessionIds: sessionsOf(handled) } : { kind: handled.kind },
      ),
    );
  },
);

/** A change that was due, with its user as before. */
type Handled = {
  readonly kind: DueOutcome['kind'];
  readonly user: PhoneOwner;
  readonly scheduled: ScheduledPhone;
  readonly notices: readonly SentNotice[];
  readonly now: number;
};

async function handleDue(transaction: Transaction, inputs: readonly DueRound[]): Promise<Handled[][]> {
  const due = await transaction.all(dueChanges, {
    now: Math.max(...inputs.map(({ now }) => now)),
    most: inputs.reduce((sum, { notices }) => sum + notices.length, 0),
  });
  // Without a lock, because rows are already locked. If the number is taken at this moment, the commit fails and runs again.
  const found = await listBy(
    transaction,
    'users',
    'phone',
    due.flatMap(({ next_phone }) => next_phone ?? []),
  );
  const owners = new Map(found.map(({ phone, id }) => [phone, id]));
  const changed = new Map<string, Row<'users'>>();
  let waiting = due;
  const rounds = inputs.map((round) => {
    const handled: Handled[] = [];
    for (const notices of round.notices) {
      const [row, ...others] = waiting;
      const scheduled = row && toScheduled(row);
      if (row === undefined || scheduled === undefined || scheduled.effectiveAt > round.now) break;
      const kind = judgeDue(row.id, scheduled.effectiveAt, owners.get(scheduled.phone));
      const left = scheduledAfter(kind, scheduled.phone, round);
      const phone = kind === 'applied' ? scheduled.phone : row.phone;
      if (kind === 'applied') {
        owners.delete(row.phone);
        owners.set(phone, row.id);
      }
      const next = { ...row, phone, ...fromScheduled(left, row) };
      changed.set(row.id, next);
      // What was announced may be due for a later round of the same batch.
      waiting = left === undefined ? others : [...others, next].toSorted(byTime);
      const user = toPhoneOwner(row);
      const language = languageOf(row);
      const messages = dueNotices(notices, user, { kind, scheduled: left ?? scheduled, language });
      handled.push({ kind, user, scheduled: left ?? scheduled, notices: messages, now: round.now });
    }
    return handled;
  });
  const passedOn = due.filter(({ id, phone }) => phone !== null && (owners.get(phone) ?? id) !== id);
  await savePhones(transaction, [...changed.values()], passedOn);
  return rounds;
}

function byTime(a: Row<'users'>, b: Row<'users'>): number {
  return (a.next_phone_at ?? 0) - (b.next_phone_at ?? 0) || (a.id < b.id ? -1 : 1);
}

/** A number that another user takes is freed first. Numbers are taken in the order of sign-ups, so that the two cannot deadlock. */
async function savePhones(
  transaction: Transaction,
  changed: readonly Row<'users'>[],
  passedOn: readonly Row<'users'>[],
): Promise<void> {
  const freed = passedOn.map((row) => ({ ...row, phone: null }));
  await update(transaction, 'users', freed, ['phone']);
  const inOrder = changed.toSorted((a, b) => (String(a.phone) < String(b.phone) ? -1 : 1));
  for (const row of inOrder) await update(transaction, 'users', [row], changedColumns);
}

function dueEvent({ kind, user, scheduled, now }: Handled, sessions: number): DatedEvent {
  const { phone } = scheduled;
  switch (kind) {
    case 'applied':
      return phoneChangedEvent(user, { phone, how: 'wait', sessions, now });
    case 'announced':
      return phoneScheduledEvent(user, scheduled, { now });
    case 'taken':
      return phoneFailedEvent(user.id, phone, now);
    default:
      return unreachable(kind);
  }
}

/** Called in the commit of a sign-in with the old number. */
export function cancelBySignIn(row: Row<'users'>, draft: NoticeDraft | undefined, { id, now }: SessionDraft) {
  const scheduled = toScheduled(row);
  if (scheduled === undefined) return undefined;
  const { phone } = scheduled;
  // The notice of a new device has the draft itself.
  const notices = draft && writePhoneNotices(anotherDraft({ ...draft, device: undefined }), 'phone-change-cancelled');
  return {
    row: { ...row, ...noScheduledPhone },
    notices: notices === undefined ? [] : cancelledNotices(notices, toPhoneOwner(row), phone),
    event: phoneCancelledEvent(row.id, phone, { how: 'sign-in', session: id }, now),
  };
}

const changedColumns = ['phone', 'next_phone', 'next_phone_at', 'next_phone_language'] as const;

/** Blocked users wait until the block ends. */
const isDue = ({ value }: Pick<Tools, 'value'>) => sql`next_phone_at <= ${value('now')} and blocked_at is null
  order by next_phone_at, id limit ${value('most')}`;

const dueChanges = statement<Row<'users'>>(
  (tools) => sql`select ${tools.all('users')} from users where ${isDue(tools)} ${tools.lock('skip')}`,
);

const idsOfDue = statement<{ id: string }>((tools) => sql`select id from users where ${isDue(tools)}`);

function toScheduled({ next_phone, next_phone_at }: Row<'users'>): ScheduledPhone | undefined {
  return next_phone === null || next_phone_at === null ? undefined : { phone: next_phone, effectiveAt: next_phone_at };
}

function fromScheduled(scheduled: ScheduledPhone | undefined, { next_phone_language }: Row<'users'>) {
  if (scheduled === undefined) return noScheduledPhone;
  return { next_phone: scheduled.phone, next_phone_at: scheduled.effectiveAt, next_phone_language };
}

/** English if a later version wrote a language that this one does not know. */
function languageOf({ next_phone_language: text }: Row<'users'>): Language {
  return text === null ? 'en' : (findWord(languages, text) ?? 'en');
}
