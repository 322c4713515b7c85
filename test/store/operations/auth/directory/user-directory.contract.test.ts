// Contract of the user directory: finding users by their data, and blocking a user with all sessions.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { UserQuery } from '../../../../../src/auth/directory/user-directory.ts';
import { newUserId, type UserId } from '../../../../../src/kernel/ids.ts';
import { createOperatorPorts, createPorts } from '../../../../../src/store/ports.ts';
import { asEmail, asEmailKey, asPhone, asUserId } from '../../../../helpers/people/ids.ts';
import { makeUserRecord } from '../../../../helpers/people/user.ts';
import {
  bind,
  newEmail,
  newPhone,
  noon,
  phoneSignIn,
  rightAttempt,
  sessionPolicy,
  signIn,
} from '../../../../helpers/store/fixtures.ts';
import { openNode } from '../../../../helpers/store/open-node.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

const by = { actor: 'cli', why: 'a test' } as const;

onEveryStore('the user directory', (open) => {
  const directory = () => createOperatorPorts(open().store).directory;
  const blockedAt = async (userId: UserId) =>
    (await directory().searchUsers({ by: 'id', text: userId, most: 1 })).map((user) => user.blockedAt);

  it('searchUsers finds a user by id, phone number, its last digits, and e-mail address', async () => {
    const { ports } = open();
    const [phone, email] = [newPhone(), newEmail()];
    const { userId } = await signIn(ports, phone, noon);
    await signIn(ports, newPhone(), noon);
    await bind(ports, userId, email.toUpperCase(), noon);
    const found = makeUserRecord({ id: userId, phone, email: asEmail(email.toUpperCase()) });
    const queriesFor = (end: string): UserQuery[] => [
      { by: 'id', text: asUserId(`${userId}${end}`), most: 5 },
      { by: 'phone', text: asPhone(`${phone}${end}`), most: 5 },
      { by: 'phone end', text: `${phone.slice(-7)}${end}`, most: 5 },
      { by: 'email', text: asEmailKey(`${email}${end}`), most: 5 },
    ];
    for (const query of queriesFor('')) assert.deepEqual(await directory().searchUsers(query), [found], query.by);
    for (const query of queriesFor('0')) assert.deepEqual(await directory().searchUsers(query), [], query.by);
  });

  it('searchUsers returns no more users than requested, newest first', async () => {
    const { ports } = open();
    const made = [];
    for (const late of [1, 2, 3]) made.push(await signIn(ports, newPhone(), noon + late * 1_000_000));
    const found = await directory().searchUsers({ by: 'phone end', text: '0000', most: 2 });
    assert.deepEqual(
      found.map((user) => user.id),
      made
        .map(({ userId }) => userId)
        .toSorted()
        .toReversed()
        .slice(0, 2),
    );
  });

  it('a blocked user loses every session and can start none until unblocked', async () => {
    const { ports, rows } = open();
    const phone = newPhone();
    const [one, two] = [await signIn(ports, phone, noon), await signIn(ports, phone, noon + 1)];
    const { userId } = one;
    const ended = await directory().actOn({ userId, act: 'block', by, now: noon + 2 });
    assert.deepEqual([...(ended ?? [])].sort(), [one.session.id, two.session.id].sort());
    assert.deepEqual(await blockedAt(userId), [noon + 2]);
    const { id: sessionId, seedHash } = one.session;
    const rotation = { sessionId, seedHash, counter: 0, policy: sessionPolicy, now: noon + 3 };
    assert.deepEqual(await ports.sessions.rotate(rotation), { kind: 'ended' });
    const fed = (await ports.sessions.endedSince(noon + 1)).map((session) => session.id);
    assert.ok(fed.includes(one.session.id) && fed.includes(two.session.id));
    const given = await rightAttempt(ports, phone, noon + 4);
    assert.deepEqual(await ports.signIns.signInWithPhone(phoneSignIn(given, phone, noon + 4)), { kind: 'blocked' });

    assert.deepEqual(await directory().actOn({ userId, act: 'block', by, now: noon + 5 }), []);
    assert.deepEqual(await blockedAt(userId), [noon + 2], 'the first time counts');
    assert.deepEqual(await directory().actOn({ userId, act: 'unblock', by, now: noon + 6 }), []);
    assert.deepEqual(await blockedAt(userId), [undefined]);
    assert.equal((await signIn(ports, phone, noon + 7)).userId, userId);
    const events = (await rows('audit_events')).filter((event) => event.user_id === userId);
    const acts = events.filter(({ kind }) => /blocked$/.test(kind));
    assert.deepEqual(acts.map(({ kind }) => kind).sort(), ['user.blocked', 'user.unblocked']);
    for (const { detail } of acts) assert.deepEqual(JSON.parse(detail), by);
  });

  it('no session survives a block that races with a sign-in on another node', async () => {
    const { ports, kind, address } = open();
    const other = await openNode(kind, address);
    const elsewhere = createPorts(other);
    for (let round = 0; round < 20; round++) {
      const phone = newPhone();
      const { userId } = await signIn(ports, phone, noon);
      const input = phoneSignIn(await rightAttempt(ports, phone, noon + 1), phone, noon + 1);
      const [outcome] = await Promise.all([
        elsewhere.signIns.signInWithPhone(input),
        directory().actOn({ userId, act: 'block', by, now: noon + 2 }),
      ]);
      assert.ok(['signed in', 'blocked'].includes(outcome.kind));
      assert.deepEqual(await ports.sessions.listSessions({ userId, now: noon + 3 }), []);
    }
    await other.close();
  });

  it('the sign-out of a user ends every session, and the user can sign in again', async () => {
    const { ports } = open();
    const phone = newPhone();
    const { userId, session } = await signIn(ports, phone, noon);
    const other = await signIn(ports, newPhone(), noon);
    const input = { userId, act: 'sign out', by, now: noon + 1 } as const;
    assert.deepEqual(await Promise.all([directory().actOn(input), directory().actOn(input)]), [[session.id], []]);
    assert.deepEqual(await ports.sessions.listSessions({ userId, now: noon + 2 }), []);
    assert.equal((await ports.sessions.listSessions({ userId: other.userId, now: noon + 2 })).length, 1);
    assert.equal((await signIn(ports, phone, noon + 3)).userId, userId);
  });

  it('an act on an unknown user changes nothing and records nothing', async () => {
    const { rows } = open();
    const userId = newUserId();
    for (const act of ['block', 'unblock', 'sign out'] as const)
      assert.equal(await directory().actOn({ userId, act, by, now: noon }), undefined);
    assert.ok(!(await rows('audit_events')).some((event) => event.user_id === userId));
  });

  it('the audit log records who deleted a user, and why', async () => {
    const { ports, rows } = open();
    const { userId } = await signIn(ports, newPhone(), noon);
    await ports.users.deleteUser({ userId, now: noon, by });
    const event = (await rows('audit_events')).find((row) => row.user_id === userId && row.kind === 'user.deleted');
    assert.deepEqual(JSON.parse(event?.detail ?? ''), by);
  });
});
