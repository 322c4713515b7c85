// Notices: queues them with the hashes of their links, and counts those by text message.

import type { NoticeTarget, SentNotice } from '../../../../auth/notices/notice.ts';
import { type NoticeLinkState, noticeLinkTimes } from '../../../../auth/notices/notice-link.ts';
import {
  countedByNotice,
  judgeNoticeSms,
  type NoticeSmsCheck,
  noticeSmsIds,
} from '../../../../auth/notices/notice-sms.ts';
import { insert, openRows } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { operation, type Transaction } from '../../../engine/transaction.ts';
import { openLimits } from '../../abuse/limit-rows.ts';
import { writeCounted } from '../../messages/counted-messages.ts';
import { toMessageRow } from '../../messages/outbox.ts';

const notMe: NoticeTarget = { kind: 'not-me' };

/** In the commit of what they tell. */
export async function writeNotices(transaction: Transaction, notices: readonly SentNotice[]): Promise<void> {
  await insert(transaction, 'notice_links', notices.flatMap(newLink));
  await queueNotices(transaction, notices);
}

/** Without their links. */
export async function queueNotices(transaction: Transaction, notices: readonly SentNotice[]): Promise<void> {
  await insert(
    transaction,
    'outbox',
    notices.map(({ message }) => toMessageRow(message)),
  );
}

export function newLink({ userId, tokenHash, target = notMe, linkUntil, message }: SentNotice): Row<'notice_links'>[] {
  if (tokenHash === undefined) return [];
  const { createdAt } = message;
  const { expiresAt, keptUntil } = noticeLinkTimes(createdAt, linkUntil);
  return [
    {
      token_hash: tokenHash,
      user_id: userId,
      kind: target.kind,
      phone: target.kind === 'undo-phone' ? (target.phone ?? null) : null,
      state: 'issued' satisfies NoticeLinkState,
      created_at: createdAt,
      expires_at: expiresAt,
      sweep_at: keptUntil,
    },
  ];
}

export const admitNoticeSms = operation(async (transaction, inputs: readonly NoticeSmsCheck[]): Promise<boolean[]> => {
  const limits = await openLimits(transaction, inputs.flatMap(noticeSmsIds));
  const messages = await openRows(
    transaction,
    'outbox',
    'id',
    inputs.map(({ messageId }) => messageId),
  );
  const outputs = inputs.map((input) => {
    const counts = judgeNoticeSms(input, limits.get);
    limits.putAll(counts ?? []);
    const row = messages.get(input.messageId);
    if (row !== undefined && counts !== undefined && counts.length > 0)
      messages.put({ ...row, counted: writeCounted(countedByNotice(input)) });
    return counts !== undefined;
  });
  await Promise.all([limits.save(), messages.save()]);
  return outputs;
});
