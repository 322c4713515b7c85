// The calls that prove a user or change the e-mail address, in the model, and the end of an account.
import assert from 'node:assert/strict';
import { type Ask, type Guesser, isAskedFor, type Subject, second } from './codes.ts';
import {
  askFor,
  claimsOf,
  endLinks,
  noticeTo,
  type Outcome,
  ownerOfEmail,
  refused,
  textTo,
  type User,
  userOf,
  type World,
} from './identity.ts';
import type { ModelSession } from './sessions.ts';

/** The subjects of the codes that can prove a user. */
export function proofSubjects({ id: userId, phone, email }: User): Subject[] {
  const sms = phone === undefined ? [] : [{ purpose: 'proof-phone' as const, recipient: phone, userId }];
  const mail = email === undefined ? [] : [{ purpose: 'proof-email' as const, recipient: email, userId }];
  return [...sms, ...mail];
}

export function sendProof(world: World, session: ModelSession, via: 'phone' | 'email'): Outcome {
  const verdict = world.sessions.use(session);
  if (verdict !== '200') return refused(verdict);
  const wanted = `proof-${via}`;
  const subject = proofSubjects(userOf(world, session)).find(({ purpose }) => purpose === wanted);
  return subject === undefined ? refused('400 REQUEST_INVALID') : askFor(world, subject);
}

/** The code that an attempt is compared with: of the channel that the client asked for, or else the one that was sent last. */
export function provedSubject(world: World, session: ModelSession, ask: Ask | undefined): Subject | undefined {
  const user = world.users.get(session.userId);
  const subjects = user === undefined ? [] : proofSubjects(user);
  const asked = subjects.find((subject) => isAskedFor(subject, ask, world.now()));
  return asked ?? subjects.toSorted((a, b) => world.codes.sentAt(b) - world.codes.sentAt(a))[0];
}

export function prove(
  world: World,
  session: ModelSession,
  { isRight, guesser, back }: { isRight: boolean; guesser: Guesser; back: number },
): Outcome {
  const { sessions, codes, now } = world;
  const allowed = sessions.use(session);
  if (allowed !== '200') return refused(allowed);
  const subject = provedSubject(world, session, guesser.ask) ?? assert.fail('nothing can prove this user');
  const presented = sessions.present(session, back);
  if (presented !== '200') return refused(presented);
  const verdict = codes.guess(subject, isRight, guesser);
  if (verdict !== '200') return refused(verdict);
  const proof = subject.purpose === 'proof-phone' ? 'sms' : 'email';
  return {
    verdict,
    accept: ({ data }) => {
      Object.assign(session, { provedAt: now(), proof });
      sessions.renew(session, back, data);
      const { auth_time, amr } = claimsOf(data.JWT);
      assert.deepEqual({ auth_time, amr }, { auth_time: Math.floor(now() / second), amr: ['otp', proof] });
    },
  };
}

/** Taken and own addresses get no message. */
export function sendBinding(world: World, session: ModelSession, email: string): Outcome {
  const verdict = world.sessions.use(session);
  if (verdict !== '200') return refused(verdict);
  const user = userOf(world, session);
  if (user.email !== undefined && !world.sessions.isRecent(session)) return refused('403 RECENT_SIGN_IN_REQUIRED');
  return askFor(world, bindingSubject(user, email), ownerOfEmail(world, email) !== undefined);
}

export function bindingSubject({ id: userId }: Pick<User, 'id'>, email: string): Subject {
  return { purpose: 'email-binding', recipient: email, userId };
}

export function bind(
  world: World,
  session: ModelSession,
  { email, isRight, ask }: { email: string; isRight: boolean; ask: Ask | undefined },
): Outcome {
  const allowed = world.sessions.use(session);
  if (allowed !== '200') return refused(allowed);
  const user = userOf(world, session);
  if (user.email === email) return refused('200');
  if (user.email !== undefined && !world.sessions.isRecent(session)) return refused('403 RECENT_SIGN_IN_REQUIRED');
  const verdict = world.codes.guess(bindingSubject(user, email), isRight, { ask });
  if (verdict !== '200') return refused(verdict);
  if (ownerOfEmail(world, email) !== undefined) return refused('409 EMAIL_TAKEN');
  const old = user.email;
  endLinks(world, (link) => link.userId === user.id && link.email === old);
  user.email = email;
  const toOld = old === undefined ? [] : [noticeTo(world, user, old)];
  return { verdict, messages: [...toOld, noticeTo(world, user, email), ...textTo(world, user)] };
}

export function removeEmail(world: World, session: ModelSession): Outcome {
  const verdict = world.sessions.useRecently(session);
  if (verdict !== '200') return refused(verdict);
  const user = userOf(world, session);
  const { email } = user;
  if (email === undefined) return refused('200');
  if (user.phone === undefined) return refused('409 LAST_WAY_IN');
  endLinks(world, (link) => link.userId === user.id && link.email === email);
  user.email = undefined;
  return { verdict, messages: [noticeTo(world, user, email), ...textTo(world, user)] };
}

export function deleteAccount(world: World, session: ModelSession): Outcome {
  const verdict = world.sessions.useRecently(session);
  if (verdict !== '200') return refused(verdict);
  world.sessions.revokeAll(session.userId);
  world.users.delete(session.userId);
  return refused('200');
}
