// Contract of the users of a back end: finding and listing them, changing the data of an app, its claims in sessions, checked sessions.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { UserKey } from '../../../../src/backend/backend-user.ts';
import type { UserDataPatch } from '../../../../src/backend/user-data.ts';
import type { UserId } from '../../../../src/kernel/ids.ts';
import { createOperatorPorts } from '../../../../src/store/ports.ts';
import { asEmail, asEmailKey, asPhone, asSessionId, asUserId } from '../../../helpers/people/ids.ts';
import { makeUserRecord } from '../../../helpers/people/user.ts';
import {
  bind,
  hour,
  linkIssue,
  minute,
  newEmail,
  newPhone,
  noon,
  sessionDraft,
  sessionPolicy,
  signIn,
} from '../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

const by = { actor: 'service', key: 'key', why: '' } as const;
const odd = { 'claims “é” 😀': [1, { constructor: null }], plan: 'pro' };

onEveryStore('users of a back end', (open) => {
  const users = () => open().ports.backendUsers;
  const change = (userId: UserId, patch: UserDataPatch, now = noon) => users().change({ userId, patch, by, now });
  const eventsOf = async (userId: UserId) =>
    (await open().rows('audit_events'))
      .filter(({ kind, user_id }) => kind === 'user.data-changed' && user_id === userId)
      .map(({ detail }) => JSON.parse(detail));
  const full = {
    externalId: "it's 4711",
    claims: JSON.stringify(odd),
    'metadata.public': '{"theme":"dark"}',
    'metadata.private': '{"score":7}',
  };

  it('a user is found by id, phone number, e-mail address and external id, with everything that is stored', async () => {
    const { ports } = open();
    const [phone, email] = [newPhone(), newEmail()];
    const { userId } = await signIn(ports, phone, noon);
    await bind(ports, userId, email.toUpperCase(), noon);
    await change(userId, full);
    const data = { externalId: "it's 4711", claims: odd, publicMetadata: { theme: 'dark' } };
    const user = makeUserRecord({ id: userId, phone, email: asEmail(email.toUpperCase()), ...data });
    const found = { ...user, privateMetadata: { score: 7 }, lastSeenAt: noon };
    const queriesFor = (end: string): UserKey[] => [
      { by: 'id', text: asUserId(`${userId}${end}`) },
      { by: 'phone', text: asPhone(`${phone}${end}`) },
      { by: 'email', text: asEmailKey(`${email}${end}`) },
      { by: 'external id', text: `it's 4711${end}` },
    ];
    assert.deepEqual(await Promise.all(queriesFor('').map(users().find)), [found, found, found, found]);
    const others = await Promise.all(queriesFor('0').map(users().find));
    assert.deepEqual(others, [undefined, undefined, undefined, undefined]);
  });

  it('a user whose app has stored nothing has no external id and empty objects', async () => {
    const { userId } = await signIn(open().ports, newPhone(), noon);
    const { externalId, claims, publicMetadata, privateMetadata } =
      (await users().find({ by: 'id', text: userId })) ?? assert.fail();
    assert.deepEqual([externalId, claims, publicMetadata, privateMetadata], [undefined, {}, {}, {}]);
  });

  it('the last use of a user is the newest refresh of a session', async () => {
    const { userId, session } = await signIn(open().ports, newPhone(), noon);
    const { id: sessionId, seedHash } = session;
    await open().ports.sessions.rotate({ sessionId, seedHash, counter: 0, policy: sessionPolicy, now: noon + hour });
    assert.equal((await users().find({ by: 'id', text: userId }))?.lastSeenAt, noon + hour);
  });

  it('a list of users has each once, in the order of their ids, also when users come and go between the pages', async () => {
    const made: UserId[] = [];
    for (let index = 0; index < 5; index += 1) made.push((await signIn(open().ports, newPhone(), noon)).userId);
    made.sort();
    const before = made[0] ?? '';
    const page = async (after: string | undefined, most: number) =>
      (await users().list({ after, most })).map(({ id }) => id);
    assert.deepEqual(await page(before, 2), made.slice(1, 3));
    await open().ports.users.deleteUser({ userId: made[2] ?? asUserId(''), now: noon });
    const { userId } = await signIn(open().ports, newPhone(), noon);
    assert.deepEqual(await page(made[2], 10), [...made.slice(3), userId]);
    assert.deepEqual(await page(userId, 10), []);
    assert.ok((await page(undefined, 1)).length === 1);
  });

  it('a change replaces only what it names, and is recorded with the names of the fields and no values', async () => {
    const { userId } = await signIn(open().ports, newPhone(), noon);
    await change(userId, { ...full, externalId: 'replaced' });
    const outcome = await change(userId, { claims: null, 'metadata.public': '{"a":1}' });
    assert.equal(outcome.kind, 'changed');
    const { externalId, claims, publicMetadata, privateMetadata } =
      (await users().find({ by: 'id', text: userId })) ?? assert.fail();
    assert.deepEqual([externalId, claims, publicMetadata, privateMetadata], ['replaced', {}, { a: 1 }, { score: 7 }]);
    assert.deepEqual(await eventsOf(userId), [
      { fields: 'externalId, claims, metadata.public, metadata.private', ...by },
      { fields: 'claims, metadata.public', ...by },
    ]);
  });

  it('a change to what is stored already succeeds and is not recorded', async () => {
    const { userId } = await signIn(open().ports, newPhone(), noon);
    const first = await change(userId, { ...full, externalId: 'same' });
    assert.deepEqual(await change(userId, { ...full, externalId: 'same' }), first);
    assert.equal((await eventsOf(userId)).length, 1);
  });

  it('an external id has one user, and is free again when it is removed or the user is deleted', async () => {
    const [ann, bob] = [await signIn(open().ports, newPhone(), noon), await signIn(open().ports, newPhone(), noon)];
    const outcomes = await Promise.all([ann, bob].map(({ userId }) => change(userId, { externalId: 'only' })));
    assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['changed', 'taken']);
    const [owner, other] = outcomes[0]?.kind === 'changed' ? [ann, bob] : [bob, ann];
    assert.deepEqual(await eventsOf(other.userId), []);
    await change(owner.userId, { externalId: null });
    assert.equal((await change(other.userId, { externalId: 'only' })).kind, 'changed');
    await open().ports.users.deleteUser({ userId: other.userId, now: noon });
    assert.equal((await change(owner.userId, { externalId: 'only' })).kind, 'changed');
  });

  it('a user who does not exist is not changed', async () => {
    assert.deepEqual(await change(asUserId('0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11'), { claims: null }), {
      kind: 'unknown',
    });
  });

  it('the next sign-in, refresh and sign-in by link return the claims as they are then', async () => {
    const { ports } = open();
    const [phone, email] = [newPhone(), newEmail()];
    const { userId, session, ...first } = await signIn(ports, phone, noon);
    assert.deepEqual(first.claims, {});
    await bind(ports, userId, email, noon);
    const rotate = async (counter: number) => {
      const { id: sessionId, seedHash } = session;
      const rotation = { sessionId, seedHash, counter, policy: sessionPolicy, now: noon + minute };
      const outcome = await ports.sessions.rotate(rotation);
      return outcome.kind === 'renewed' ? outcome.claims : outcome.kind;
    };
    assert.deepEqual(await rotate(0), {});
    await change(userId, { claims: JSON.stringify(odd) });
    assert.deepEqual(await rotate(1), odd);
    assert.deepEqual(await rotate(1), odd, 'the same successor again');
    await change(userId, { claims: '{"plan":"free"}' });
    assert.deepEqual(await rotate(2), { plan: 'free' });
    const again = await signIn(ports, phone, noon + minute);
    assert.deepEqual(again.claims, { plan: 'free' });
    await ports.links.issueLink(linkIssue(email, 'claims link', noon));
    const outcome = await ports.signIns.signInWithLink({ tokenHash: 'claims link', session: sessionDraft(noon) });
    assert.deepEqual(outcome.kind === 'signed in' && outcome.claims, { plan: 'free' });
  });

  it('a checked session is alive, belongs to the user, and has the claims of now; ended, expired and blocked ones are not', async () => {
    const { ports } = open();
    const [ann, bob] = [await signIn(ports, newPhone(), noon), await signIn(ports, newPhone(), noon)];
    const check = (userId: UserId, session: string, now = noon) =>
      users().checkSession({ userId, sessionId: asSessionId(session), now });
    const [annId, bobId] = [ann.session.id, bob.session.id];
    assert.deepEqual(await check(ann.userId, annId), { claims: {} });
    await change(ann.userId, { claims: '{"plan":"pro"}' });
    assert.deepEqual(await Promise.all([check(ann.userId, annId), check(bob.userId, bobId)]), [
      { claims: { plan: 'pro' } },
      { claims: {} },
    ]);
    assert.equal(await check(ann.userId, bobId), undefined);
    assert.equal(await check(ann.userId, 'unknown'), undefined);
    assert.equal(await check(ann.userId, annId, noon + sessionPolicy.idleSeconds * 1000), undefined);
    await ports.sessions.endSessions({
      userId: ann.userId,
      sessionId: annId,
      scope: 'this',
      reason: 'revoked',
      now: noon,
    });
    assert.equal(await check(ann.userId, annId), undefined);
    await open().query(`update users set blocked_at = ${noon} where id = '${bob.userId}'`);
    assert.equal(await check(bob.userId, bobId), undefined, 'a session that outlived a block');
    const { directory } = createOperatorPorts(open().store);
    await directory.actOn({ userId: bob.userId, act: 'unblock', by, now: noon });
    assert.deepEqual(await check(bob.userId, bobId), { claims: {} });
    await open().query(`delete from users where id = '${bob.userId}'`);
    assert.equal(await check(bob.userId, bobId), undefined, 'a session that outlived its user');
  });
});
