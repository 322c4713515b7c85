// How a person is shown: masked, unless it was asked for in full and written down who asked.
import type { UserRecord } from '../support/user-directory.ts';
import type { OperatorContext, OperatorStore, VerbOptions } from './operator-context.ts';
import { isoTime, writeEmail, writePhone, writeTime } from './write-text.ts';

export function userData({ id, phone, email, createdAt, blockedAt }: UserRecord, reveal: boolean) {
  return {
    id,
    phone: writePhone(phone, reveal),
    email: email === undefined ? null : writeEmail(email, reveal),
    createdAt: isoTime(createdAt),
    blockedAt: isoTime(blockedAt),
  };
}

export const userHead = ['id', 'phone', 'e-mail', 'since', 'blocked'] as const;

export function userRow({ id, phone, email, createdAt, blockedAt }: UserRecord, reveal: boolean): string[] {
  const address = email === undefined ? '-' : writeEmail(email, reveal);
  return [id, writePhone(phone, reveal), address, writeTime(createdAt), writeTime(blockedAt)];
}

/** True where numbers and addresses are to be shown in full; each person who is seen is written down first. */
export async function reveals(
  context: OperatorContext,
  { reveal }: VerbOptions,
  { audit, clock }: Pick<OperatorStore, 'audit' | 'clock'>,
  userIds: readonly string[],
): Promise<boolean> {
  if (!reveal) return false;
  const by = context.act();
  for (const userId of userIds)
    await audit.record({ kind: 'user.revealed', userId, detail: { ...by }, now: clock.now() });
  return true;
}
