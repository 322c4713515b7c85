// Binding an address: the code is consumed and the address taken in one commit, or neither.
import {
  type BindingOutcome,
  type BoundAddress,
  boundEvents,
  type EmailBinding,
  type EmailRemoval,
  judgeBinding,
  removedEvent,
  replacedNotice,
} from '../../auth/email-binding.ts';
import type { DatedEvent } from '../../kernel/audit.ts';
import { insert, listBy, openRows, update } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { operation, reading, type Transaction } from '../engine/transaction.ts';
import { countAttempt, failedAttempt, openAttempts } from './attempts.ts';
import { writeAudit } from './audit.ts';
import { endLinksOfAddress } from './links.ts';
import { toMessageRow } from './outbox.ts';

export const bindEmail = operation(async (transaction, inputs: readonly EmailBinding[]): Promise<BindingOutcome[]> => {
  const [challenges, limits] = await openAttempts(
    transaction,
    inputs.map((input) => input.attempt),
  );
  const attempts = inputs.map((input) => ({ input, outcome: countAttempt(input.attempt, challenges, limits) }));
  // A wrong code looks up no owner, so it takes the same time whoever has the e-mail address.
  const proved = attempts.filter(({ outcome }) => outcome.kind === 'proved').map(({ input }) => input);
  const found = await listBy(
    transaction,
    'users',
    'email_key',
    proved.map((input) => input.emailKey),
  );
  // Users and owners are locked together, so that two nodes that bind crosswise do not wait for each other.
  const userIds = [...proved.map((input) => input.userId), ...found.map((owner) => owner.id)];
  const users = await openRows(transaction, 'users', 'id', userIds);
  const before = [...new Set(userIds)].flatMap((id) => users.get(id) ?? []);
  const owners = new Map(found.map(({ id }) => [users.get(id)?.email_key, id]));
  const notices: Row<'outbox'>[] = [];
  const events: DatedEvent[] = [];
  const replaced: { user_id: string; email_key: string }[] = [];
  const outcomes = attempts.map(({ input, outcome }): BindingOutcome => {
    const { emailKey, userId } = input;
    if (outcome.kind !== 'proved') {
      events.push(...failedAttempt(input.attempt, outcome, { userId, detail: {} }));
      return outcome;
    }
    const row = users.get(userId);
    const user = row && { bound: boundAddress(row) };
    const verdict = judgeBinding({ user, owner: owners.get(emailKey) }, input);
    if (row === undefined) return { kind: 'gone' };
    if (verdict.kind !== 'bound') return { kind: verdict.kind };
    if (verdict.replaced !== undefined) {
      notices.push(toMessageRow(replacedNotice(input, verdict.replaced)));
      replaced.push({ user_id: userId, email_key: verdict.replaced.key });
      owners.delete(verdict.replaced.key);
    }
    users.put({ ...row, email: input.address, email_key: emailKey });
    owners.set(emailKey, userId);
    events.push(...boundEvents(input, verdict.replaced));
    return { kind: 'bound' };
  });
  const passedOn = before.filter(({ id, email_key }) => (owners.get(email_key) ?? id) !== id);
  await Promise.all([
    challenges.save(),
    limits.save(),
    freeAddresses(transaction, passedOn).then(() => users.save('email_key')),
    insert(transaction, 'outbox', notices),
    writeAudit(transaction, events),
  ]);
  await endLinksOfAddress(transaction, replaced);
  return outcomes;
});

/** An address that another user of the batch takes must be free first. The rows are locked. */
async function freeAddresses(transaction: Transaction, owners: readonly Row<'users'>[]): Promise<void> {
  const freed = owners.map((owner) => ({ ...owner, email_key: null }));
  await update(transaction, 'users', freed, ['email_key']);
}

export const findOwner = reading(async (transaction, keys: readonly string[]) => {
  const users = await openRows(transaction, 'users', 'email_key', keys);
  return keys.map((key) => users.get(key)?.id);
});

/** The address no longer signs its user in, and is free again. False where there was none. */
export const removeEmail = operation(async (transaction, inputs: readonly EmailRemoval[]): Promise<boolean[]> => {
  const users = await openRows(
    transaction,
    'users',
    'id',
    inputs.map((input) => input.userId),
  );
  const removed: { user_id: string; email_key: string }[] = [];
  const events: DatedEvent[] = [];
  const outputs = inputs.map((input) => {
    const user = users.get(input.userId);
    const bound = user && boundAddress(user);
    if (user === undefined || bound === undefined) return false;
    removed.push({ user_id: user.id, email_key: bound.key });
    events.push(removedEvent(input, bound));
    users.put({ ...user, email: null, email_key: null });
    return true;
  });
  await Promise.all([users.save(), writeAudit(transaction, events)]);
  await endLinksOfAddress(transaction, removed);
  return outputs;
});

function boundAddress({ email, email_key }: Row<'users'>): BoundAddress | undefined {
  return email === null || email_key === null ? undefined : { address: email, key: email_key };
}
