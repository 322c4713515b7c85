// The links that undo a change of a number: written with the notices of the change, and ended when the user changes back.

import { withoutUndo } from '../../../../auth/identity/phone-change.ts';
import { type NoticeTarget, noticeLinkKinds, type SentNotice } from '../../../../auth/notices/notice.ts';
import {
  chooseOutdatedByReturn,
  type NoticeLinkRecord,
  type NoticeLinkState,
  noticeLinkStates,
} from '../../../../auth/notices/notice-link.ts';
import type { UserId } from '../../../../kernel/ids.ts';
import type { PhoneNumber } from '../../../../kernel/recipient.ts';
import { findWord } from '../../../../kernel/text/closed-list.ts';
import { listBy, openRows } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import type { Transaction } from '../../../engine/transaction.ts';
import { newLink } from './notices.ts';

type UndoLinks = {
  /** The notices of a change to `phone`, as they are sent: after a change back, their links undo nothing. */
  tell(userId: UserId, phone: PhoneNumber, notices: readonly SentNotice[], now: number): SentNotice[];
  save(): Promise<void>;
};

/** Their users are locked, so no link is added meanwhile. The changes of a batch see each other's links. */
export async function openUndoLinks(transaction: Transaction, userIds: Iterable<string>): Promise<UndoLinks> {
  const found = await listBy(transaction, 'notice_links', 'user_id', userIds);
  const tokens = found.filter((row) => toTarget(row)?.kind === 'undo-phone').map((row) => row.token_hash);
  const rows = await openRows(transaction, 'notice_links', 'token_hash', tokens);
  const known = [...tokens];
  return {
    tell: (userId, phone, notices, now) => {
      const own = known.flatMap((token) => rows.get(token) ?? []).filter((row) => row.user_id === userId);
      const links = own.map((row) => ({ ...toLink(row), row }));
      const outdated = chooseOutdatedByReturn(phone, links, now);
      for (const { row } of outdated ?? []) rows.put({ ...row, state: 'consumed' satisfies NoticeLinkState });
      const sent = outdated === undefined ? [...notices] : notices.map(withoutUndo);
      for (const row of sent.flatMap(newLink)) {
        rows.put(row);
        known.push(row.token_hash);
      }
      return sent;
    },
    save: () => rows.save(),
  };
}

export function toLink(row: Row<'notice_links'>): NoticeLinkRecord {
  return {
    state: findWord(noticeLinkStates, row.state),
    target: toTarget(row),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export function toTarget({ kind, phone }: Row<'notice_links'>): NoticeTarget | undefined {
  const known = findWord(noticeLinkKinds, kind);
  if (known === undefined) return undefined;
  return known === 'undo-phone' ? { kind: known, phone: phone ?? undefined } : { kind: known };
}
