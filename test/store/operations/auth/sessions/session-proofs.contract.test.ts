// Contract of ProofStore: the code, the proof and the refresh token change in one commit, or nothing does.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SessionDraft } from '../../../../../src/auth/sessions/session.ts';
import type { UserId } from '../../../../../src/kernel/ids.ts';
import { asPhone } from '../../../../helpers/people/ids.ts';
import { bind, noon, right, sessionPolicy } from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';
import { createProofInputs, later } from '../../../proof-inputs.ts';

onEveryStore('proofs of sessions', (open) => {
  const { begin, wrong, sent, proofOf, rotationOf, withoutToken, prove, rowOf, stateOf } = createProofInputs(open);

  it('a session is proved by its sign-in, and a rotation does not prove it again', async () => {
    const { session } = await begin();
    const { id: sessionId, seedHash } = session;
    const rotation = { sessionId, seedHash, counter: 0, policy: sessionPolicy, now: later };
    const renewed = await open().ports.sessions.rotate(rotation);
    assert.ok(renewed.kind === 'renewed');
    assert.deepEqual([renewed.proof, renewed.provedAt], ['sms', noon]);
    const row = await rowOf(session);
    assert.deepEqual([row?.proved_at, row?.proof], [noon, 'sms']);
  });

  it('a session of an older version, or with a proof of a later one, counts as proved by its sign-in', async () => {
    for (const changes of ['proved_at = null, proof = null', `proved_at = ${later}, proof = 'passkey'`]) {
      const { session } = await begin();
      await open().query(`update sessions set ${changes} where id = '${session.id}'`);
      const { id: sessionId, seedHash } = session;
      const rotation = { sessionId, seedHash, counter: 0, policy: sessionPolicy, now: later };
      const renewed = await open().ports.sessions.rotate(rotation);
      assert.ok(renewed.kind === 'renewed');
      assert.deepEqual([renewed.proof, renewed.provedAt], ['sms', noon]);
    }
  });

  it('a right code proves the session, rotates its token as a refresh does, and is audited', async () => {
    const { phone, userId, session } = await begin();
    const candidate = await sent('sms', phone, userId);
    const endsAt = noon + sessionPolicy.lifeSeconds * 1000;
    const last = { proof: 'sms', provedAt: later };
    const renewed = { kind: 'renewed', counter: 1, userId, ...last, endsAt, claims: {}, renewal: 'rotated' };
    assert.deepEqual(await prove(proofOf(userId, session, [candidate])), renewed);
    const row = await rowOf(session);
    assert.deepEqual([row?.proved_at, row?.proof, row?.rotated_at, row?.counter], [later, 'sms', later, 1]);
    assert.equal(await stateOf(candidate.attempt.slot), 'consumed');
    const events = (await open().rows('audit_events')).filter((event) => event.user_id === userId);
    assert.ok(events.some(({ kind, detail }) => kind === 'session.proved' && detail.includes(session.id)));
    const again = { ...rotationOf(session), now: later + 30_000 };
    const repeated = await open().ports.sessions.rotate(again);
    assert.ok(repeated.kind === 'renewed', 'the previous token has its grace period');
    assert.deepEqual([repeated.counter, repeated.provedAt, repeated.renewal], [1, later, 'repeated']);
  });

  it('a right code by e-mail proves the session by e-mail, where the address is still bound', async () => {
    const { phone, userId, session } = await begin();
    const [old, fresh] = [`${userId}@old.example`, `${userId}@new.example`];
    await bind(open().ports, userId, asPhone(old), noon);
    const sms = { proof: 'sms' as const, attempt: wrong('sms', phone, userId), country: undefined };
    const lateCode = await sent('email', old, userId);
    await bind(open().ports, userId, asPhone(fresh), noon);
    const refused = await prove(proofOf(userId, session, [sms, { ...lateCode, attempt: right(lateCode.attempt) }]));
    assert.equal(refused.kind, 'refused', 'a code to the replaced address is a guess at a code by SMS');
    const proved = await prove(proofOf(userId, session, [sms, await sent('email', fresh, userId)]));
    assert.ok(proved.kind === 'renewed');
    assert.deepEqual([proved.proof, proved.provedAt], ['email', later]);
  });

  it('a code for an address that is no longer bound, and nothing else, is lost and counts nothing', async () => {
    const { userId, session } = await begin();
    const code = await sent('email', `${userId}@gone.example`, userId);
    assert.deepEqual(await prove(proofOf(userId, session, [code])), { kind: 'lost' });
    assert.equal(await stateOf(code.attempt.slot), 'pending');
  });

  it('a wrong code is counted and leaves the session as it was', async () => {
    const { phone, userId, session } = await begin();
    const { attempt: given, ...candidate } = await sent('sms', phone, userId);
    const before = await rowOf(session);
    const guess = { ...candidate, attempt: { ...given, given: '314159' } };
    const outcome = await prove(proofOf(userId, session, [guess]));
    assert.ok(outcome.kind === 'refused' && outcome.code === 'OTP_INVALID');
    assert.deepEqual(await rowOf(session), before);
    assert.equal((await open().rows('challenges')).find(({ slot }) => slot === given.slot)?.attempts, 1);
  });

  it('of ten proofs with one code at once, exactly one proves the session', async () => {
    const { phone, userId, session } = await begin();
    const candidate = await sent('sms', phone, userId);
    const all = Array.from({ length: 10 }, () => prove(proofOf(userId, session, [candidate])));
    const kinds = (await Promise.all(all)).map(({ kind }) => kind);
    assert.equal(kinds.filter((kind) => kind === 'renewed').length, 1);
    assert.equal((await rowOf(session))?.counter, 1);
  });

  const refusals: [
    what: string,
    end: (given: { userId: UserId; session: SessionDraft }) => Promise<unknown>,
    kind: string,
  ][] = [
    [
      'that was signed out',
      ({ userId, session }) =>
        open().ports.sessions.endSessions({
          userId,
          sessionId: session.id,
          scope: 'this',
          reason: 'logged out',
          now: noon,
        }),
      'ended',
    ],
    ['of a deleted user', ({ userId }) => open().ports.users.deleteUser({ userId, now: noon }), 'ended'],
    [
      'of a blocked user',
      ({ userId }) => open().query(`update users set blocked_at = ${noon} where id = '${userId}'`),
      'ended',
    ],
    [
      'that was idle for too long',
      ({ session }) => open().query(`update sessions set expires_at = ${noon} where id = '${session.id}'`),
      'expired',
    ],
    [
      'whose token was rotated twice meanwhile',
      ({ session }) => open().query(`update sessions set counter = 2 where id = '${session.id}'`),
      'reused',
    ],
    [
      'of another user',
      ({ session }) => open().query(`update sessions set user_id = 'somebody else' where id = '${session.id}'`),
      'ended',
    ],
    [
      'with another seed',
      ({ session }) => open().query(`update sessions set seed_hash = 'another' where id = '${session.id}'`),
      'invalid',
    ],
  ];
  for (const [what, end, kind] of refusals) {
    it(`a session ${what} is not proved, and the code is not used up`, async () => {
      const { phone, userId, session } = await begin();
      const candidate = await sent('sms', phone, userId);
      await end({ userId, session });
      assert.equal((await prove(proofOf(userId, session, [candidate]))).kind, kind);
      assert.equal(await stateOf(candidate.attempt.slot), 'pending');
      assert.equal((await rowOf(session))?.proved_at, noon);
      if (kind === 'ended' || kind === 'expired') {
        const bare = await prove(withoutToken(userId, session, [candidate]));
        assert.equal(bare.kind, kind, 'nor without a refresh token');
        assert.equal(await stateOf(candidate.attempt.slot), 'pending');
        assert.equal((await rowOf(session))?.seed_hash, session.seedHash);
      }
      if (kind === 'reused') assert.equal((await rowOf(session))?.end_reason, 'reused');
    });
  }

  it('a proof with the previous token, after a refresh in another tab, proves the session and keeps the newest token', async () => {
    const { phone, userId, session } = await begin();
    const candidate = await sent('sms', phone, userId);
    await open().ports.sessions.rotate({ ...rotationOf(session), now: later - 1000 });
    const outcome = await prove(proofOf(userId, session, [candidate]));
    assert.ok(outcome.kind === 'renewed');
    assert.deepEqual([outcome.counter, outcome.renewal, outcome.provedAt], [1, 'repeated', later]);
    const row = await rowOf(session);
    assert.deepEqual([row?.counter, row?.proved_at], [1, later]);
  });

  it('a proof and a sign-out at once leave an ended session', async () => {
    const { phone, userId, session } = await begin();
    const candidate = await sent('sms', phone, userId);
    const ending = { userId, sessionId: session.id, scope: 'this', reason: 'logged out', now: later } as const;
    const [outcome] = await Promise.all([
      prove(proofOf(userId, session, [candidate])),
      open().ports.sessions.endSessions(ending),
    ]);
    assert.ok(outcome.kind === 'renewed' || outcome.kind === 'ended');
    assert.equal((await rowOf(session))?.end_reason, 'logged out');
  });
});
