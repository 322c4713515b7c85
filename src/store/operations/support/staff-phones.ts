// Changes of phone numbers that staff schedule, with their notices and their audit event in one commit.

import { phoneScheduledEvent, scheduledNotices } from '../../../auth/identity/phone-change.ts';
import { countSchedule, findScheduleBlock, schedulesId } from '../../../auth/identity/schedule-limit.ts';
import type { SentNotice } from '../../../auth/notices/notice.ts';
import type { DatedEvent } from '../../../kernel/audit.ts';
import { judgeStaffChange, type StaffPhoneChange, type StaffPhoneOutcome } from '../../../support/users/staff-phone.ts';
import { listBy, openRows } from '../../engine/rows.ts';
import { operation } from '../../engine/transaction.ts';
import { openLimits } from '../abuse/limit-rows.ts';
import { writeAudit } from '../audit.ts';
import { toPhoneOwner } from '../auth/identity/phone-changes.ts';
import { writeNotices } from '../auth/notices/notices.ts';

export const schedulePhone = operation(
  async (transaction, inputs: readonly StaffPhoneChange[]): Promise<StaffPhoneOutcome[]> => {
    const limits = await openLimits(
      transaction,
      inputs.map((input) => schedulesId(input.userId)),
    );
    const users = await openRows(
      transaction,
      'users',
      'id',
      inputs.map((input) => input.userId),
    );
    // Without a lock: the number is judged again when the change takes effect.
    const found = await listBy(
      transaction,
      'users',
      'phone',
      inputs.map((input) => input.phone),
    );
    const owners = new Map(found.map(({ phone, id }) => [phone, id]));
    const notices: SentNotice[] = [];
    const events: DatedEvent[] = [];
    const outcomes = inputs.map((input) => {
      const { userId, now } = input;
      const row = users.get(userId);
      const user = row && toPhoneOwner(row);
      const block = findScheduleBlock(userId, limits.get, now);
      const outcome = judgeStaffChange({ user, owner: owners.get(input.phone), block }, input);
      if (outcome.kind !== 'scheduled' || row === undefined || user === undefined) return outcome;
      const { phone, effectiveAt } = outcome;
      limits.putAll([countSchedule(userId, limits.get, now)]);
      users.put({ ...row, next_phone: phone, next_phone_at: effectiveAt, next_phone_language: input.language });
      notices.push(...scheduledNotices(input.notices, user, outcome));
      events.push(phoneScheduledEvent(user, outcome, input));
      return outcome;
    });
    await Promise.all([limits.save(), users.save(), writeAudit(transaction, events)]);
    await writeNotices(transaction, notices);
    return outcomes;
  },
);
