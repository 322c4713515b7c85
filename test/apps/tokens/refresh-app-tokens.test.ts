// Refreshing the tokens of an app: bound to the app, never with more scopes than its session.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refreshAppTokens } from '../../../src/apps/tokens/refresh-app-tokens.ts';
import type { RotationOutcome } from '../../../src/auth/sessions/session.ts';
import { hashSeed, markClient, parseRefreshToken, writeRefreshToken } from '../../../src/auth/tokens/refresh-token.ts';
import { claimsOf, createAppStage, shop } from '../../helpers/people/app-fakes.ts';
import { secrets } from '../../helpers/people/auth-fakes.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon, sessionPolicy } from '../../helpers/store/fixtures.ts';

const sessionId = asSessionId('0192f0c1-7d1e-7abc-8def-0123456789ab');
const seed = Buffer.alloc(16, 3);
const token = writeRefreshToken(secrets, { sessionId, seed, counter: 4 }, 'app');
const input = { app: shop, token, scopes: undefined, userAgent: 'Shop/1', ip: '192.0.2.7' };
const renewed: RotationOutcome = {
  kind: 'renewed',
  counter: 5,
  userId: asUserId('ann'),
  proof: 'sms',
  provedAt: noon,
  endsAt: noon + 70_000,
  claims: {},
  renewal: 'rotated',
  scopes: ['openid', 'phone'],
};
const stageOf = (outcome: RotationOutcome) =>
  createAppStage({ sessions: { rotate: async () => outcome }, revocations: { add: () => undefined } });

describe('refreshing the tokens of an app', () => {
  it('a good token gives its successor and all scopes of the session, but no id token', async () => {
    const { deps, calls } = stageOf(renewed);
    const tokens = await refreshAppTokens(deps, input);
    assert.ok(typeof tokens === 'object');
    const client = markClient(seed, { ...input, device: 'app shop' });
    const rotation = { sessionId, seedHash: hashSeed(seed), counter: 4, client, appId: 'shop' };
    assert.deepEqual(calls, [['sessions.rotate', { ...rotation, policy: sessionPolicy, now: noon }]]);
    assert.deepEqual(parseRefreshToken(secrets, tokens.refreshToken, 'app'), { sessionId, seed, counter: 5 });
    assert.deepEqual([tokens.scopes, tokens.idToken], [['openid', 'phone'], undefined]);
  });

  it('an app that asks for less gets an access token with less', async () => {
    const { deps, calls } = stageOf(renewed);
    const tokens = await refreshAppTokens(deps, { ...input, scopes: ['phone'] });
    assert.ok(typeof tokens === 'object');
    const [[, rotation] = []] = calls;
    assert.partialDeepStrictEqual(rotation, { scopes: ['phone'] });
    assert.equal(claimsOf(tokens.accessToken).scope, 'phone');
  });

  it('a scope that the operator has taken from the app since is gone from its tokens', async () => {
    const { deps } = stageOf(renewed);
    const app = { ...shop, scopes: ['openid', 'email'] } as const;
    for (const scopes of [undefined, ['openid', 'phone']] as const) {
      const tokens = await refreshAppTokens(deps, { ...input, app, scopes });
      assert.ok(typeof tokens === 'object');
      assert.deepEqual([tokens.scopes, claimsOf(tokens.accessToken).scope], [['openid'], 'openid']);
    }
  });

  it('a forged token is refused without the store', async () => {
    assert.equal(await refreshAppTokens(createAppStage().deps, { ...input, token: 'forged' }), 'refused');
  });

  const cases: [RotationOutcome, expected: string, revoked: string[][]][] = [
    [{ kind: 'invalid' }, 'refused', []],
    [{ kind: 'too wide' }, 'too wide', []],
    [{ kind: 'expired' }, 'refused', [[sessionId]]],
    [{ kind: 'ended' }, 'refused', [[sessionId]]],
    [{ kind: 'reused' }, 'refused', [[sessionId]]],
  ];
  for (const [outcome, expected, revoked] of cases) {
    it(`a token that the store calls “${outcome.kind}” is ${expected}`, async () => {
      const { deps, calls } = stageOf(outcome);
      assert.equal(await refreshAppTokens(deps, input), expected);
      assert.deepEqual(
        calls.slice(1).map(([, ids]) => ids),
        revoked,
      );
    });
  }
});
