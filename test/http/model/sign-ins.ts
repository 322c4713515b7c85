// The calls of signing in and out, in the model: codes, links, refreshes, lists and ends of sessions.
import assert from 'node:assert/strict';
import { type Guesser, second } from './codes.ts';
import {
  askFor,
  begin,
  endLinks,
  newDeviceNotices,
  type Outcome,
  ownerOfEmail,
  ownerOfPhone,
  phoneNotices,
  refused,
  userOf,
  type World,
} from './identity.ts';
import { mayBeRecycled, needsProof, showsAccount } from './phones.ts';
import type { ModelSession } from './sessions.ts';

export function sendCode(world: World, phone: string): Outcome {
  return askFor(world, { purpose: 'phone-login', recipient: phone });
}

export function signIn(world: World, phone: string, isRight: boolean, guesser: Guesser): Outcome {
  const verdict = world.codes.guess({ purpose: 'phone-login', recipient: phone }, isRight, guesser);
  if (verdict !== '200') return refused(verdict);
  const user = ownerOfPhone(world, phone);
  if (user !== undefined && mayBeRecycled(world, user)) return needsProof(world, user, phone);
  const cancelled = user?.next === undefined ? [] : phoneNotices(world, user, 'cancelled');
  if (user !== undefined) user.next = undefined;
  return {
    verdict,
    accept: begin(world, user, 'sms', phone),
    messages: [...newDeviceNotices(world, user, guesser.device), ...cancelled],
  };
}

/** Only the owner of the address gets a link. The newest three work. */
export function sendLink(world: World, email: string): Outcome {
  const verdict = world.codes.admit({ purpose: 'login-link', recipient: email });
  const owner = ownerOfEmail(world, email);
  if (verdict !== '200' || owner === undefined) return refused(verdict);
  const requestedAt = world.now();
  const times = { requestedAt, expiresAt: requestedAt + 900 * second };
  const arrive = (token: string) => {
    world.links.push({ token, userId: owner.id, email, ...times, isOpen: true });
    const open = world.links.filter((link) => link.userId === owner.id && link.isOpen);
    const old = open.sort((a, b) => b.requestedAt - a.requestedAt).slice(3);
    endLinks(world, (link) => old.includes(link));
  };
  return { verdict, messages: [{ to: email, kind: 'link', arrive }] };
}

export function signInByLink(world: World, token: string, guesser: Guesser): Outcome {
  const link = world.links.find((one) => one.token === token);
  const user = world.users.get(link?.userId ?? '');
  if (link === undefined || !link.isOpen || user === undefined || user.email !== link.email)
    return refused('400 LINK_INVALID');
  if (world.now() >= link.expiresAt) return refused('410 LINK_EXPIRED');
  endLinks(world, ({ userId }) => userId === user.id);
  return {
    verdict: '200',
    accept: begin(world, user, 'link'),
    messages: newDeviceNotices(world, user, guesser.device),
  };
}

export function refresh({ sessions }: World, session: ModelSession, back: number): Outcome {
  const verdict = sessions.present(session, back);
  if (verdict !== '200') return refused(verdict);
  return {
    verdict,
    accept: ({ data }) => {
      sessions.renew(session, back, data);
      assert.equal(data.RT, session.tokens.at(-1), 'one successor');
      assert.equal(new Set(session.tokens).size, session.tokens.length, 'no token comes back');
    },
  };
}

export function me(world: World, session: ModelSession): Outcome {
  const verdict = world.sessions.use(session);
  if (verdict !== '200') return refused(verdict);
  const user = userOf(world, session);
  return { verdict, accept: showsAccount(user, user.phone) };
}

export function listSessions({ sessions }: World, session: ModelSession): Outcome {
  const verdict = sessions.use(session);
  if (verdict !== '200') return refused(verdict);
  const shown = sessions.shownTo(session.userId).map(({ id }) => id);
  return {
    verdict,
    accept: ({ data }) => {
      const listed: { id: string; current: boolean }[] = data.sessions;
      assert.deepEqual(listed.map(({ id }) => id).sort(), shown.sort());
      assert.deepEqual(
        listed.filter(({ current }) => current).map(({ id }) => id),
        [session.id],
      );
    },
  };
}

/** Of another user's session the caller learns nothing. */
export function endSession({ sessions }: World, session: ModelSession, target: ModelSession): Outcome {
  const verdict = sessions.use(session);
  if (verdict !== '200') return refused(verdict);
  const isOwn = target.userId === session.userId && target.end === undefined;
  const ended = isOwn ? sessions.end([target]) : [];
  return refused(ended.length > 0 ? '200' : '404 NOT_FOUND');
}

export function signOut({ sessions }: World, session: ModelSession, scope: 'local' | 'others' | 'global'): Outcome {
  const verdict = sessions.use(session);
  if (verdict !== '200') return refused(verdict);
  const isMeant = (one: ModelSession) => scope === 'global' || (scope === 'local') === (one === session);
  sessions.end(sessions.aliveOf(session.userId).filter(isMeant));
  return refused('200');
}
