// The life of a phone number, in the model: changed at once or after a wait, undone, and claimed by its new holder.
import assert from 'node:assert/strict';
import { accountView } from '../../../src/auth/directory/user-views.ts';
import { makeUser } from '../../helpers/people/user.ts';
import type { Said } from '../../helpers/services/quick-service.ts';
import { day, type Guesser, type Subject, second, type Verdict } from './codes.ts';
import {
  addDevice,
  askFor,
  begin,
  type Expected,
  endLinks,
  isDeviceOf,
  noticeTo,
  type Outcome,
  ownerOfPhone,
  phoneNotices,
  refused,
  type User,
  userOf,
  type World,
} from './identity.ts';
import type { ModelSession } from './sessions.ts';

/** Short, so that an account is unused for so long more often. */
const recycledAfter = 20 * day;
/** Longer than the link of a notice works otherwise. */
export const changeWait = 4 * day;

export const phoneSettings = { PHONE_RECYCLED_AFTER: '20d', PHONE_RECOVERY_WAIT: '96h' };

export function changeSubject({ userId }: Pick<ModelSession, 'userId'>, phone: string): Subject {
  return { purpose: 'phone-change', recipient: phone, userId };
}

/** Every number gets the code, whoever has it. */
export function sendChange(world: World, session: ModelSession, phone: string): Outcome {
  const verdict = world.sessions.useRecently(session);
  return verdict === '200' ? askFor(world, changeSubject(session, phone)) : refused(verdict);
}

export function changePhone(
  world: World,
  session: ModelSession,
  { phone, isRight, guesser }: { phone: string; isRight: boolean; guesser: Guesser },
): Outcome {
  const allowed = world.sessions.useRecently(session);
  if (allowed !== '200') return refused(allowed);
  const verdict = world.codes.guess(changeSubject(session, phone), isRight, guesser);
  if (verdict !== '200') return refused(verdict);
  const user = userOf(world, session);
  const owner = ownerOfPhone(world, phone);
  if (owner !== undefined && owner !== user) return refused('409 PHONE_TAKEN');
  const accept = showsAccount(user, phone);
  if (owner === user) return { verdict, accept };
  if (session.proof !== 'sms' && user.phone !== undefined) return schedule(world, user, phone);
  const messages = changeNotices(world, user, phone);
  Object.assign(user, { phone, next: undefined });
  world.sessions.end(world.sessions.aliveOf(user.id).filter((other) => other !== session));
  const isKnown = isDeviceOf(user, guesser.device, world.now());
  const acceptDevice = (said: Said) => {
    accept(said);
    if (isKnown) addDevice(world, user, said);
  };
  return { verdict, accept: acceptDevice, messages };
}

/** Three in 24 hours. The code is used up. */
function schedule(world: World, user: User, phone: string): Outcome {
  const recent = (world.schedules.get(user.id) ?? []).filter((at) => at > world.now() - day);
  if (recent.length >= 3) return refused('429 RATE_LIMITED');
  world.schedules.set(user.id, [...recent, world.now()]);
  user.next = { phone, at: world.now() + changeWait };
  const data = { phone, effectiveAt: new Date(user.next.at).toISOString() };
  const messages = phoneNotices(world, user, 'scheduled');
  return { verdict: '202', accept: (said) => assert.deepEqual(said.data, data), messages };
}

export function showsAccount({ id, email }: User, phone?: string): NonNullable<Outcome['accept']> {
  const shown = { ...accountView(makeUser()), id, phone: phone ?? null, email: email ?? null };
  return ({ data }) => assert.deepEqual(data, { ...shown, createdAt: data.createdAt });
}

export function showChange(world: World, session: ModelSession): Outcome {
  const verdict = world.sessions.use(session);
  if (verdict !== '200') return refused(verdict);
  const { next } = userOf(world, session);
  const data = next === undefined ? null : { phone: next.phone, effectiveAt: new Date(next.at).toISOString() };
  return { verdict, accept: (said) => assert.deepEqual(said.data, data) };
}

export function cancelChange(world: World, session: ModelSession): Outcome {
  const verdict = world.sessions.use(session);
  if (verdict !== '200') return refused(verdict);
  const user = userOf(world, session);
  const messages = user.next === undefined ? [] : phoneNotices(world, user, 'cancelled');
  user.next = undefined;
  return { verdict, messages };
}

/** The users whose scheduled change is due, in the order in which they take effect. */
export function dueUsers({ users, now }: World): User[] {
  const due = [...users.values()].flatMap((user) =>
    user.next !== undefined && user.next.at <= now() ? [{ user, at: user.next.at }] : [],
  );
  return due.sort((a, b) => a.at - b.at || (a.user.id < b.user.id ? -1 : 1)).map(({ user }) => user);
}

/** A number that another user has by now is announced to the address only. */
export function takeEffect(world: World): Expected[] {
  return dueUsers(world).flatMap((user) => {
    const phone = user.next?.phone ?? assert.fail('nothing is scheduled');
    user.next = undefined;
    const owner = ownerOfPhone(world, phone);
    if (owner !== undefined && owner !== user)
      return user.email === undefined ? [] : [noticeTo(world, user, user.email)];
    const messages = changeNotices(world, user, phone);
    user.phone = phone;
    world.sessions.revokeAll(user.id);
    return messages;
  });
}

/** A change back to a number that an open link restores has no undo, and ends those of the changes since. */
function changeNotices(world: World, user: User, phone: string): Expected[] {
  const now = world.now();
  const open = (user.undos ?? []).filter(({ createdAt }) => now < createdAt + 3 * day);
  const since = open.find((undo) => undo.phone === phone)?.createdAt;
  if (since === undefined) {
    user.undos = [...open, { phone: user.phone, createdAt: now }];
    return phoneNotices(world, user, 'changed', { phone: user.phone });
  }
  const isOutdated = (undo: { readonly phone: string | undefined } | undefined, createdAt: number) =>
    undo !== undefined && undo.phone !== phone && createdAt >= since;
  user.undos = open.filter((undo) => !isOutdated(undo, undo.createdAt));
  for (const notice of world.notices)
    if (notice.userId === user.id && isOutdated(notice.undo, notice.createdAt)) notice.isOpen = false;
  return phoneNotices(world, user, 'changed');
}

/** Every link ends all sessions and cancels what is scheduled. Undoing one change ends the links that undo later ones. */
export function reportNotMe(world: World, token: string): Outcome {
  const notice = world.notices.find((one) => one.token === token);
  const user = world.users.get(notice?.userId ?? '');
  if (notice === undefined || !notice.isOpen || user === undefined) return refused('400 LINK_INVALID');
  const { undo, createdAt, expiresAt } = notice;
  if (world.now() >= expiresAt) return refused('410 LINK_EXPIRED');
  world.sessions.revokeAll(user.id);
  endLinks(world, ({ userId }) => userId === user.id);
  const { next } = user;
  user.next = undefined;
  const tell = (verdict: Verdict): Outcome => ({
    verdict,
    messages: next === undefined ? [] : phoneNotices(world, user, 'cancelled'),
  });
  const owner = undo?.phone === undefined ? undefined : ownerOfPhone(world, undo.phone);
  if (owner !== undefined && owner !== user) return tell('409 PHONE_TAKEN');
  notice.isOpen = false;
  if (undo === undefined) return tell('200');
  const isLater = (one: typeof notice) =>
    one.userId === user.id && one.undo !== undefined && one.createdAt >= createdAt;
  for (const other of world.notices) if (isLater(other)) other.isOpen = false;
  user.undos = (user.undos ?? []).filter((other) => other.createdAt < createdAt);
  // Without a number, the address must be left as a way in.
  if (undo.phone !== undefined || user.email !== undefined) user.phone = undo.phone;
  return tell('200');
}

function lastUse({ sessions }: World, user: User): number {
  return Math.max(
    user.createdAt,
    ...sessions.list.filter(({ userId }) => userId === user.id).map(({ lastUsedAt }) => lastUsedAt),
  );
}

export function mayBeRecycled(world: World, user: User): boolean {
  return user.email !== undefined && world.now() - lastUse(world, user) > recycledAfter;
}

/** The right code of a number whose account was unused for long. */
export function needsProof(world: World, user: User, phone: string): Outcome {
  const ticket = { userId: user.id, phone, lastUse: lastUse(world, user), endsAt: world.now() + 600 * second };
  const accept: Outcome['accept'] = ({ headers }) => {
    world.tickets.push({ ...ticket, token: String(headers['proof-ticket']) });
  };
  return { verdict: '409 PHONE_NEEDS_PROOF', accept };
}

export function claim(world: World, token: string): Outcome {
  const ticket = world.tickets.find((one) => one.token === token) ?? assert.fail('no such ticket');
  const user = world.users.get(ticket.userId);
  const isValid = world.now() < ticket.endsAt && user?.phone === ticket.phone && user.email !== undefined;
  if (!isValid || lastUse(world, user) > ticket.lastUse) return refused('400 PROOF_TICKET_INVALID');
  user.phone = undefined;
  const messages = [noticeTo(world, user, user.email ?? '')];
  return { verdict: '200', accept: begin(world, undefined, 'sms', ticket.phone), messages };
}
