// Contract of UserStore: finding a user, and deleting one with all sessions, links and files.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newId, randomText } from '../../../../../src/kernel/crypto/random.ts';
import { asEmailKey, asUserId } from '../../../../helpers/people/ids.ts';
import { makeUser } from '../../../../helpers/people/user.ts';
import {
  bind,
  linkIssue,
  newEmail,
  newPhone,
  noon,
  ownerOf,
  sessionDraft,
  sessionPolicy,
  signIn,
} from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

onEveryStore('users', (open) => {
  it('findUser finds a user by the exact id only', async () => {
    const { ports } = open();
    const [phone, email] = [newPhone(), newEmail()];
    const { userId } = await signIn(ports, phone, noon);
    const user = makeUser({ id: userId, phone });
    assert.deepEqual(await ports.users.findUser(userId), user);
    await bind(ports, userId, email, noon + 1);
    assert.deepEqual(await ports.users.findUser(userId), { ...user, email });
    for (const id of [newId(), userId.toUpperCase(), ''])
      assert.equal(await ports.users.findUser(asUserId(id)), undefined);
  });

  it('many findUser calls in one turn of the event loop each get their own user', async () => {
    const { ports } = open();
    const phones = Array.from({ length: 5 }, newPhone);
    const ids = await Promise.all(phones.map(async (phone) => (await signIn(ports, phone, noon)).userId));
    const found = await Promise.all([...ids, newId(), ...ids].map((id) => ports.users.findUser(asUserId(id))));
    assert.deepEqual(
      found.map((user) => user?.phone),
      [...phones, undefined, ...phones],
    );
  });

  it('deleteUser ends every session of the user and returns their ids', async () => {
    const { ports, rows } = open();
    const phone = newPhone();
    const sessions = [await signIn(ports, phone, noon), await signIn(ports, phone, noon + 1)];
    const over = await signIn(ports, phone, noon + 2);
    const other = await signIn(ports, newPhone(), noon);
    const { userId } = over;
    const ending = { userId, sessionId: over.session.id, scope: 'this' as const, reason: 'revoked' as const };
    await ports.sessions.endSessions({ ...ending, now: noon + 3 });
    const { sessionIds: ended } = await ports.users.deleteUser({ userId, now: noon + 4 });
    assert.deepEqual([...ended].toSorted(), sessions.map(({ session }) => session.id).toSorted());
    assert.equal(await ports.users.findUser(userId), undefined);
    const mine = (await rows('sessions')).filter(({ user_id }) => user_id === userId);
    const ends = mine.map((row) => `${Number(row.ended_at) - noon} ${row.end_reason}`);
    assert.deepEqual(ends.toSorted(), ['3 revoked', '4 account deleted', '4 account deleted']);
    assert.ok(await ports.users.findUser(other.userId));
    assert.equal((await ports.sessions.listSessions({ userId: other.userId, now: noon })).length, 1);
    const fed = await ports.sessions.endedSince(noon + 3);
    for (const id of ended) assert.ok(fed.some((session) => session.id === id));
  });

  it('no refresh token and no sign-in link of a deleted user works', async () => {
    const { ports } = open();
    const email = newEmail();
    const { userId, session } = await signIn(ports, newPhone(), noon);
    await bind(ports, userId, email, noon);
    const tokenHash = randomText(16);
    await ports.links.issueLink(linkIssue(email, tokenHash, noon));
    await ports.users.deleteUser({ userId, now: noon });
    const { id: sessionId, seedHash } = session;
    const rotation = { sessionId, seedHash, counter: 0, policy: sessionPolicy, now: noon };
    assert.deepEqual(await ports.sessions.rotate(rotation), { kind: 'ended' });
    assert.equal(await ports.links.findLink({ tokenHash, now: noon }), undefined);
    const outcome = await ports.signIns.signInWithLink({ tokenHash, session: sessionDraft(noon) });
    assert.deepEqual(outcome, { kind: 'lost' });
  });

  it('the phone and the e-mail address of a deleted user are free again', async () => {
    const { ports } = open();
    const [phone, email] = [newPhone(), newEmail()];
    const first = await signIn(ports, phone, noon);
    await bind(ports, first.userId, email, noon);
    await ports.users.deleteUser({ userId: first.userId, now: noon });
    const second = await signIn(ports, phone, noon + 1);
    assert.equal(second.isNewUser, true);
    assert.notEqual(second.userId, first.userId);
    assert.equal(await ports.bindings.findOwner(asEmailKey(email)), undefined);
    assert.ok(await ownerOf(ports, email, noon + 2));
  });

  it('a user who is deleted twice, at once or one after the other, is deleted once', async () => {
    const { ports, rows } = open();
    const { userId, session } = await signIn(ports, newPhone(), noon);
    const remove = async () => (await ports.users.deleteUser({ userId, now: noon })).sessionIds;
    assert.deepEqual(await Promise.all([remove(), remove()]), [[session.id], []]);
    assert.deepEqual(await remove(), []);
    const events = (await rows('audit_events')).filter((event) => event.user_id === userId);
    assert.equal(events.filter(({ kind }) => kind === 'user.deleted').length, 1);
  });
});
