// The commits that judge a code or a link and turn it into a session.

import { countUsedCode, usageCounterId } from '../../../../abuse/sms-brake.ts';
import type { PhoneOwner } from '../../../../auth/identity/phone-change.ts';
import type { LinkState } from '../../../../auth/links/login-link.ts';
import type { SentNotice } from '../../../../auth/notices/notice.ts';
import { recordedUse } from '../../../../auth/sessions/last-use.ts';
import type { SessionId } from '../../../../auth/sessions/session-id.ts';
import {
  judgeLinkSignIn,
  judgePhoneSignIn,
  mayBeRecycled,
  newDeviceNotices,
  refusedSignInEvent,
  signedInEvent,
  signedUpEvent,
} from '../../../../auth/sign-in/judge-sign-in.ts';
import type {
  LinkSignIn,
  LinkSignInOutcome,
  PhoneSignIn,
  PhoneSignInOutcome,
  SignedIn,
} from '../../../../auth/sign-in/sign-in.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import type { PhoneNumber } from '../../../../kernel/recipient.ts';
import { listBy, openRows } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { operation, type Transaction } from '../../../engine/transaction.ts';
import { openLimits } from '../../abuse/limit-rows.ts';
import { writeAudit } from '../../audit.ts';
import { readJson } from '../../stored-json.ts';
import { countAttempt, failedAttempt, openAttempts } from '../codes/attempts.ts';
import { toPhoneOwner } from '../identity/phone-changes.ts';
import { cancelBySignIn } from '../identity/scheduled-phones.ts';
import { newUser } from '../identity/user-rows.ts';
import { endLinksOf, toLink, toLinkOwner, toTarget } from '../links/links.ts';
import { writeNotices } from '../notices/notices.ts';
import { findLastUses, toUseRecord, withSignIn } from '../sessions/last-uses.ts';
import { type NewSession, startSessions } from '../sessions/session-rows.ts';

export const signInWithPhone = operation(
  async (transaction, inputs: readonly PhoneSignIn[]): Promise<PhoneSignInOutcome[]> => {
    const [challenges, failures] = await openAttempts(
      transaction,
      inputs.map((input) => input.attempt),
    );
    const attempts = inputs.map((input) => {
      // Before the attempt: a later one of the batch may replace the challenge.
      const openedAt = challenges.get(input.attempt.slot)?.opened_at ?? 0;
      return { input, openedAt, outcome: countAttempt(input.attempt, challenges, failures) };
    });
    // No user is looked up for a code that proves nothing: it takes the same time for known and unknown numbers.
    const proved = attempts.filter(({ outcome }) => outcome.kind === 'proved').map(({ input }) => input);
    const [uses, users] = await Promise.all([
      openLimits(
        transaction,
        proved.map((input) => (input.countsUse ? usageCounterId(input.country) : undefined)),
      ),
      openRows(
        transaction,
        'users',
        'phone',
        proved.map((input) => input.phone),
      ),
    ]);
    const lastUses = await findRareUses(transaction, proved, users.get);
    const newSessions = collectNewSessions();
    const { events } = newSessions;
    const outcomes = attempts.map(({ input, openedAt, outcome }): PhoneSignInOutcome => {
      const { phone, session, isSignupOpen } = input;
      if (outcome.kind !== 'proved') {
        events.push(...failedAttempt(input.attempt, outcome, { detail: { ip: session.ip } }));
        return outcome;
      }
      if (input.countsUse) uses.putAll([countUsedCode(input.country, uses.get, openedAt, session.now)]);
      const known = users.get(phone);
      const owner = known && toAccount(known, lastUses.get(known.id));
      const { recycledSeconds } = input;
      const verdict = judgePhoneSignIn({ known: owner, isSignupOpen, recycledSeconds, now: session.now });
      if (verdict === 'closed' || verdict === 'blocked') {
        events.push(refusedSignInEvent(session, verdict, known?.id));
        return { kind: verdict };
      }
      if (verdict === 'needs proof' && owner !== undefined) {
        events.push(refusedSignInEvent(session, verdict, owner.userId));
        return { kind: verdict, userId: owner.userId, lastUse: owner.lastUse };
      }
      const isNewUser = verdict === 'sign up';
      const userId = known?.id ?? input.newUserId;
      if (isNewUser) {
        users.put(newUser(userId, phone, session.now));
        events.push(signedUpEvent(userId, phone, session.now));
      }
      const signedIn = newSessions.add({ id: userId, phone, email: known?.email ?? undefined }, input, known?.claims);
      lastUses.set(userId, session.now);
      if (known === undefined) return signedIn;
      const seen = withSignIn(known, session.now);
      const cancelled = cancelBySignIn(seen, input.device?.notice, session);
      users.put(cancelled?.row ?? seen);
      if (cancelled === undefined) return signedIn;
      newSessions.notices.push(...cancelled.notices);
      events.push(cancelled.event);
      return { ...signedIn, hasCancelled: true };
    });
    await Promise.all([challenges.save(), failures.save(), uses.save(), users.save()]);
    await newSessions.save(transaction);
    return outcomes;
  },
);

export const signInWithLink = operation(
  async (transaction, inputs: readonly LinkSignIn[]): Promise<LinkSignInOutcome[]> => {
    const tokens = inputs.map((input) => input.tokenHash);
    const found = await listBy(transaction, 'login_links', 'token_hash', tokens);
    // Users are locked before links, as wherever links are ended: two links of one user must not wait for each other.
    const [users, links] = await Promise.all([
      openRows(
        transaction,
        'users',
        'id',
        found.map((link) => link.user_id),
      ),
      openRows(transaction, 'login_links', 'token_hash', tokens),
    ]);
    const newSessions = collectNewSessions();
    const used: Row<'login_links'>[] = [];
    const outcomes = inputs.map((input): LinkSignInOutcome => {
      const { tokenHash, session } = input;
      const link = links.get(tokenHash);
      const user = users.get(link?.user_id ?? null);
      const verdict = judgeLinkSignIn({
        link: link && toLink(link),
        user: user && { ...toLinkOwner(user), isBlocked: isBlocked(user) },
        hasUsedLink: used.some((other) => other.user_id === user?.id),
        now: session.now,
      });
      if (verdict === 'lost' || verdict === 'expired') return { kind: verdict };
      if (link === undefined || user === undefined) return { kind: 'lost' };
      links.put({ ...link, state: 'consumed' satisfies LinkState });
      used.push(link);
      if (verdict === 'sign in') {
        users.put(withSignIn(user, session.now));
        return { ...newSessions.add(toPhoneOwner(user), input, user.claims), ...toTarget(link) };
      }
      newSessions.events.push(refusedSignInEvent(session, verdict, user.id));
      return { kind: verdict };
    });
    await Promise.all([users.save(), links.save()]);
    await endLinksOf(transaction, used);
    await newSessions.save(transaction);
    return outcomes;
  },
);

/** The last use of accounts whose record is old. Their sessions are read only then, so almost never. */
async function findRareUses(
  transaction: Transaction,
  inputs: readonly PhoneSignIn[],
  find: (phone: PhoneNumber) => Row<'users'> | undefined,
): Promise<Map<string, number>> {
  const unused = inputs.flatMap(({ phone, recycledSeconds, session: { now } }) => {
    const row = find(phone);
    return row !== undefined && mayBeRecycled(toAccount(row, undefined), { recycledSeconds, now }) ? [row] : [];
  });
  return findLastUses(transaction, unused);
}

/** `lastUse`: where the sessions of the user were read too. */
function toAccount(row: Row<'users'>, lastUse: number | undefined) {
  return {
    userId: row.id,
    isBlocked: isBlocked(row),
    hasEmail: row.email !== null,
    lastUse: Math.max(recordedUse(toUseRecord(row)), lastUse ?? 0),
  };
}

/** The sessions that a batch starts, and the events of its sign-ins. */
export function collectNewSessions() {
  const list: NewSession[] = [];
  const evicted: SessionId[][] = [];
  const events: DatedEvent[] = [];
  const notices: SentNotice[] = [];
  return {
    events,
    notices,
    add: (
      user: PhoneOwner,
      { session: draft, device }: Pick<PhoneSignIn, 'session' | 'device'>,
      /** As they are stored. Undefined for a new user. */
      claims: string | null | undefined,
    ): SignedIn => {
      const ids: SessionId[] = [];
      list.push({ userId: user.id, draft, isOfNewUser: claims === undefined });
      evicted.push(ids);
      events.push(signedInEvent(draft, user.id, device));
      const deviceNotices = newDeviceNotices(user, device);
      notices.push(...deviceNotices);
      const hasNotice = deviceNotices.length > 0;
      const person = { userId: user.id, phone: user.phone, claims: readJson(claims ?? null) };
      return { kind: 'signed in', ...person, isNewUser: claims === undefined, hasNotice, evicted: ids };
    },
    /** Fills in which sessions each sign-in evicted. */
    save: async (transaction: Transaction) => {
      const gone = await startSessions(transaction, list);
      gone.forEach((ids, index) => {
        evicted[index]?.push(...ids);
      });
      await writeNotices(transaction, notices);
      await writeAudit(transaction, events);
    },
  };
}

export function isBlocked(user: Row<'users'>): boolean {
  return user.blocked_at !== null;
}
