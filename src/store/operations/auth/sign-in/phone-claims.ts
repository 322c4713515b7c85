// The commit in which an account that was unused for long loses its number, and the holder of the number becomes a new user.

import type { SentNotice } from '../../../../auth/notices/notice.ts';
import { refusedSignInEvent, signedUpEvent } from '../../../../auth/sign-in/judge-sign-in.ts';
import { type ClaimedAccount, judgeClaim, lostEvent, lostNotice } from '../../../../auth/sign-in/phone-claim.ts';
import type { PhoneClaim, PhoneClaimOutcome } from '../../../../auth/sign-in/sign-in.ts';
import { insert, openRows } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { operation } from '../../../engine/transaction.ts';
import { newUser } from '../identity/user-rows.ts';
import { writeNotices } from '../notices/notices.ts';
import { findLastUses } from '../sessions/last-uses.ts';
import { collectNewSessions, isBlocked } from './sign-ins.ts';

export const claimPhone = operation(
  async (transaction, inputs: readonly PhoneClaim[]): Promise<PhoneClaimOutcome[]> => {
    const ids = inputs.map(({ ticket }) => ticket.userId);
    const users = await openRows(transaction, 'users', 'id', ids);
    const lastUses = await findLastUses(
      transaction,
      [...new Set(ids)].flatMap((id) => users.get(id) ?? []),
    );
    const newSessions = collectNewSessions();
    const { events } = newSessions;
    const notices: SentNotice[] = [];
    const added: Row<'users'>[] = [];
    const outcomes = inputs.map((input): PhoneClaimOutcome => {
      const { ticket, newUserId, session } = input;
      const row = users.get(ticket.userId);
      const verdict = judgeClaim(row && toAccount(row, lastUses.get(row.id) ?? 0), input);
      if (row === undefined || row.email === null || verdict === 'lost') return { kind: 'lost' };
      if (verdict !== 'claimed') {
        events.push(refusedSignInEvent(session, verdict, row.id));
        return { kind: verdict };
      }
      const { phone } = ticket;
      users.put({ ...row, phone: null });
      added.push(newUser(newUserId, phone, session.now));
      notices.push(lostNotice(input, row.email));
      events.push(lostEvent(input), signedUpEvent(newUserId, phone, session.now));
      return newSessions.add({ id: newUserId, phone, email: undefined }, input, undefined);
    });
    // The number is unique, so it must be free before the new user gets it. Whoever else wants it waits for the locked row.
    await users.save();
    await insert(transaction, 'users', added);
    await writeNotices(transaction, notices);
    await newSessions.save(transaction);
    return outcomes;
  },
);

function toAccount(row: Row<'users'>, lastUse: number): ClaimedAccount {
  return { phone: row.phone ?? undefined, email: row.email ?? undefined, isBlocked: isBlocked(row), lastUse };
}
