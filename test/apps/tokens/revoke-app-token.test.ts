// An app gives up a token: only its own, by refresh or access token, and without learning anything.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endSignIn } from '../../../src/apps/end-sign-in.ts';
import { revokeAppToken } from '../../../src/apps/tokens/revoke-app-token.ts';
import type { AccessClaims } from '../../../src/auth/tokens/access-token.ts';
import { hashSeed, writeRefreshToken } from '../../../src/auth/tokens/refresh-token.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { createAppStage, shop } from '../../helpers/people/app-fakes.ts';
import { secrets } from '../../helpers/people/auth-fakes.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const sessionId = asSessionId('0192f0c1-7d1e-7abc-8def-0123456789ab');
const seed = Buffer.alloc(16, 3);
const token = writeRefreshToken(secrets, { sessionId, seed, counter: 4 }, 'app');

const stage = (app?: AccessClaims['app']) => {
  const { deps, calls } = createAppStage({
    appStore: { endSession: async () => [sessionId] },
    sessions: { endSessions: async () => [sessionId, 'child'].map(asSessionId) },
    revocations: { add: () => undefined },
  });
  const claims = { userId: asUserId('ann'), sessionId, expiresAt: noon, provedAt: noon, amr: [], keyId: 'key' };
  const checkAccess = async (text: string): Promise<AccessClaims> => {
    if (text !== 'access') throw new Failure('ACCESS_TOKEN_INVALID');
    return { ...claims, ...(app !== undefined && { app }) };
  };
  return { deps: { ...deps, checkAccess }, calls };
};

describe('a token that an app gives up', () => {
  const ending = { sessionId, appId: 'shop', now: noon };

  it('ends the session of a refresh token with the right seed', async () => {
    const { deps, calls } = stage();
    await revokeAppToken(deps, { app: shop, token });
    assert.deepEqual(calls, [
      ['appStore.endSession', { ...ending, seedHash: hashSeed(seed) }],
      ['revocations.add', [sessionId]],
    ]);
  });

  it('ends the session of an access token of this app', async () => {
    const { deps, calls } = stage({ id: 'shop', scopes: [], isFirstParty: true });
    await revokeAppToken(deps, { app: shop, token: 'access' });
    assert.deepEqual(calls[0], ['appStore.endSession', { ...ending, seedHash: undefined }]);
  });

  it('changes nothing if it is of another app, of this service, or unknown', async () => {
    for (const { deps, calls } of [stage({ id: 'other', scopes: [], isFirstParty: true }), stage()]) {
      await revokeAppToken(deps, { app: shop, token: 'access' });
      await revokeAppToken(deps, { app: shop, token: 'unknown' });
      assert.deepEqual(calls, []);
    }
  });

  it('is not lost in a fault of the service', async () => {
    const { deps } = stage();
    for (const fault of [new Error('broken'), new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 })]) {
      const broken = { ...deps, checkAccess: () => Promise.reject(fault) };
      await assert.rejects(revokeAppToken(broken, { app: shop, token: 'access' }), fault);
    }
  });
});

describe('a sign-out that an app asks for', () => {
  it('ends the session of the browser like a sign-out of its own', async () => {
    const { deps, calls } = stage();
    await endSignIn(deps, { userId: asUserId('ann'), sessionId });
    assert.deepEqual(calls, [
      ['sessions.endSessions', { userId: 'ann', sessionId, scope: 'this', reason: 'logged out', now: noon }],
      ['revocations.add', [sessionId, 'child']],
    ]);
  });
});
