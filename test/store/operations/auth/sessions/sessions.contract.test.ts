// Contract of SessionStore: rotation that may be repeated but not reused, listing, ending, and the feed of ended sessions.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ClientMarks } from '../../../../../src/auth/sessions/rotation-client.ts';
import type { SessionDraft } from '../../../../../src/auth/sessions/session.ts';
import { newId } from '../../../../../src/kernel/crypto/random.ts';
import { asSessionId, asUserId } from '../../../../helpers/people/ids.ts';
import { day, hour, minute, newPhone, noon, sessionPolicy, signIn } from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

onEveryStore('sessions', (open) => {
  const begin = async (now = noon, session: Partial<SessionDraft> = {}, phone = newPhone()) =>
    signIn(open().ports, phone, now, { session });
  const rotateAs = (client: ClientMarks) => async (session: SessionDraft, counter: number, now: number) => {
    const { id: sessionId, seedHash } = session;
    const rotation = { sessionId, seedHash, counter, client, policy: sessionPolicy, now };
    const outcome = await open().ports.sessions.rotate(rotation);
    return outcome.kind === 'renewed' ? outcome.counter : outcome.kind;
  };
  const phone = { agent: 'firefox', network: 'home', device: 'phone' };
  const rotate = rotateAs(phone);
  const rotateElsewhere = rotateAs({ ...phone, network: 'train' });
  const rotateAsOther = rotateAs({ ...phone, network: 'train', device: '' });
  const rowOf = async ({ id }: SessionDraft) => (await open().rows('sessions')).find((row) => row.id === id);

  it('a rotation with the newest token raises the counter and returns the user of the session', async () => {
    const { userId, session } = await begin(noon, { method: 'link' });
    const { id: sessionId, seedHash } = session;
    const rotation = { sessionId, seedHash, counter: 0, policy: sessionPolicy, now: noon + minute };
    const endsAt = noon + sessionPolicy.lifeSeconds * 1000;
    const last = { proof: 'link', provedAt: noon };
    const renewed = { kind: 'renewed', counter: 1, userId, ...last, endsAt, claims: {}, renewal: 'rotated' };
    assert.deepEqual(await open().ports.sessions.rotate(rotation), renewed);
    assert.equal(await rotate(session, 1, noon + 2 * minute), 2);
    const row = await rowOf(session);
    assert.deepEqual([row?.counter, row?.rotated_at, row?.last_used_at], [2, noon + 2 * minute, noon + 2 * minute]);
  });

  it('a repeated rotation within the grace period returns the same successor', async () => {
    const { session } = await begin();
    assert.equal(await rotate(session, 0, noon), 1);
    assert.equal(await rotate(session, 0, noon + 1), 1);
    assert.equal(await rotate(session, 0, noon + 30_000), 1);
    assert.equal((await rowOf(session))?.rotated_at, noon);
    assert.equal(await rotate(session, 1, noon + 30_000), 2);
  });

  it('a rotation by a node whose clock is ahead counts as recent', async () => {
    const { session } = await begin();
    await rotate(session, 0, noon + 5000);
    assert.equal(await rotate(session, 0, noon), 1);
  });

  it('a rotation repeated by the same device after the grace period returns the same successor, and counts once', async () => {
    const { session } = await begin();
    assert.equal(await rotate(session, 0, noon), 1);
    for (const late of [30_001, minute, day, 2 * day]) assert.equal(await rotateElsewhere(session, 0, noon + late), 1);
    const row = await rowOf(session);
    assert.deepEqual([row?.rotated_at, row?.late_repeats], [noon, `${noon}:${noon + 30_001}`]);
    assert.equal(await rotate(session, 1, noon + 2 * day), 2);
  });

  it('a session may need three late repeats in 24 hours, and ends with the fourth', async () => {
    for (const [apart, last] of [
      [8 * hour, 5],
      [8 * hour - 1, 'reused'],
    ] as const) {
      const { session } = await begin();
      for (let counter = 0; counter < 4; counter++) {
        const now = noon + counter * apart;
        assert.equal(await rotate(session, counter, now), counter + 1);
        const repeated = await rotateElsewhere(session, counter, now + minute);
        assert.equal(repeated, counter === 3 && last === 'reused' ? 'reused' : counter + 1);
      }
      assert.equal(await rotate(session, 4, noon + 30 * hour), last === 'reused' ? 'ended' : last);
    }
  });

  it('a rotation repeated after the grace period, first recorded by a version that knows no devices, returns the same successor', async () => {
    const { session } = await begin();
    assert.equal(await rotate(session, 0, noon), 1);
    const older = `update sessions set rotated_by = '1 firefox home' where id = '${session.id}'`;
    await open().query(older);
    assert.equal(await rotateElsewhere(session, 0, noon + day), 1);
    assert.equal(await rotate(session, 1, noon + 2 * day), 2);
  });

  it('a session ends when its previous token is used from another device after the grace period', async () => {
    const { session } = await begin();
    await rotate(session, 0, noon);
    assert.equal(await rotateAsOther(session, 0, noon + 30_001), 'reused');
    assert.equal(await rotate(session, 1, noon + 30_002), 'ended');
    const row = await rowOf(session);
    assert.deepEqual([row?.ended_at, row?.end_reason], [noon + 30_001, 'reused']);
    const events = (await open().rows('audit_events')).filter(({ kind }) => kind === 'session.reused');
    assert.ok(events.some(({ detail }) => detail.includes(session.id)));
  });

  it('a session ends when a token older than the previous one is used, even within the grace period', async () => {
    const { session } = await begin();
    await rotate(session, 0, noon);
    await rotate(session, 1, noon);
    assert.equal(await rotate(session, 0, noon + 1), 'reused');
    assert.equal(await rotate(session, 2, noon + 1), 'ended');
  });

  it('a rotation with another seed or a future counter is refused and does not change the session', async () => {
    const { session } = await begin();
    const before = await rowOf(session);
    assert.equal(await rotate({ ...session, seedHash: 'another' }, 0, noon), 'invalid');
    assert.equal(await rotate({ ...session, seedHash: session.seedHash.toUpperCase() }, 0, noon), 'invalid');
    assert.equal(await rotate(session, 1, noon), 'invalid');
    assert.deepEqual(await rowOf(session), before);
    assert.equal(await rotate(session, 0, noon), 1);
  });

  it('a rotation of an unknown session returns ended', async () => {
    const { session } = await begin();
    assert.equal(await rotate({ ...session, id: asSessionId(newId()) }, 0, noon), 'ended');
    assert.equal(await rotate({ ...session, id: asSessionId(session.id.toUpperCase()) }, 0, noon), 'ended');
  });

  it('a session that was idle too long expires and stays expired', async () => {
    const { session } = await begin();
    const idle = sessionPolicy.idleSeconds * 1000;
    assert.equal(await rotate(session, 0, noon + idle - 1), 1);
    assert.equal(await rotate(session, 1, noon + 2 * idle - 1), 'expired');
    assert.equal(await rotate(session, 1, noon + 2 * idle), 'expired');
    const row = await rowOf(session);
    assert.deepEqual([row?.ended_at, row?.end_reason], [noon + 2 * idle - 1, 'idle']);
  });

  it('a session never outlives its absolute end', async () => {
    const policy = { ...sessionPolicy, lifeSeconds: 40 * 86_400 };
    const { session } = await begin(noon, { policy });
    assert.equal(await rotate(session, 0, noon + 20 * day), 1);
    assert.equal((await rowOf(session))?.expires_at, noon + 40 * day);
    assert.equal(await rotate(session, 1, noon + 40 * day - 1), 2);
    assert.equal(await rotate(session, 2, noon + 40 * day), 'expired');
    assert.equal((await rowOf(session))?.end_reason, 'absolute');
  });

  it('one of many rotations in one turn of the event loop raises the counter', async () => {
    const { session } = await begin();
    const all = await Promise.all(Array.from({ length: 6 }, () => rotate(session, 0, noon)));
    assert.deepEqual(all, [1, 1, 1, 1, 1, 1]);
    assert.equal((await rowOf(session))?.counter, 1);
  });

  it('listSessions returns the live sessions of a user, most recently used first', async () => {
    const { sessions } = open().ports;
    const phone = newPhone();
    const a = await begin(noon, { userAgent: undefined }, phone);
    const b = await begin(noon + 1, { userAgent: 'Ünïcode 😀' }, phone);
    await begin(noon + 2);
    await rotate(a.session, 0, noon + 3);
    const provedAt = (time: number) => ({ proof: 'sms', provedAt: time });
    const listed = await sessions.listSessions({ userId: a.userId, now: noon + 4 });
    assert.deepEqual(listed, [
      {
        id: a.session.id,
        userId: a.userId,
        createdAt: noon,
        lastUsedAt: noon + 3,
        ...provedAt(noon),
        userAgent: undefined,
        appId: undefined,
      },
      {
        id: b.session.id,
        userId: a.userId,
        createdAt: noon + 1,
        lastUsedAt: noon + 1,
        ...provedAt(noon + 1),
        userAgent: 'Ünïcode 😀',
        appId: undefined,
      },
    ]);
    const idleEnd = noon + 1 + sessionPolicy.idleSeconds * 1000;
    const left = await sessions.listSessions({ userId: a.userId, now: idleEnd });
    assert.deepEqual(
      left.map(({ id }) => id),
      [a.session.id],
    );
  });

  it('endSessions ends the sessions of the scope, of one user only, and returns those that were alive', async () => {
    const { sessions } = open().ports;
    const phone = newPhone();
    const mine = [await begin(noon, {}, phone), await begin(noon + 1, {}, phone), await begin(noon + 2, {}, phone)];
    const other = await begin();
    const [a = '', b = '', c = ''] = mine.map(({ session }) => session.id);
    const userId = mine[0]?.userId ?? '';
    const end = (session: string, scope: 'this' | 'others' | 'all') =>
      sessions.endSessions({
        userId: asUserId(userId),
        sessionId: asSessionId(session),
        scope,
        reason: 'logged out',
        now: noon + minute,
      });
    assert.deepEqual(await end(other.session.id, 'this'), []);
    assert.deepEqual(await end(a, 'this'), [a]);
    assert.deepEqual(await end(a, 'this'), []);
    assert.deepEqual(await end(b, 'others'), [c]);
    assert.deepEqual(await end(a, 'all'), [b]);
    assert.deepEqual(await end(a, 'all'), []);
    assert.equal(await rotate(other.session, 0, noon + minute), 1);
    const [row] = (await open().rows('sessions')).filter(({ id }) => id === a);
    assert.deepEqual([row?.ended_at, row?.end_reason], [noon + minute, 'logged out']);
  });

  it('endSessions does not return an expired session, but marks it as idle', async () => {
    const { sessions } = open().ports;
    const phone = newPhone();
    const late = noon + sessionPolicy.idleSeconds * 1000;
    const old = await begin(noon, {}, phone);
    const young = await begin(noon + minute, {}, phone);
    const { userId } = young;
    const ending = { userId, sessionId: old.session.id, reason: 'logged out' as const, now: late };
    assert.deepEqual(await sessions.endSessions({ ...ending, scope: 'this' }), []);
    assert.deepEqual(await sessions.endSessions({ ...ending, scope: 'all' }), [young.session.id]);
    assert.deepEqual([(await rowOf(old.session))?.ended_at, (await rowOf(old.session))?.end_reason], [late, 'idle']);
    assert.equal(await rotate(old.session, 0, late), 'expired');
    const audited = (await open().rows('audit_events')).filter(
      (event) => event.kind === 'session.ended' && event.user_id === userId,
    );
    assert.deepEqual(
      audited.map(({ detail }) => JSON.parse(detail).session),
      [young.session.id],
    );
  });

  it('two racing endings of a session return it once', async () => {
    const { sessions } = open().ports;
    const { userId, session } = await begin();
    const ending = { userId, sessionId: session.id, scope: 'this' as const, reason: 'revoked' as const, now: noon };
    const all = await Promise.all([sessions.endSessions(ending), sessions.endSessions(ending)]);
    assert.deepEqual(all, [[session.id], []]);
  });

  it('endedSince returns the sessions that ended after a given time, whatever the reason', async () => {
    const { sessions } = open().ports;
    const late = noon + 300 * day;
    const phone = newPhone();
    const evicted = await begin(late, {}, phone);
    await begin(late + 1, { policy: { ...sessionPolicy, perUser: 1 } }, phone);
    const out = await begin(late);
    await sessions.endSessions({
      userId: out.userId,
      sessionId: asSessionId(''),
      scope: 'all',
      reason: 'logged out',
      now: late + 2,
    });
    const reused = await begin(late);
    for (const counter of [0, 1]) await rotate(reused.session, counter, late);
    assert.equal(await rotate(reused.session, 0, late + 3), 'reused');
    const [all, some, none] = await Promise.all([late, late + 2, late + 3].map((since) => sessions.endedSince(since)));
    const ids = (ended: { id: string }[] = []) => ended.map(({ id }) => id).toSorted();
    assert.deepEqual(ids(all), [evicted, out, reused].map(({ session }) => session.id).toSorted());
    assert.deepEqual(some, [{ id: reused.session.id, endedAt: late + 3 }]);
    assert.deepEqual(none, []);
  });
});
