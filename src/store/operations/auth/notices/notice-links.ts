// Redeeming the link of a notice: all sessions end, a scheduled change of the number is cancelled, and a change of it is undone.

import { judgeUndo, phoneCancelledEvent, phoneChangedEvent } from '../../../../auth/identity/phone-change.ts';
import { cancelledNotices } from '../../../../auth/identity/scheduled-phone.ts';
import type { NoticeTarget, SentNotice } from '../../../../auth/notices/notice.ts';
import {
  chooseOutdated,
  judgeNoticeLink,
  type NoticeLinkState,
  type NotMe,
  type NotMeOutcome,
  notMeEnd,
  notMeEvents,
} from '../../../../auth/notices/notice-link.ts';
import type { SessionEnd } from '../../../../auth/sessions/session.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import type { UserId } from '../../../../kernel/ids.ts';
import { listBy, openRows } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { operation } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';
import { type OwnedRows, openOwned } from '../identity/owned-values.ts';
import { toPhoneOwner } from '../identity/phone-changes.ts';
import { noScheduledPhone } from '../identity/user-rows.ts';
import { endSessionsOfUsers } from '../identity/users.ts';
import { endLinksOf } from '../links/links.ts';
import { writeNotices } from './notices.ts';
import { toLink, toTarget } from './undo-links.ts';

/** What a valid link does. `eventsOf`: what is audited, once the number of ended sessions is known. */
type Redeemed = {
  readonly kind: 'ended' | 'taken';
  readonly userId: UserId;
  readonly isFirst: boolean;
  readonly hasCancelled: boolean;
  readonly notices: readonly SentNotice[];
  readonly eventsOf: (sessions: number) => DatedEvent[];
};

export const redeemNotice = operation(async (transaction, inputs: readonly NotMe[]): Promise<NotMeOutcome[]> => {
  const tokens = inputs.map((input) => input.tokenHash);
  const found = await listBy(transaction, 'notice_links', 'token_hash', tokens);
  const wanted = found.map(({ user_id, phone }) => ({ userId: user_id, value: phone }));
  const users = await openOwned(transaction, 'phone', wanted);
  // Read after their users are locked: no link is added any more.
  const undoing = found.filter((link) => toTarget(link)?.kind === 'undo-phone');
  const others = await listBy(
    transaction,
    'notice_links',
    'user_id',
    undoing.map((link) => link.user_id),
  );
  const links = await openRows(transaction, 'notice_links', 'token_hash', [
    ...tokens,
    ...others.map((link) => link.token_hash),
  ]);
  // By user: of two links of one user, the first ends the sessions and the second finds none.
  const endings = new Map<string, { user_id: UserId; ended_at: number; end_reason: SessionEnd }>();
  const verdicts = inputs.map((input): Redeemed | 'lost' | 'expired' => {
    const { tokenHash, now } = input;
    const link = links.get(tokenHash);
    const user = users.get(link?.user_id ?? null);
    const verdict = judgeNoticeLink(link && toLink(link), user !== undefined, now);
    if (link === undefined || user === undefined || verdict !== 'valid')
      return verdict === 'expired' ? verdict : 'lost';
    const undo = applyLink(users, user, toTarget(link), input);
    if (!undo.isTaken) {
      const ofUser = others.filter((other) => other.user_id === user.id).map((other) => links.get(other.token_hash));
      const open = ofUser.flatMap((other) => (other === undefined ? [] : [{ ...toLink(other), row: other }]));
      for (const { row } of [...chooseOutdated(toLink(link), open), { row: link }])
        links.put({ ...row, state: 'consumed' satisfies NoticeLinkState });
    }
    const isFirst = !endings.has(user.id);
    if (isFirst) endings.set(user.id, { user_id: user.id, ended_at: now, end_reason: notMeEnd });
    const eventsOf = (sessions: number) => [
      ...notMeEvents({ userId: user.id, sessions, isUsedUp: !undo.isTaken, now }),
      ...undo.eventsOf(sessions),
    ];
    return {
      kind: undo.isTaken ? 'taken' : 'ended',
      userId: user.id,
      isFirst,
      hasCancelled: undo.hasCancelled,
      notices: undo.notices,
      eventsOf,
    };
  });
  const rows = [...endings.values()];
  await users.save();
  await links.save();
  await endLinksOf(transaction, rows);
  const ended = rows.length === 0 ? [] : await transaction.all(endSessionsOfUsers, { rows });
  const events: DatedEvent[] = [];
  const outcomes = verdicts.map((verdict): NotMeOutcome => {
    if (typeof verdict === 'string') return { kind: verdict };
    const own = verdict.isFirst ? ended.filter((session) => session.user_id === verdict.userId) : [];
    events.push(...verdict.eventsOf(own.length));
    const sessionIds = own.map(({ id }) => id);
    return { kind: verdict.kind, sessionIds, ...(verdict.hasCancelled && { hasCancelled: true as const }) };
  });
  await writeNotices(
    transaction,
    verdicts.flatMap((verdict) => (typeof verdict === 'string' ? [] : verdict.notices)),
  );
  await writeAudit(transaction, events);
  return outcomes;
});

/** Puts what the link changes of its user into the open rows. */
function applyLink(
  users: OwnedRows,
  row: Row<'users'>,
  target: NoticeTarget | undefined,
  { cancelled, now }: Pick<NotMe, 'cancelled' | 'now'>,
) {
  const user = toPhoneOwner(row);
  const old = target?.kind === 'undo-phone' ? target.phone : user.phone;
  const verdict = judgeUndo({ user, owner: users.ownerOf(old ?? null) }, old);
  const isRestored = verdict === 'restored';
  const next = row.next_phone;
  if (isRestored || next !== null)
    users.put({ ...row, ...noScheduledPhone, phone: isRestored ? (old ?? null) : row.phone });
  const eventsOf = (sessions: number): DatedEvent[] => [
    ...(isRestored ? [phoneChangedEvent(user, { phone: old, how: 'undo', sessions, now })] : []),
    ...(next === null ? [] : [phoneCancelledEvent(row.id, next, { how: 'link' }, now)]),
  ];
  // Whoever used the link may be a thief with the old phone, or with the mailbox.
  const owner = isRestored ? { ...user, phone: old } : user;
  const notices = next === null || cancelled === undefined ? [] : cancelledNotices(cancelled, owner, next);
  return { isTaken: verdict === 'taken', hasCancelled: next !== null, notices, eventsOf };
}
