// Exchanging a refresh token: a forged one never reaches the store, and every refusal but a forged one ends the session here.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDevice, writeDeviceToken } from '../../../src/auth/devices/device-token.ts';
import type { RotationOutcome } from '../../../src/auth/sessions/session.ts';
import { hashSeed, markClient, parseRefreshToken, writeRefreshToken } from '../../../src/auth/tokens/refresh-token.ts';
import { refreshTokenPair } from '../../../src/auth/tokens/refresh-token-pair.ts';
import { newUserId } from '../../../src/kernel/ids.ts';
import { createAuthStage, failureOf, secrets } from '../../helpers/people/auth-fakes.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon, sessionPolicy } from '../../helpers/store/fixtures.ts';

const sessionId = asSessionId('0192f0c1-7d1e-7abc-8def-0123456789ab');
const seed = Buffer.alloc(16, 3);
const token = writeRefreshToken(secrets, { sessionId, seed, counter: 4 });
const { text: deviceToken } = writeDeviceToken(secrets, { userId: newUserId(), phone: undefined }, noon);
const input = { token, deviceToken, userAgent: 'Firefox', ip: '192.0.2.1' };
const last = { proof: 'sms', provedAt: noon - 3_600_000 } as const;
const renewed = {
  kind: 'renewed',
  counter: 5,
  userId: asUserId('ann'),
  ...last,
  endsAt: noon + 70_000,
  claims: { plan: 'pro' },
} as const;
const stageOf = (outcome: RotationOutcome) =>
  createAuthStage({ sessions: { rotate: async () => outcome }, revocations: { add: () => undefined } });

describe('exchanging a refresh token', () => {
  for (const renewal of ['rotated', 'repeated', 'repeated late'] as const) {
    it(`a refresh token that is ${renewal} gives the pair of its successor`, async () => {
      const { deps, calls } = stageOf({ ...renewed, renewal });
      const pair = await refreshTokenPair(deps, input);
      const client = markClient(seed, { ...input, device: readDevice(secrets, deviceToken, noon)?.id });
      const rotation = { sessionId, seedHash: hashSeed(seed), counter: 4, client, policy: sessionPolicy, now: noon };
      assert.deepEqual(calls, [['sessions.rotate', rotation]]);
      assert.deepEqual(parseRefreshToken(secrets, pair.refreshToken), { sessionId, seed, counter: 5 });
      const claims = JSON.parse(Buffer.from(pair.accessToken.split('.')[1] ?? '', 'base64url').toString());
      assert.deepEqual([claims.sub, claims.sid, claims.amr], ['ann', sessionId, ['otp', 'sms']]);
      assert.equal(claims.auth_time, noon / 1000 - 3600);
      assert.deepEqual([pair.accessSeconds, pair.refreshSeconds], [900, 70]);
    });
  }

  for (const wrong of [undefined, 'x', `${deviceToken.slice(0, -1)}${deviceToken.endsWith('A') ? 'B' : 'A'}`]) {
    it(`a refresh with the device token ${wrong?.length ?? 'of nobody'} counts as one without a device token`, async () => {
      const { deps, calls } = stageOf({ ...renewed, renewal: 'rotated' });
      await refreshTokenPair(deps, { ...input, deviceToken: wrong });
      assert.partialDeepStrictEqual(calls, [['sessions.rotate', { client: { device: '' } }]]);
    });
  }

  const cases: [kind: 'invalid' | 'expired' | 'reused' | 'ended', code: string, isRevoked: boolean][] = [
    ['invalid', 'REFRESH_TOKEN_INVALID', false],
    ['expired', 'REFRESH_TOKEN_EXPIRED', true],
    ['reused', 'REFRESH_TOKEN_REUSED', true],
    ['ended', 'SESSION_REVOKED', true],
  ];
  for (const [kind, code, isRevoked] of cases) {
    it(`a refresh token judged ${kind} fails with ${code}, and ${isRevoked ? 'stops' : 'does not stop'} the access tokens of its session`, async () => {
      const { deps, calls } = stageOf({ kind });
      assert.deepEqual(await failureOf(refreshTokenPair(deps, input)), [code, {}]);
      assert.deepEqual(calls.slice(1), isRevoked ? [['revocations.add', [sessionId]]] : []);
    });
  }

  it('a forged refresh token is refused without the store', async () => {
    const { deps, calls } = createAuthStage();
    for (const forged of ['', 'x', `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`])
      assert.deepEqual(await failureOf(refreshTokenPair(deps, { ...input, token: forged })), [
        'REFRESH_TOKEN_INVALID',
        {},
      ]);
    assert.deepEqual(calls, []);
  });
});
