// Contract of SignInStore by phone: a code is consumed once, the first sign-in creates the user, too many sessions evict the oldest.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import { deriveCode } from '../../../../../src/auth/codes/challenge.ts';
import { newId } from '../../../../../src/kernel/crypto/random.ts';
import type { UserId } from '../../../../../src/kernel/ids.ts';
import { asPhone, asUserId } from '../../../../helpers/people/ids.ts';
import { makeUser } from '../../../../helpers/people/user.ts';
import {
  attempt,
  binding,
  codeRequest,
  minute,
  newEmail,
  newPhone,
  noon,
  phoneSignIn,
  rightAttempt,
  sessionPolicy,
  signIn,
  tryCode,
} from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

onEveryStore('sign-ins by phone', (open, kind) => {
  const usersOf = async (phone: string) => (await open().rows('users')).filter((user) => user.phone === phone);
  const eventsOf = async (userId: UserId) =>
    (await open().rows('audit_events')).filter(({ user_id }) => user_id === userId).map(({ kind }) => kind);

  it('the first sign-in creates the user, and the next one finds that user', async () => {
    const { ports } = open();
    const phone = newPhone();
    const newUserId = asUserId(newId());
    const first = await signIn(ports, phone, noon, { newUserId });
    assert.deepEqual([first.userId, first.isNewUser, first.evicted], [newUserId, true, []]);
    assert.deepEqual(await ports.users.findUser(newUserId), makeUser({ id: newUserId, phone }));
    const second = await signIn(ports, phone, noon + minute);
    assert.deepEqual([second.userId, second.isNewUser], [newUserId, false]);
    assert.equal((await usersOf(phone)).length, 1);
    assert.deepEqual((await eventsOf(newUserId)).toSorted(), ['login.succeeded', 'login.succeeded', 'user.created']);
  });

  it('a sign-in starts a session whose ends follow the policy', async () => {
    const { ports, rows } = open();
    const { userId, session } = await signIn(ports, newPhone(), noon);
    const row = (await rows('sessions')).find(({ id }) => id === session.id);
    assert.deepEqual(row && { ...row }, {
      id: session.id,
      user_id: userId,
      seed_hash: session.seedHash,
      counter: 0,
      rotated_at: noon,
      created_at: noon,
      last_used_at: noon,
      expires_at: noon + sessionPolicy.idleSeconds * 1000,
      ends_at: noon + sessionPolicy.lifeSeconds * 1000,
      ended_at: null,
      end_reason: null,
      user_agent: 'Suite/1',
      method: 'sms',
      rotated_by: null,
      proved_at: noon,
      proof: 'sms',
      app_id: null,
      app_scopes: null,
      parent_id: null,
      late_repeats: null,
    });
  });

  it('one of many sign-ins with one code succeeds', async () => {
    const { ports } = open();
    const phone = newPhone();
    const given = await rightAttempt(ports, phone, noon);
    const all = await Promise.all(
      Array.from({ length: 6 }, () => ports.signIns.signInWithPhone(phoneSignIn(given, phone, noon))),
    );
    assert.deepEqual(all.map(({ kind }) => kind).toSorted(), [
      'lost',
      'refused',
      'refused',
      'refused',
      'refused',
      'signed in',
    ]);
    assert.equal((await usersOf(phone)).length, 1);
    assert.equal((await ports.signIns.signInWithPhone(phoneSignIn(given, phone, noon))).kind, 'refused');
  });

  it('two first sign-ins of one phone in one turn of the event loop create one user', async () => {
    const { ports } = open();
    const phone = newPhone();
    const attempts = [await rightAttempt(ports, newPhone(), noon), await rightAttempt(ports, newPhone(), noon)];
    const all = await Promise.all(
      attempts.map((given) => ports.signIns.signInWithPhone(phoneSignIn(given, phone, noon))),
    );
    const [user] = await usersOf(phone);
    assert.deepEqual(
      all.map((outcome) => outcome.kind === 'signed in' && [outcome.userId, outcome.isNewUser]),
      [
        [user?.id, true],
        [user?.id, false],
      ],
    );
  });

  it('a code that a newer one has replaced is refused', async () => {
    const { ports } = open();
    const phone = newPhone();
    const first = codeRequest(phone, noon);
    await ports.sendRequests.request(first);
    const keys = [['abcd', 'the key of the secret']] as const;
    const { subject } = attempt(phone, noon);
    const given = deriveCode(keys, first.challenge?.seed ?? assert.fail(), subject) ?? assert.fail();
    const old = { ...attempt(phone, noon + 6 * minute), fixed: undefined, keys, given };
    await ports.sendRequests.request(codeRequest(phone, noon + 6 * minute));
    const outcome = await ports.signIns.signInWithPhone(phoneSignIn(old, phone, noon + 6 * minute));
    assert.deepEqual(outcome, { kind: 'refused', code: 'OTP_INVALID', detail: { left: 4 } });
    assert.deepEqual(await usersOf(phone), []);
  });

  it('the code of a blocked user is consumed and starts no session', async () => {
    const { ports, query, rows } = open();
    const phone = newPhone();
    const { userId } = await signIn(ports, phone, noon);
    await query(`update users set blocked_at = ${noon} where id = '${userId}' returning id`);
    const before = (await rows('sessions')).length;
    const given = await rightAttempt(ports, phone, noon);
    assert.deepEqual(await ports.signIns.signInWithPhone(phoneSignIn(given, phone, noon)), { kind: 'blocked' });
    assert.deepEqual(await ports.signIns.signInWithPhone(phoneSignIn(given, phone, noon)), { kind: 'lost' });
    assert.equal((await rows('sessions')).length, before);
    assert.ok((await eventsOf(userId)).includes('login.refused'));
  });

  it('only known phones can sign in if sign-up is closed', async () => {
    const { ports } = open();
    const phone = newPhone();
    const closed = { isSignupOpen: false };
    const given = await rightAttempt(ports, phone, noon);
    assert.deepEqual(await ports.signIns.signInWithPhone(phoneSignIn(given, phone, noon, closed)), { kind: 'closed' });
    assert.deepEqual(await usersOf(phone), []);
    assert.deepEqual(await ports.signIns.signInWithPhone(phoneSignIn(given, phone, noon, closed)), { kind: 'lost' });
    await signIn(ports, phone, noon);
    assert.equal((await signIn(ports, phone, noon, closed)).isNewUser, false);
  });

  it('a wrong code does not read the users table', { skip: kind !== 'postgres' }, async () => {
    const { ports, address } = open();
    const known = newPhone();
    const { userId } = await signIn(ports, known, noon);
    const mail = newEmail();
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    await client.query('begin; lock table users in access exclusive mode');
    for (const phone of [known, newPhone()]) assert.equal((await tryCode(ports, attempt(phone, noon))).left, 4);
    const bound = await ports.bindings.bindEmail(binding(attempt(mail, noon), userId, mail, noon));
    assert.equal(bound.kind, 'refused');
    await client.query('rollback');
    await client.end();
  });

  it('a sign-in evicts the least recently used sessions if there are too many', async () => {
    const { ports } = open();
    const phone = newPhone();
    const policy = { ...sessionPolicy, perUser: 3 };
    const begin = (at: number) => signIn(ports, phone, at, { session: { policy } });
    const [a, b, c] = [await begin(noon), await begin(noon + 1), await begin(noon + 2)];
    assert.deepEqual([a.evicted, b.evicted, c.evicted], [[], [], []]);
    const { id: sessionId, seedHash } = a.session;
    await ports.sessions.rotate({ sessionId, seedHash, counter: 0, policy, now: noon + 3 });
    const d = await begin(noon + 4);
    assert.deepEqual(d.evicted, [b.session.id]);
    const alive = await ports.sessions.listSessions({ userId: a.userId, now: noon + 5 });
    assert.deepEqual(
      alive.map(({ id }) => id),
      [d.session.id, a.session.id, c.session.id],
    );
    const lower = await signIn(ports, phone, noon + 6, { session: { policy: { ...policy, perUser: 1 } } });
    assert.deepEqual([...lower.evicted].toSorted(), [a, c, d].map(({ session }) => session.id).toSorted());
    assert.equal((await eventsOf(a.userId)).filter((kind) => kind === 'session.evicted').length, 4);
  });

  it('phones that differ in one byte belong to different users', async () => {
    const { ports } = open();
    const phones = ['+a', '+A', '+ß', '+ss', '+a ', '+ä', '+a\u0308'];
    const users = await Promise.all(phones.map(async (phone) => (await signIn(ports, asPhone(phone), noon)).userId));
    assert.equal(new Set(users).size, phones.length);
    for (const [index, phone] of phones.entries()) {
      assert.equal((await signIn(ports, asPhone(phone), noon + minute)).userId, users[index]);
    }
  });
});
