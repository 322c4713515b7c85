// Contract of ProofStore without a refresh token: the session gets a new seed, whatever a refresh does at the same time.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';
import { createProofInputs, later } from '../../../proof-inputs.ts';

onEveryStore('proofs of sessions without a refresh token', (open) => {
  const { begin, sent, proofOf, rotationOf, withoutToken, prove, rowOf } = createProofInputs(open);

  it('a proof without a token replaces the seed and starts its counter anew; the old token is refused and ends nothing', async () => {
    const { phone, userId, session } = await begin();
    const old = rotationOf(session);
    await open().ports.sessions.rotate({ ...old, client: { agent: 'a', network: 'n', device: '' }, now: later - 1000 });
    const outcome = await prove(withoutToken(userId, session, [await sent('sms', phone, userId)]));
    assert.ok(outcome.kind === 'renewed');
    assert.deepEqual([outcome.counter, outcome.renewal, outcome.provedAt], [0, 'rotated', later]);
    for (const counter of [0, 1])
      assert.deepEqual(await open().ports.sessions.rotate({ ...old, counter }), { kind: 'invalid' });
    const row = await rowOf(session);
    assert.deepEqual([row?.seed_hash, row?.counter, row?.rotated_by, row?.ended_at], ['new seed', 0, null, null]);
    const next = await open().ports.sessions.rotate({ ...old, seedHash: 'new seed' });
    assert.ok(next.kind === 'renewed');
    assert.deepEqual([next.counter, next.proof, next.provedAt], [1, 'sms', later]);
  });

  it('a wrong code without a token is counted and leaves the session as it was', async () => {
    const { phone, userId, session } = await begin();
    const { attempt: given, ...candidate } = await sent('sms', phone, userId);
    const before = await rowOf(session);
    const guess = { ...candidate, attempt: { ...given, given: '314159' } };
    assert.equal((await prove(withoutToken(userId, session, [guess]))).kind, 'refused');
    assert.deepEqual(await rowOf(session), before);
  });

  it('a refresh and a proof without a token at once: the proof wins the session, whichever was first', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 10; round++) {
      const { phone, userId, session } = await begin();
      const candidate = await sent('sms', phone, userId);
      const refresh = () => open().ports.sessions.rotate(rotationOf(session));
      const proof = () => prove(withoutToken(userId, session, [candidate]));
      const [refreshed, proved] =
        round % 2 === 0
          ? await Promise.all([refresh(), proof()])
          : (await Promise.all([proof(), refresh()])).toReversed();
      seen.add(refreshed?.kind ?? '');
      assert.equal(proved?.kind, 'renewed');
      const row = await rowOf(session);
      assert.deepEqual([row?.seed_hash, row?.counter, row?.ended_at], ['new seed', 0, null]);
    }
    for (const kind of seen) assert.ok(kind === 'renewed' || kind === 'invalid', kind);
  });

  it('of a proof with the token and one without, with one code at once, exactly one proves the session', async () => {
    const { phone, userId, session } = await begin();
    const candidate = await sent('sms', phone, userId);
    const [one, two] = await Promise.all([
      prove(proofOf(userId, session, [candidate])),
      prove(withoutToken(userId, session, [candidate])),
    ]);
    assert.equal([one, two].filter(({ kind }) => kind === 'renewed').length, 1);
    const row = await rowOf(session);
    const [seed, counter] = one.kind === 'renewed' ? [session.seedHash, 1] : ['new seed', 0];
    assert.deepEqual([row?.seed_hash, row?.counter, row?.ended_at], [seed, counter, null]);
  });
});
