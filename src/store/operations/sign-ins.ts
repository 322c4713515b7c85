// The commits that judge a code or a link and turn it into a session.

import { countUse, type UseSlot, useId } from '../../abuse/sms-brake.ts';
import type { LinkSignIn, LinkSignInOutcome, PhoneSignIn, PhoneSignInOutcome } from '../../auth/sign-in.ts';
import { maskPhone } from '../../kernel/mask.ts';
import { listBy, openRows, type RowSet } from '../engine/rows.ts';
import type { Row } from '../engine/schema.ts';
import { operation, type Transaction } from '../engine/transaction.ts';
import { failedAttempt, openAttempts, tryCode } from './attempts.ts';
import { type DatedEvent, writeAudit } from './audit.ts';
import { type LimitRows, openLimits } from './limit-rows.ts';
import { endOtherLinks } from './links.ts';
import { beginSessions, type NewSession } from './session-rows.ts';

export const signInWithPhone = operation(
  async (transaction, inputs: readonly PhoneSignIn[]): Promise<PhoneSignInOutcome[]> => {
    const attempts = inputs.map((input) => input.attempt);
    const [challenges, failures] = await openAttempts(transaction, attempts);
    const tried = inputs.map((input) => ({ input, outcome: tryCode(input.attempt, challenges, failures) }));
    // Nobody is looked up for a code that proves nothing: it takes the same time whoever is known.
    const proved = tried.filter(({ outcome }) => outcome.kind === 'proved').map(({ input }) => input);
    const [uses, users] = await Promise.all([
      openLimits(
        transaction,
        proved.map((input) => (input.countsUse ? useId(input.country) : undefined)),
      ),
      openRows(
        transaction,
        'users',
        'phone',
        proved.map((input) => input.phone),
      ),
    ]);
    const begun = collectNewSessions();
    const outcomes = tried.map(({ input, outcome }): PhoneSignInOutcome => {
      if (outcome.kind !== 'proved') {
        begun.events.push(...failedAttempt(input.attempt, outcome, { detail: { ip: input.session.ip } }));
        return outcome;
      }
      if (input.countsUse) countUsedCode(input, challenges.get(input.attempt.slot)?.opened_at ?? 0, uses);
      const known = users.get(input.phone);
      if (known === undefined && !input.isSignupOpen) return refused(begun.events, input, 'closed');
      if (known !== undefined && known.blocked_at !== null) return refused(begun.events, input, 'blocked', known.id);
      const user = known ?? addUser(input, users, begun.events);
      return begun.add(user.id, input, known === undefined);
    });
    await Promise.all([challenges.save(), failures.save(), uses.save(), users.save()]);
    await begun.save(transaction);
    return outcomes;
  },
);

export const signInWithLink = operation(
  async (transaction, inputs: readonly LinkSignIn[]): Promise<LinkSignInOutcome[]> => {
    const tokens = inputs.map((input) => input.tokenHash);
    const found = await listBy(transaction, 'login_links', 'token_hash', tokens);
    // The user is locked before the links, as wherever links are ended: two links of one user must not wait for each other.
    const [users, links] = await Promise.all([
      openRows(
        transaction,
        'users',
        'id',
        found.map((link) => link.user_id),
      ),
      openRows(transaction, 'login_links', 'token_hash', tokens),
    ]);
    const begun = collectNewSessions();
    const used: Row<'login_links'>[] = [];
    const outcomes = inputs.map((input): LinkSignInOutcome => {
      const link = links.get(input.tokenHash);
      const user = users.get(link?.user_id ?? null);
      if (link === undefined || link.state !== 'issued' || user === undefined || user.email_key !== link.email_key) {
        return { kind: 'lost' };
      }
      if (input.session.now >= link.expires_at) return { kind: 'expired' };
      if (used.some((other) => other.user_id === user.id)) return { kind: 'lost' };
      links.put({ ...link, state: 'consumed' });
      used.push(link);
      if (user.blocked_at !== null) return refused(begun.events, input, 'blocked', user.id);
      return begun.add(user.id, input, false);
    });
    await links.save();
    await endOtherLinks(transaction, used);
    await begun.save(transaction);
    return outcomes;
  },
);

type Signing = Pick<PhoneSignIn, 'session'>;

/** The sessions that a batch begins, and what is written down about them. */
function collectNewSessions() {
  const list: NewSession[] = [];
  const evicted: string[][] = [];
  const events: DatedEvent[] = [];
  return {
    events,
    add: (userId: string, { session }: Signing, isNewUser: boolean) => {
      const outcome = { kind: 'signed in' as const, userId, isNewUser, evicted: [] as string[] };
      list.push({ userId, draft: session });
      evicted.push(outcome.evicted);
      events.push({
        kind: 'login.succeeded',
        userId,
        detail: { method: session.method, session: session.id, ip: session.ip },
        now: session.now,
      });
      return outcome;
    },
    /** Fills in which sessions each sign-in evicted. */
    save: async (transaction: Transaction) => {
      const gone = await beginSessions(transaction, list);
      gone.forEach((ids, index) => {
        evicted[index]?.push(...ids);
      });
      await writeAudit(transaction, events);
    },
  };
}

function refused<Kind extends 'closed' | 'blocked'>(
  events: DatedEvent[],
  { session }: Signing,
  kind: Kind,
  userId?: string,
): { kind: Kind } {
  const detail = { reason: kind, method: session.method, ip: session.ip };
  events.push({ kind: 'login.refused', ...(userId !== undefined && { userId }), detail, now: session.now });
  return { kind };
}

function addUser(input: PhoneSignIn, users: RowSet<'users'>, events: DatedEvent[]): Row<'users'> {
  const now = input.session.now;
  const user = {
    id: input.newUserId,
    phone: input.phone,
    email: null,
    email_key: null,
    blocked_at: null,
    created_at: now,
  };
  users.put(user);
  events.push({ kind: 'user.created', userId: user.id, detail: { phone: maskPhone(input.phone) }, now });
  return user;
}

function countUsedCode(input: PhoneSignIn, openedAt: number, limits: LimitRows): void {
  const id = useId(input.country);
  const now = input.session.now;
  limits.put(id, countUse(limits.get<UseSlot[]>(id) ?? [], openedAt, now, { used: 1 }), now + 86_400_000);
}
