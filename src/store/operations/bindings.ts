// Binding an address: the code is consumed and the address taken in one commit, or neither.
import type { BindingOutcome, EmailBinding } from '../../auth/email-binding.ts';
import type { Act } from '../../kernel/audit.ts';
import { maskEmail } from '../../kernel/mask.ts';
import { insert, listBy, openRows } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { operation, reading } from '../engine/transaction.ts';
import { failedAttempt, openAttempts, tryCode } from './attempts.ts';
import { type DatedEvent, writeAudit } from './audit.ts';
import { endLinksOfAddress } from './links.ts';
import { toMessageRow } from './outbox.ts';

export const bindEmail = operation(async (transaction, inputs: readonly EmailBinding[]): Promise<BindingOutcome[]> => {
  const attempts = inputs.map((input) => input.attempt);
  const [challenges, limits] = await openAttempts(transaction, attempts);
  const tried = inputs.map((input) => ({ input, outcome: tryCode(input.attempt, challenges, limits) }));
  // Nobody is looked up for a code that proves nothing: it takes the same time whoever owns the address.
  const proved = tried.filter(({ outcome }) => outcome.kind === 'proved').map(({ input }) => input);
  const found = await listBy(
    transaction,
    'users',
    'email_key',
    proved.map((input) => input.emailKey),
  );
  // Users and owners are locked together, so that two nodes that bind crosswise do not wait for each other.
  const userIds = [...proved.map((input) => input.userId), ...found.map((owner) => owner.id)];
  const users = await openRows(transaction, 'users', 'id', userIds);
  const owners = new Map(found.map(({ id }) => [users.get(id)?.email_key, id]));
  const notices: Row<'outbox'>[] = [];
  const events: DatedEvent[] = [];
  const replaced: { user_id: string; email_key: string }[] = [];
  const outcomes = tried.map(({ input, outcome }): BindingOutcome => {
    const { emailKey, userId, now } = input;
    if (outcome.kind !== 'proved') {
      events.push(...failedAttempt(input.attempt, outcome, { userId, detail: {} }));
      return outcome;
    }
    const user = users.get(userId);
    if (user === undefined) return { kind: 'gone' };
    const owner = owners.get(emailKey);
    if (owner !== undefined && owner !== userId) return { kind: 'taken' };
    if (user.email !== null && user.email_key !== null && user.email_key !== emailKey) {
      notices.push(toMessageRow({ ...input.notice, payload: { ...input.notice.payload, to: user.email } }));
      events.push({ kind: 'email.replaced', userId, detail: { old: maskEmail(user.email) }, now });
      replaced.push({ user_id: userId, email_key: user.email_key });
    }
    users.put({ ...user, email: input.address, email_key: emailKey });
    owners.set(emailKey, userId);
    events.push({ kind: 'email.bound', userId, detail: { email: maskEmail(input.address) }, now });
    return { kind: 'bound' };
  });
  await Promise.all([
    challenges.save(),
    limits.save(),
    users.save('email_key'),
    insert(transaction, 'outbox', notices),
    writeAudit(transaction, events),
  ]);
  await endLinksOfAddress(transaction, replaced);
  return outcomes;
});

export const findOwner = reading(async (transaction, keys: readonly string[]) => {
  const users = await openRows(transaction, 'users', 'email_key', keys);
  return keys.map((key) => users.get(key)?.id);
});

type Removal = { readonly userId: string; readonly by: Act; readonly now: number };

/** The address no longer signs its user in, and is free again. False where there was none. */
export const removeEmail = operation(async (transaction, inputs: readonly Removal[]): Promise<boolean[]> => {
  const users = await openRows(
    transaction,
    'users',
    'id',
    inputs.map((input) => input.userId),
  );
  const removed: { user_id: string; email_key: string }[] = [];
  const events: DatedEvent[] = [];
  const outputs = inputs.map(({ userId, by, now }) => {
    const user = users.get(userId);
    if (user === undefined || user.email === null || user.email_key === null) return false;
    removed.push({ user_id: userId, email_key: user.email_key });
    events.push({ kind: 'email.removed', userId, detail: { old: maskEmail(user.email), ...by }, now });
    users.put({ ...user, email: null, email_key: null });
    return true;
  });
  await Promise.all([users.save(), writeAudit(transaction, events)]);
  await endLinksOfAddress(transaction, removed);
  return outputs;
});
