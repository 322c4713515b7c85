// The check of an access token: the signature once, and its key, its time and its session on every use.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signAccessToken } from '../../../src/auth/tokens/access-token.ts';
import { createAccessCheck } from '../../../src/auth/tokens/check-access-token.ts';
import type { PublicKey } from '../../../src/auth/tokens/signing-key.ts';
import { accessToken, failureOf, signingKey } from '../../helpers/people/auth-fakes.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const subject = {
  userId: asUserId('ann'),
  sessionId: asSessionId('session'),
  proof: 'sms',
  provedAt: noon,
  claims: {},
} as const;
const write = (sessionId = 'session') =>
  signAccessToken(signingKey(), { ...subject, sessionId: asSessionId(sessionId) }, accessToken, noon);
const expiresAt = noon + 900_000;

function createStage({ isLoaded = true, isStored = true, cacheSize = 2, cacheCharacters = 1e6 } = {}) {
  const stage = {
    now: noon,
    loaded: new Map<string, PublicKey>(isLoaded ? [[signingKey().id, signingKey()]] : []),
    revoked: new Set<string>(),
    reloads: [] as string[],
    verified: 0,
  };
  const checkAtOnce = createAccessCheck(
    {
      clock: { now: () => stage.now },
      keyRing: {
        refresh: () => assert.fail('refreshed'),
        signer: () => assert.fail('signed'),
        jwks: () => assert.fail('listed'),
        find: (id) => stage.loaded.get(id),
        findOrReload: async (id) => {
          stage.reloads.push(id);
          if (isStored && id === signingKey().id) stage.loaded.set(id, signingKey());
          return stage.loaded.get(id);
        },
      },
      revocations: {
        has: (id) => stage.revoked.has(id),
        add: () => assert.fail('added'),
        follow: () => assert.fail('followed'),
      },
      get accessToken() {
        stage.verified += 1;
        return accessToken;
      },
    },
    cacheSize,
    cacheCharacters,
  );
  return { stage, checkAtOnce, check: async (token: string) => checkAtOnce(token) };
}

describe('the check of an access token', () => {
  it('a valid access token names its user, session, end and key', async () => {
    const { check, stage } = createStage();
    assert.deepEqual(await check(write()), {
      userId: 'ann',
      sessionId: asSessionId('session'),
      expiresAt,
      provedAt: noon,
      amr: ['otp', 'sms'],
      keyId: signingKey().id,
    });
    assert.deepEqual(stage.reloads, []);
  });

  it('an access token that was verified is not verified again', async () => {
    const { check, stage } = createStage();
    const token = write();
    const claims = await check(token);
    assert.equal(await check(token), claims);
    assert.equal(stage.verified, 1);
  });

  it('an access token that was verified is checked without waiting', async () => {
    const { checkAtOnce, stage } = createStage();
    const token = write();
    const first = checkAtOnce(token);
    assert.ok(first instanceof Promise);
    const claims = await first;
    assert.equal(checkAtOnce(token), claims);
    stage.revoked.add('session');
    assert.throws(() => checkAtOnce(token), { code: 'SESSION_REVOKED' });
  });

  it('an access token is refused from its end on, also if it was verified before', async () => {
    const { check, stage } = createStage();
    const token = write();
    await check(token);
    stage.now = expiresAt + 29_999;
    await check(token);
    stage.now = expiresAt + 30_000;
    assert.deepEqual(await failureOf(check(token)), ['ACCESS_TOKEN_EXPIRED', {}]);
    assert.deepEqual(await failureOf(check(write())), ['ACCESS_TOKEN_EXPIRED', {}]);
  });

  it('an access token of an ended session is refused, also if it was verified before', async () => {
    const { check, stage } = createStage();
    const token = write();
    await check(token);
    stage.revoked.add('session');
    assert.deepEqual(await failureOf(check(token)), ['SESSION_REVOKED', {}]);
    assert.deepEqual(await failureOf(check(write())), ['SESSION_REVOKED', {}]);
    assert.equal((await check(write('other'))).sessionId, 'other');
  });

  it('an access token that was refused is not remembered', async () => {
    const { check, stage } = createStage();
    const token = write();
    stage.revoked.add('session');
    await failureOf(check(token));
    stage.revoked.clear();
    await check(token);
    assert.equal(stage.verified, 2);
  });

  it('an access token whose key was revoked is verified again, and refused', async () => {
    const { check, stage } = createStage({ isStored: false });
    const token = write();
    await check(token);
    stage.loaded.clear();
    assert.deepEqual(await failureOf(check(token)), ['ACCESS_TOKEN_INVALID', {}]);
    assert.deepEqual(stage.reloads, [signingKey().id]);
  });

  it('an access token of a key that this node does not know is valid after the keys were reloaded', async () => {
    const { check, stage } = createStage({ isLoaded: false });
    assert.equal((await check(write())).userId, 'ann');
    assert.deepEqual(stage.reloads, [signingKey().id]);
  });

  it('an access token that is forged under a known key reloads nothing', async () => {
    const { check, stage } = createStage();
    const [header, payload] = write().split('.');
    const forged = `${header}.${payload}.${Buffer.alloc(64, 1).toString('base64url')}`;
    for (const token of [forged, 'x', ''])
      assert.deepEqual(await failureOf(check(token)), ['ACCESS_TOKEN_INVALID', {}]);
    assert.deepEqual(stage.reloads, []);
  });

  it('an access token that is forged under an unknown key is refused after the keys were reloaded', async () => {
    const { check, stage } = createStage({ isLoaded: false });
    const [header, payload] = write().split('.');
    const forged = `${header}.${payload}.${Buffer.alloc(64, 1).toString('base64url')}`;
    assert.deepEqual(await failureOf(check(forged)), ['ACCESS_TOKEN_INVALID', {}]);
    assert.deepEqual(stage.reloads, [signingKey().id]);
  });

  it('as many access tokens are remembered as fit, and then it starts over', async () => {
    const { check, stage } = createStage({ cacheSize: 2 });
    const [first, second, third] = [write('1'), write('2'), write('3')];
    for (const token of [first, second, first, second]) await check(token);
    assert.equal(stage.verified, 2);
    for (const token of [third, third]) await check(token);
    assert.equal(stage.verified, 3);
    await check(first);
    assert.equal(stage.verified, 4);
  });

  it('access tokens are remembered up to a number of characters, and then it starts over', async () => {
    const [first, second, third] = [write('1'), write('2'), write('3')];
    const { check, stage } = createStage({ cacheSize: 9, cacheCharacters: first.length + second.length });
    for (const token of [first, second, first, second]) await check(token);
    assert.equal(stage.verified, 2);
    for (const token of [third, third]) await check(token);
    assert.equal(stage.verified, 3);
    for (const token of [first, third, first]) await check(token);
    assert.equal(stage.verified, 4);
  });
});
