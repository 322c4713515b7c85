// Changing a number: the code is consumed and the number taken or scheduled in one commit, or nothing is.
import { countUsedCode, usageCounterId } from '../../../../abuse/sms-brake.ts';
import {
  changedNotices,
  judgePhoneChange,
  type PhoneChange,
  type PhoneChangeOutcome,
  type PhoneOwner,
  phoneChangedEnd,
  phoneChangedEvent,
  phoneScheduledEvent,
  scheduledNotices,
} from '../../../../auth/identity/phone-change.ts';
import { countSchedule, findScheduleBlock, schedulesId } from '../../../../auth/identity/schedule-limit.ts';
import type { SentNotice } from '../../../../auth/notices/notice.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import { unreachable } from '../../../../kernel/text/closed-list.ts';
import type { Row } from '../../../engine/schema.ts';
import { operation } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';
import { countAttempt, failedAttempt, openAttempts } from '../codes/attempts.ts';
import { queueNotices, writeNotices } from '../notices/notices.ts';
import { openUndoLinks } from '../notices/undo-links.ts';
import { openLiveSessions } from '../sessions/live-sessions.ts';
import { lastProofOf } from '../sessions/sessions.ts';
import { openOwned } from './owned-values.ts';
import { noScheduledPhone, toUser } from './user-rows.ts';

export const changePhone = operation(
  async (transaction, inputs: readonly PhoneChange[]): Promise<PhoneChangeOutcome[]> => {
    const [challenges, limits] = await openAttempts(
      transaction,
      inputs.map((input) => input.attempt),
      inputs.flatMap(({ userId, country }) => [
        schedulesId(userId),
        country === undefined ? undefined : usageCounterId(country),
      ]),
    );
    const attempts = inputs.map((input) => {
      const { attempt, country, now } = input;
      const openedAt = challenges.get(attempt.slot)?.opened_at ?? 0;
      const outcome = countAttempt(attempt, challenges, limits);
      if (outcome.kind === 'proved' && country !== undefined)
        limits.putAll([countUsedCode(country, limits.get, openedAt, now)]);
      return { input, outcome };
    });
    // A wrong code looks up no owner, so it takes the same time whoever has the number.
    const proved = attempts.filter(({ outcome }) => outcome.kind === 'proved').map(({ input }) => input);
    const wanted = proved.map(({ userId, phone }) => ({ userId, value: phone }));
    const users = await openOwned(transaction, 'phone', wanted);
    const links = await openUndoLinks(
      transaction,
      proved.map(({ userId }) => userId),
    );
    const sessions = await openLiveSessions(
      transaction,
      proved.map(({ userId }) => userId),
    );
    const notices: SentNotice[] = [];
    const ofChanges: SentNotice[] = [];
    const events: DatedEvent[] = [];
    const outcomes = attempts.map(({ input, outcome }): PhoneChangeOutcome => {
      const { userId, sessionId, phone, now } = input;
      if (outcome.kind !== 'proved') {
        events.push(...failedAttempt(input.attempt, outcome, { userId, detail: {} }));
        return outcome;
      }
      const row = users.get(userId);
      const session = sessions.find(userId, sessionId);
      if (row === undefined || session === undefined) return { kind: 'gone' };
      const user = toPhoneOwner(row);
      const { proof } = lastProofOf(session);
      const block = findScheduleBlock(userId, limits.get, now);
      const verdict = judgePhoneChange({ user, owner: users.ownerOf(phone), proof, block }, input);
      switch (verdict.kind) {
        case 'gone':
        case 'taken':
          return { kind: verdict.kind };
        case 'limited':
          return verdict;
        case 'own':
          return { kind: 'own', user: toUser(row) };
        case 'scheduled': {
          const { effectiveAt } = verdict;
          limits.putAll([countSchedule(userId, limits.get, now)]);
          users.put({ ...row, next_phone: phone, next_phone_at: effectiveAt, next_phone_language: input.language });
          notices.push(...scheduledNotices(input.notices.scheduled, user, verdict));
          events.push(phoneScheduledEvent(user, verdict, { now }));
          return { kind: 'scheduled', phone, effectiveAt };
        }
        case 'changed': {
          const changed = { ...row, phone, ...noScheduledPhone };
          users.put(changed);
          const sessionIds = sessions.end({ userId, sessionId, scope: 'others', reason: phoneChangedEnd, now });
          ofChanges.push(...links.tell(userId, phone, changedNotices(input.notices.changed, user, phone), now));
          events.push(phoneChangedEvent(user, { phone, how: 'code', sessions: sessionIds.length, now }));
          return { kind: 'changed', user: toUser(changed), sessionIds };
        }
        default:
          return unreachable(verdict);
      }
    });
    await Promise.all([challenges.save(), limits.save(), users.save()]);
    await links.save();
    await sessions.save();
    await queueNotices(transaction, ofChanges);
    await writeNotices(transaction, notices);
    await writeAudit(transaction, events);
    return outcomes;
  },
);

/** A user without a scheduled change. */
export function toPhoneOwner({ id, phone, email }: Row<'users'>): PhoneOwner {
  return { id, phone: phone ?? undefined, email: email ?? undefined };
}
