// Contract of the recycled number: the last use decides, the number passes on once, and of all who race for it one wins.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ProofTicket } from '../../../../../src/auth/sign-in/proof-ticket.ts';
import type { PhoneClaim } from '../../../../../src/auth/sign-in/sign-in.ts';
import { randomText } from '../../../../../src/kernel/crypto/random.ts';
import type { PhoneNumber } from '../../../../../src/kernel/recipient.ts';
import {
  bind,
  day,
  hour,
  linkIssue,
  newEmail,
  newPhone,
  noon,
  phoneClaim,
  phoneSignIn,
  rightAttempt,
  sessionDraft,
  sessionPolicy,
  signIn,
} from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

const later = noon + 181 * day;
const by = { actor: 'cli', why: 'a test' } as const;

onEveryStore('a recycled number', (open) => {
  const userOf = async (id: string) => (await open().rows('users')).find((row) => row.id === id);
  const eventsOf = async (id: string) =>
    (await open().rows('audit_events')).filter((row) => row.user_id === id).toSorted((a, b) => (a.id < b.id ? -1 : 1));

  /** An account with an e-mail address that was last used at noon. */
  const account = async () => {
    const { ports } = open();
    const phone = newPhone();
    const address = newEmail();
    const { userId, session } = await signIn(ports, phone, noon);
    await bind(ports, userId, address, noon);
    return { phone, address, userId, session };
  };
  const trySignIn = async (phone: PhoneNumber, now: number) => {
    const { ports } = open();
    return ports.signIns.signInWithPhone(phoneSignIn(await rightAttempt(ports, phone, now), phone, now));
  };
  const ticketOf = async (phone: PhoneNumber, now = later): Promise<ProofTicket> => {
    const outcome = await trySignIn(phone, now);
    assert.equal(outcome.kind, 'needs proof');
    if (outcome.kind !== 'needs proof') return assert.fail();
    return { userId: outcome.userId, phone, lastUse: outcome.lastUse };
  };
  const claim = (given: PhoneClaim) => open().ports.signIns.claimPhone(given);
  const kindsOf = (outcomes: readonly { kind: string }[]) => outcomes.map(({ kind }) => kind).toSorted();
  const signInByLink = async (address: string, now: number) => {
    const { ports } = open();
    const tokenHash = randomText(16);
    await ports.links.issueLink(linkIssue(address, tokenHash, now));
    return { tokenHash, session: sessionDraft(now, { method: 'link' }) };
  };

  it('the right code of an account that was not used for long is consumed, changes nothing and starts no session', async () => {
    const { ports, rows } = open();
    const { phone, userId } = await account();
    const before = await userOf(userId);
    const given = await rightAttempt(ports, phone, later);
    const outcome = await ports.signIns.signInWithPhone(phoneSignIn(given, phone, later));
    assert.deepEqual(outcome, { kind: 'needs proof', userId, lastUse: noon });
    assert.deepEqual(await userOf(userId), before);
    assert.equal((await rows('sessions')).filter((row) => row.user_id === userId).length, 1);
    const again = await ports.signIns.signInWithPhone(phoneSignIn({ ...given, now: later + 1 }, phone, later + 1));
    assert.equal(again.kind, 'lost');
    const refused = (await eventsOf(userId)).filter(({ kind }) => kind === 'login.refused');
    assert.deepEqual(
      refused.map(({ detail }) => JSON.parse(detail)),
      [{ reason: 'needs proof', method: 'sms', ip: '192.0.2.1' }],
    );
  });

  it('the last use is that of any stored session, alive or ended, and of any way in', async () => {
    const { ports } = open();
    const { sessions } = ports;
    const refreshed = await account();
    const { id: sessionId, seedHash } = refreshed.session;
    await sessions.rotate({ sessionId, seedHash, counter: 0, policy: sessionPolicy, now: noon + 20 * day });
    assert.deepEqual(await ticketOf(refreshed.phone, noon + 201 * day), {
      userId: refreshed.userId,
      phone: refreshed.phone,
      lastUse: noon + 20 * day,
    });
    assert.equal((await trySignIn(refreshed.phone, later)).kind, 'signed in');

    const ended = await account();
    const end = { userId: ended.userId, sessionId: ended.session.id, scope: 'this', reason: 'logged out' } as const;
    const { id, seedHash: seed } = ended.session;
    await sessions.rotate({ sessionId: id, seedHash: seed, counter: 0, policy: sessionPolicy, now: noon + 20 * day });
    await sessions.endSessions({ ...end, now: noon + 21 * day });
    assert.equal((await trySignIn(ended.phone, later)).kind, 'signed in');

    const linked = await account();
    const link = await signInByLink(linked.address, noon + 90 * day);
    assert.equal((await ports.signIns.signInWithLink(link)).kind, 'signed in');
    assert.equal((await trySignIn(linked.phone, later)).kind, 'signed in');
  });

  it('an account without an e-mail address keeps its number, and a blocked one is told so first', async () => {
    const { ports, store } = open();
    const plain = newPhone();
    await signIn(ports, plain, noon);
    assert.equal((await trySignIn(plain, later)).kind, 'signed in');
    const blocked = await account();
    await store.call('directory.actOn', { userId: blocked.userId, act: 'block', by, now: noon });
    assert.equal((await trySignIn(blocked.phone, later)).kind, 'blocked');
  });

  it('a sign-in is recorded with the user at most once a day, by code and by link', async () => {
    const { ports } = open();
    const { phone, userId, address } = await account();
    const seen = async () => (await userOf(userId))?.seen_at;
    await signIn(ports, phone, noon + day - 1);
    assert.equal(await seen(), noon);
    await signIn(ports, phone, noon + day);
    assert.equal(await seen(), noon + day);
    await ports.signIns.signInWithLink(await signInByLink(address, noon + day + hour));
    assert.equal(await seen(), noon + day);
    await ports.signIns.signInWithLink(await signInByLink(address, noon + 3 * day));
    assert.equal(await seen(), noon + 3 * day);
  });

  it('a claim makes a new user with the number, and the old account keeps everything but the number', async () => {
    const { ports, rows, query } = open();
    const { phone, userId, address } = await account();
    await query(`update users set next_phone = '+4915999', next_phone_at = ${later + 1} where id = '${userId}'`);
    const before = await userOf(userId);
    const given = phoneClaim(await ticketOf(phone), later);
    const outcome = await claim(given);
    assert.deepEqual(outcome, {
      kind: 'signed in',
      userId: given.newUserId,
      phone,
      claims: {},
      isNewUser: true,
      hasNotice: false,
      evicted: [],
    });
    assert.deepEqual(await userOf(userId), { ...before, phone: null });
    const made = await userOf(given.newUserId);
    assert.deepEqual([made?.phone, made?.email, made?.created_at, made?.seen_at], [phone, null, later, later]);
    assert.deepEqual((await eventsOf(given.newUserId)).map(({ kind }) => kind).toSorted(), [
      'login.succeeded',
      'user.created',
    ]);
    assert.deepEqual(
      (await eventsOf(userId)).map(({ kind }) => kind).filter((kind) => kind.startsWith('phone.')),
      ['phone.lost'],
    );
    const messages = (await rows('outbox')).filter(({ id }) => id === given.notice.message.id);
    assert.deepEqual(
      messages.map(({ kind, payload }) => [kind, JSON.parse(payload).to, JSON.parse(payload).topic]),
      [['notice', address, 'phone-lost']],
    );
    const sessions = (await rows('sessions')).filter(({ user_id }) => user_id === userId);
    assert.deepEqual(
      sessions.map(({ ended_at }) => ended_at),
      [null],
    );
    assert.equal((await ports.users.findUser(userId))?.phone, undefined);
    assert.equal((await trySignIn(phone, later + hour)).kind, 'signed in');
    const link = await ports.signIns.signInWithLink(await signInByLink(address, later + hour));
    assert.deepEqual([link.kind, 'userId' in link && link.userId], ['signed in', userId]);
  });

  const refusals: [what: string, changes: Partial<PhoneClaim>, block: boolean, expected: string][] = [
    ['while sign-up is closed', { isSignupOpen: false }, false, 'closed'],
    ['of an account that was blocked since', {}, true, 'blocked'],
  ];
  for (const [what, changes, block, expected] of refusals) {
    it(`a claim ${what} changes nothing but the audit log`, async () => {
      const { store, rows } = open();
      const { phone, userId } = await account();
      const ticket = await ticketOf(phone);
      if (block) await store.call('directory.actOn', { userId, act: 'block', by, now: later });
      const before = [await rows('users'), await rows('sessions'), await rows('outbox')];
      assert.equal((await claim(phoneClaim(ticket, later, changes))).kind, expected);
      assert.deepEqual([await rows('users'), await rows('sessions'), await rows('outbox')], before);
      const last = (await eventsOf(userId)).at(-1);
      assert.deepEqual([last?.kind, JSON.parse(last?.detail ?? '{}').reason], ['login.refused', expected]);
    });
  }

  it('of many claims with one ticket one takes the number', async () => {
    const { phone } = await account();
    const ticket = await ticketOf(phone);
    const all = await Promise.all(Array.from({ length: 6 }, () => claim(phoneClaim(ticket, later))));
    assert.deepEqual(kindsOf(all), [...Array.from({ length: 5 }, () => 'lost'), 'signed in']);
    assert.equal((await open().rows('users')).filter((row) => row.phone === phone).length, 1);
    assert.equal((await claim(phoneClaim(ticket, later))).kind, 'lost');
  });

  it('a claim after any use of the old account is lost', async () => {
    const { ports } = open();
    const linked = await account();
    const first = await ticketOf(linked.phone);
    await ports.signIns.signInWithLink(await signInByLink(linked.address, later + 1));
    assert.equal((await claim(phoneClaim(first, later + 2))).kind, 'lost');
    const refreshed = await account();
    const second = await ticketOf(refreshed.phone, later);
    const { id: sessionId, seedHash } = refreshed.session;
    const policy = { ...sessionPolicy, idleSeconds: 900 * 86_400, lifeSeconds: 900 * 86_400 };
    await open().query(
      `update sessions set expires_at = ${later + day}, ends_at = ${later + day} where id = '${sessionId}'`,
    );
    const rotated = await ports.sessions.rotate({ sessionId, seedHash, counter: 0, policy, now: later + 1 });
    assert.equal(rotated.kind, 'renewed');
    assert.equal((await claim(phoneClaim(second, later + 2))).kind, 'lost');
    assert.equal((await userOf(refreshed.userId))?.phone, refreshed.phone);
  });

  it('a claim of an account that was deleted, or has lost its e-mail address, is lost', async () => {
    const { ports } = open();
    const deleted = await account();
    const first = await ticketOf(deleted.phone);
    await ports.users.deleteUser({ userId: deleted.userId, now: later });
    assert.equal((await claim(phoneClaim(first, later))).kind, 'lost');
    const bare = await account();
    const second = await ticketOf(bare.phone);
    await ports.bindings.removeEmail({ userId: bare.userId, by, now: later });
    assert.equal((await claim(phoneClaim(second, later))).kind, 'lost');
    assert.equal((await userOf(bare.userId))?.phone, bare.phone);
  });

  it('a claim that races with the owner’s link leaves the owner signed in, and the number with one account', async () => {
    const { ports } = open();
    for (let round = 0; round < 10; round++) {
      const { phone, userId, address } = await account();
      const ticket = await ticketOf(phone);
      const link = await signInByLink(address, later + 1);
      const [claimed, linked] = await Promise.all([
        claim(phoneClaim(ticket, later)),
        ports.signIns.signInWithLink(link),
      ]);
      assert.equal(linked.kind, 'signed in');
      const holders = (await open().rows('users')).filter((row) => row.phone === phone);
      assert.equal(holders.length, 1);
      assert.equal(holders[0]?.id === userId, claimed.kind === 'lost');
    }
  });

  it('a claim that races with the deletion of the old account leaves one user or none with the number', async () => {
    const { ports } = open();
    for (let round = 0; round < 10; round++) {
      const { phone, userId } = await account();
      const given = phoneClaim(await ticketOf(phone), later);
      const [claimed] = await Promise.all([claim(given), ports.users.deleteUser({ userId, now: later })]);
      const holders = (await open().rows('users')).filter((row) => row.phone === phone);
      assert.deepEqual(
        holders.map(({ id }) => id),
        claimed.kind === 'signed in' ? [given.newUserId] : [],
      );
      assert.equal(await userOf(userId), undefined);
    }
  });

  it('a claim that races with a sign-in of the number leaves it with the new user, whom the sign-in finds or not', async () => {
    const { ports } = open();
    for (let round = 0; round < 10; round++) {
      const { phone } = await account();
      const given = phoneClaim(await ticketOf(phone), later);
      const again = await rightAttempt(ports, phone, later + 1);
      const [claimed, signed] = await Promise.all([
        claim(given),
        ports.signIns.signInWithPhone(phoneSignIn(again, phone, later + 1)),
      ]);
      assert.equal(claimed.kind, 'signed in');
      if (signed.kind === 'signed in') assert.deepEqual([signed.userId, signed.isNewUser], [given.newUserId, false]);
      else assert.equal(signed.kind, 'needs proof');
      assert.deepEqual(
        (await open().rows('users')).filter((row) => row.phone === phone).map(({ id }) => id),
        [given.newUserId],
      );
    }
  });

  it('an account without a number keeps its e-mail address', async () => {
    const { ports } = open();
    const { phone, userId, address } = await account();
    await claim(phoneClaim(await ticketOf(phone), later));
    assert.equal(await ports.bindings.removeEmail({ userId, now: later }), 'last');
    assert.equal((await userOf(userId))?.email, address);
    assert.equal(await ports.bindings.removeEmail({ userId, by, now: later }), 'last', 'staff do not remove it either');
    const repeated = { userId, by, isRepeat: true, now: later };
    assert.equal(await ports.bindings.removeEmail(repeated), 'removed', 'a journal does');
  });
});
