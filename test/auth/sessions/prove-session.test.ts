// Proving a session again: what is committed, which pair is answered, and which outcome becomes which failure.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeAskToken } from '../../../src/auth/codes/ask-token.ts';
import { challengeSlot } from '../../../src/auth/codes/challenge.ts';
import { readDevice, writeDeviceToken } from '../../../src/auth/devices/device-token.ts';
import type { User } from '../../../src/auth/identity/user.ts';
import { proveSession } from '../../../src/auth/sessions/prove-session.ts';
import type { ProofOutcome, SessionProof } from '../../../src/auth/sessions/session-proof.ts';
import { hashSeed, markClient, parseRefreshToken, writeRefreshToken } from '../../../src/auth/tokens/refresh-token.ts';
import { newUserId } from '../../../src/kernel/ids.ts';
import { createAuthStage, failureOf, givenTo, secrets } from '../../helpers/people/auth-fakes.ts';
import { asEmail, asEmailKey, asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { makeUser } from '../../helpers/people/user.ts';
import { brakePolicy, noon, sessionPolicy } from '../../helpers/store/fixtures.ts';

const sessionId = asSessionId('0192f0c1-7d1e-7abc-8def-0123456789ab');
const seed = Buffer.alloc(16, 3);
const refreshToken = writeRefreshToken(secrets, { sessionId, seed, counter: 4 });
const phone = asPhone('+4915112345678');
const ann = makeUser({ phone, email: asEmail('Ann@Example.com') });
const code = { otp: '123 456', askToken: undefined, deviceToken: undefined, ip: '192.0.2.1' };
const input = { ...code, userId: asUserId('ann'), sessionId, refreshToken, userAgent: 'Firefox' };
const last = { proof: 'email', provedAt: noon } as const;
const renewed = {
  kind: 'renewed',
  counter: 5,
  userId: asUserId('ann'),
  ...last,
  endsAt: noon + 70_000,
  claims: { plan: 'pro' },
  renewal: 'rotated',
} as const;
const unused = { share: 0.5, count: 4 } as never;
const stageOf = (outcome: ProofOutcome, user: User | undefined = ann) =>
  createAuthStage(
    {
      users: { findUser: async () => user },
      proofs: { prove: async () => outcome },
      revocations: { add: () => undefined },
    },
    { brake: { ...brakePolicy, unused } },
  );

describe('proving a session again', () => {
  it('a proof commits the code for both channels with the rotation, and answers the pair of the successor', async () => {
    const { deps, calls } = stageOf(renewed);
    const pair = await proveSession(deps, input);
    const { candidates, ...proof } = givenTo<SessionProof>(calls, 'proofs.prove');
    const client = markClient(seed, { ...input, device: undefined });
    const rotation = { sessionId, seedHash: hashSeed(seed), counter: 4, client, policy: sessionPolicy, now: noon };
    assert.deepEqual(proof, { userId: 'ann', rotation, ip: '192.0.2.1' });
    const [sms, email] = candidates;
    assert.deepEqual([sms?.proof, sms?.country, email?.proof, email?.country], ['sms', 'DE', 'email', undefined]);
    assert.equal(sms?.attempt.slot, challengeSlot('proof-phone', phone, asUserId('ann')));
    assert.equal(email?.attempt.slot, challengeSlot('proof-email', asEmailKey('ann@example.com'), asUserId('ann')));
    assert.deepEqual([sms?.attempt.policy, email?.attempt.policy], [deps.otp.sms, deps.otp.mail]);
    assert.deepEqual([sms?.attempt.given, sms?.attempt.caller], ['123456', '192.0.2.1']);
    assert.deepEqual(parseRefreshToken(secrets, pair.refreshToken), { sessionId, seed, counter: 5 });
    const claims = JSON.parse(Buffer.from(pair.accessToken.split('.')[1] ?? '', 'base64url').toString());
    assert.deepEqual([claims.sid, claims.auth_time, claims.amr], [sessionId, noon / 1000, ['otp', 'email']]);
    assert.deepEqual([pair.accessSeconds, pair.refreshSeconds], [900, 70]);
  });

  it('a proof without a refresh token commits the hash of a new seed, and answers the pair of that seed', async () => {
    const { deps, calls } = stageOf({ ...renewed, counter: 0 });
    const pair = await proveSession(deps, { ...input, refreshToken: undefined });
    const { rotation } = givenTo<SessionProof>(calls, 'proofs.prove');
    const token = parseRefreshToken(secrets, pair.refreshToken);
    assert.deepEqual([token.sessionId, token.counter], [sessionId, 0]);
    assert.notDeepEqual(token.seed, seed);
    const client = markClient(token.seed, { ...input, device: undefined });
    const expected = { sessionId, seedHash: hashSeed(token.seed), counter: undefined, client };
    assert.deepEqual(rotation, { ...expected, policy: sessionPolicy, now: noon });
  });

  it('a code by SMS is counted as one of a known device, and a code by e-mail is not', async () => {
    const { deps, calls } = stageOf(renewed);
    const { text } = writeDeviceToken(secrets, { userId: newUserId(), phone }, noon);
    await proveSession(deps, { ...input, deviceToken: text });
    const { candidates, rotation } = givenTo<SessionProof>(calls, 'proofs.prove');
    const device = readDevice(secrets, text, noon)?.id;
    assert.deepEqual(
      candidates.map(({ attempt }) => attempt.device),
      [device, undefined],
    );
    assert.deepEqual(rotation.client, markClient(seed, { ...input, device }), 'the rotation records the device too');
  });

  it('a proof of a user without an address has one channel, and one of an unserved number counts for no country', async () => {
    const { deps, calls } = stageOf(renewed, { ...ann, phone: asPhone('+15550100001'), email: undefined });
    await proveSession(deps, input);
    const { candidates } = givenTo<SessionProof>(calls, 'proofs.prove');
    assert.deepEqual(
      candidates.map(({ proof, country }) => [proof, country]),
      [['sms', undefined]],
    );
  });

  it('a proof knows by the ask token which channel the client asked for', async () => {
    const { deps, calls } = stageOf(renewed);
    const subject = {
      purpose: 'proof-email',
      recipient: asEmailKey('ann@example.com'),
      userId: asUserId('ann'),
    } as const;
    const { text: askToken } = writeAskToken(secrets, subject, 300, noon);
    await proveSession(deps, { ...input, askToken });
    const { candidates } = givenTo<SessionProof>(calls, 'proofs.prove');
    assert.deepEqual(
      candidates.map(({ attempt }) => attempt.asker !== undefined),
      [false, true],
    );
  });

  const refused = { kind: 'refused', code: 'OTP_EXPIRED', detail: {} } as const;
  const cases: [outcome: ProofOutcome, code: string, detail: object, isRevoked: boolean][] = [
    [{ kind: 'lost' }, 'OTP_INVALID', { left: 4 }, false],
    [refused, 'OTP_EXPIRED', {}, false],
    [{ kind: 'invalid' }, 'REFRESH_TOKEN_INVALID', {}, false],
    [{ kind: 'expired' }, 'REFRESH_TOKEN_EXPIRED', {}, true],
    [{ kind: 'reused' }, 'REFRESH_TOKEN_REUSED', {}, true],
    [{ kind: 'ended' }, 'SESSION_REVOKED', {}, true],
  ];
  for (const [outcome, failure, detail, isRevoked] of cases) {
    it(`a proof that ends with ${outcome.kind} fails with ${failure}, and ${isRevoked ? 'stops' : 'does not stop'} the access tokens`, async () => {
      const { deps, calls } = stageOf(outcome);
      assert.deepEqual(await failureOf(proveSession(deps, input)), [failure, detail]);
      assert.deepEqual(calls.slice(2), isRevoked ? [['revocations.add', [sessionId]]] : []);
    });
  }

  it('a proof that ends in a way that is not known is an error, not a pair', async () => {
    await assert.rejects(proveSession(stageOf({ kind: 'new' } as never).deps, input), /not handled/);
  });

  it('a proof with a forged refresh token, or one of another session, is refused without the store', async () => {
    const other = writeRefreshToken(secrets, { sessionId: asSessionId(sessionId.replace('b', 'c')), seed, counter: 4 });
    for (const token of ['', 'x', other]) {
      const { deps, calls } = createAuthStage();
      const failed = failureOf(proveSession(deps, { ...input, refreshToken: token }));
      assert.deepEqual(await failed, ['REFRESH_TOKEN_INVALID', {}]);
      assert.deepEqual(calls, []);
    }
  });

  it('a proof of a user who is gone, or with a text that is no code, commits nothing', async () => {
    const gone = createAuthStage({ users: { findUser: async () => undefined } });
    assert.deepEqual(await failureOf(proveSession(gone.deps, input)), ['SESSION_REVOKED', {}]);
    const { deps, calls } = stageOf(renewed);
    const failed = failureOf(proveSession(deps, { ...input, otp: '12345' }));
    assert.deepEqual(await failed, ['REQUEST_INVALID', { field: 'otp' }]);
    assert.deepEqual(calls, [['users.findUser', 'ann']]);
  });
});
