// How a user is shown: masked, unless the operator asks for it in full, which is audited.

import type { UserRecord } from '../../auth/directory/user-directory.ts';
import { staffView } from '../../auth/directory/user-views.ts';
import type { Act } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { ShownUser } from '../../support/users/show-user.ts';
import type { OperatorStore } from '../operator-context.ts';
import { isoTime, writeEmail, writePhone, writeTime } from '../write-text.ts';

/** With the last use and the scheduled change of the number. */
export function shownUserData(
  { user, lastUsedAt, scheduled }: Pick<ShownUser, 'user' | 'lastUsedAt' | 'scheduled'>,
  reveal: boolean,
) {
  return {
    ...staffView(user, reveal).account,
    lastUsedAt: isoTime(lastUsedAt),
    nextPhone: scheduled === undefined ? null : writePhone(scheduled.phone, reveal),
    nextPhoneAt: isoTime(scheduled?.effectiveAt),
  };
}

export const userHead = ['id', 'phone', 'e-mail', 'since', 'blocked'] as const;

export function userRow({ id, phone, email, createdAt, blockedAt }: UserRecord, reveal: boolean): string[] {
  const address = email === undefined ? '-' : writeEmail(email, reveal);
  return [id, writePhone(phone, reveal), address, writeTime(createdAt), writeTime(blockedAt)];
}

/** Comes before numbers and addresses are shown in full: one audit event for each user. */
export async function recordReveal(
  { audit, clock }: Pick<OperatorStore, 'audit' | 'clock'>,
  by: Act,
  userIds: readonly UserId[],
): Promise<void> {
  for (const userId of userIds)
    await audit.record({ kind: 'user.revealed', userId, detail: { ...by }, now: clock.now() });
}
