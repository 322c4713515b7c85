// The commits that judge a code or a link and turn it into a session.

import { countUsedCode, usageCounterId } from '../../abuse/sms-brake.ts';
import {
  judgeLinkSignIn,
  judgePhoneSignIn,
  refusedSignInEvent,
  signedInEvent,
  signedUpEvent,
} from '../../auth/judge-sign-in.ts';
import type { LinkState } from '../../auth/login-link.ts';
import type { SessionDraft } from '../../auth/session.ts';
import type { LinkSignIn, LinkSignInOutcome, PhoneSignIn, PhoneSignInOutcome, SignedIn } from '../../auth/sign-in.ts';
import type { DatedEvent } from '../../kernel/audit.ts';
import { listBy, openRows } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { operation, type Transaction } from '../engine/transaction.ts';
import { countAttempt, failedAttempt, openAttempts } from './attempts.ts';
import { writeAudit } from './audit.ts';
import { openLimits } from './limit-rows.ts';
import { endOtherLinks, toLink, toLinkOwner } from './links.ts';
import { type NewSession, startSessions } from './session-rows.ts';

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
      const verdict = judgePhoneSignIn({ known: known && { isBlocked: isBlocked(known) }, isSignupOpen });
      if (verdict === 'closed' || verdict === 'blocked') {
        events.push(refusedSignInEvent(session, verdict, known?.id));
        return { kind: verdict };
      }
      const isNewUser = verdict === 'sign up';
      const userId = known?.id ?? input.newUserId;
      if (isNewUser) {
        users.put(newUser(input));
        events.push(signedUpEvent(userId, phone, session.now));
      }
      return newSessions.add(userId, session, isNewUser);
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
    const outcomes = inputs.map(({ tokenHash, session }): LinkSignInOutcome => {
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
      if (verdict === 'sign in') return newSessions.add(user.id, session, false);
      newSessions.events.push(refusedSignInEvent(session, verdict, user.id));
      return { kind: verdict };
    });
    await links.save();
    await endOtherLinks(transaction, used);
    await newSessions.save(transaction);
    return outcomes;
  },
);

/** The sessions that a batch starts, and the events of its sign-ins. */
function collectNewSessions() {
  const list: NewSession[] = [];
  const evicted: string[][] = [];
  const events: DatedEvent[] = [];
  return {
    events,
    add: (userId: string, draft: SessionDraft, isNewUser: boolean): SignedIn => {
      const ids: string[] = [];
      list.push({ userId, draft });
      evicted.push(ids);
      events.push(signedInEvent(draft, userId));
      return { kind: 'signed in', userId, isNewUser, evicted: ids };
    },
    /** Fills in which sessions each sign-in evicted. */
    save: async (transaction: Transaction) => {
      const gone = await startSessions(transaction, list);
      gone.forEach((ids, index) => {
        evicted[index]?.push(...ids);
      });
      await writeAudit(transaction, events);
    },
  };
}

function isBlocked(user: Row<'users'>): boolean {
  return user.blocked_at !== null;
}

function newUser({ newUserId, phone, session }: PhoneSignIn): Row<'users'> {
  return { id: newUserId, phone, email: null, email_key: null, blocked_at: null, created_at: session.now };
}
