// Binding an address: the code is consumed and the address taken in one commit, or neither.

import type { KeyedAddress } from '../../../../auth/identity/email-address.ts';
import {
  type BindingOutcome,
  boundEvents,
  boundNotices,
  type EmailBinding,
  type EmailRemoval,
  judgeBinding,
  judgeRemoval,
  type RemovalOutcome,
  removedEvent,
  removedNotices,
} from '../../../../auth/identity/email-binding.ts';
import type { SentNotice } from '../../../../auth/notices/notice.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import type { UserId } from '../../../../kernel/ids.ts';
import type { EmailKey } from '../../../../kernel/recipient.ts';
import { openRows } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { operation, reading } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';
import { countAttempt, failedAttempt, openAttempts } from '../codes/attempts.ts';
import { endLinksOfAddress } from '../links/links.ts';
import { writeNotices } from '../notices/notices.ts';
import { openOwned } from './owned-values.ts';

export const bindEmail = operation(async (transaction, inputs: readonly EmailBinding[]): Promise<BindingOutcome[]> => {
  const [challenges, limits] = await openAttempts(
    transaction,
    inputs.map((input) => input.attempt),
  );
  const attempts = inputs.map((input) => ({ input, outcome: countAttempt(input.attempt, challenges, limits) }));
  // A wrong code looks up no owner, so it takes the same time whoever has the e-mail address.
  const proved = attempts.filter(({ outcome }) => outcome.kind === 'proved').map(({ input }) => input);
  const wanted = proved.map(({ userId, emailKey }) => ({ userId, value: emailKey }));
  const users = await openOwned(transaction, 'email_key', wanted);
  const notices: SentNotice[] = [];
  const events: DatedEvent[] = [];
  const replaced: { user_id: UserId; email_key: EmailKey }[] = [];
  const outcomes = attempts.map(({ input, outcome }): BindingOutcome => {
    const { emailKey, userId } = input;
    if (outcome.kind !== 'proved') {
      events.push(...failedAttempt(input.attempt, outcome, { userId, detail: {} }));
      return outcome;
    }
    const row = users.get(userId);
    const user = row && { bound: boundAddress(row) };
    const verdict = judgeBinding({ user, owner: users.ownerOf(emailKey) }, input);
    if (row === undefined) return { kind: 'gone' };
    if (verdict.kind === 'own') return { kind: 'bound' };
    if (verdict.kind !== 'bound') return { kind: verdict.kind };
    if (verdict.replaced !== undefined) replaced.push({ user_id: userId, email_key: verdict.replaced.key });
    users.put({ ...row, email: input.address, email_key: emailKey });
    notices.push(...boundNotices(input, row.phone ?? undefined, verdict.replaced));
    events.push(...boundEvents(input, verdict.replaced));
    return { kind: 'bound' };
  });
  await Promise.all([challenges.save(), limits.save(), users.save(), writeAudit(transaction, events)]);
  await endLinksOfAddress(transaction, replaced);
  await writeNotices(transaction, notices);
  return outcomes;
});

export const findOwner = reading(async (transaction, keys: readonly EmailKey[]) => {
  const users = await openRows(transaction, 'users', 'email_key', keys);
  return keys.map((key) => users.get(key)?.id);
});

/** The address no longer signs its user in, and is free again. */
export const removeEmail = operation(
  async (transaction, inputs: readonly EmailRemoval[]): Promise<RemovalOutcome[]> => {
    const users = await openRows(
      transaction,
      'users',
      'id',
      inputs.map((input) => input.userId),
    );
    const removed: { user_id: UserId; email_key: EmailKey }[] = [];
    const notices: SentNotice[] = [];
    const events: DatedEvent[] = [];
    const outputs = inputs.map((input) => {
      const user = users.get(input.userId);
      const bound = user && boundAddress(user);
      const verdict = judgeRemoval({ phone: user?.phone ?? undefined, bound }, input);
      if (user === undefined || bound === undefined || verdict !== 'removed') return verdict;
      removed.push({ user_id: user.id, email_key: bound.key });
      notices.push(...removedNotices(input, user.phone ?? undefined, bound));
      events.push(removedEvent(input, bound));
      users.put({ ...user, email: null, email_key: null });
      return verdict;
    });
    await Promise.all([users.save(), writeAudit(transaction, events)]);
    await endLinksOfAddress(transaction, removed);
    await writeNotices(transaction, notices);
    return outputs;
  },
);

function boundAddress({ email, email_key }: Row<'users'>): KeyedAddress | undefined {
  return email === null || email_key === null ? undefined : { address: email, key: email_key };
}
