// Exchanging a code: the store gets hashes only, and the app gets tokens that say what they are for.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CodeExchange, ExchangeOutcome } from '../../../src/apps/app-store.ts';
import { exchangeCode } from '../../../src/apps/tokens/exchange-code.ts';
import { verifyAccessToken } from '../../../src/auth/tokens/access-token.ts';
import { hashSeed, parseRefreshToken } from '../../../src/auth/tokens/refresh-token.ts';
import { sha256 } from '../../../src/kernel/crypto/digest.ts';
import { claimsOf, createAppStage, foreign, shop } from '../../helpers/people/app-fakes.ts';
import { accessToken, secrets } from '../../helpers/people/auth-fakes.ts';
import { asEmail, asPhone, asSessionId } from '../../helpers/people/ids.ts';
import { makeUser } from '../../helpers/people/user.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const input = {
  app: shop,
  code: 'the code',
  redirectUri: 'https://shop.example/back',
  verifier: 'the verifier',
  userAgent: 'Shop/1',
  ip: '192.0.2.7',
};
const started = {
  kind: 'started',
  user: makeUser({ phone: asPhone('+4915100000000'), email: asEmail('ann@example.com') }),
  claims: { plan: 'pro' },
  proof: 'sms',
  provedAt: noon - 3_600_000,
  scopes: ['openid', 'phone'],
  nonce: 'a nonce',
  parentId: asSessionId('parent'),
  endsAt: noon + 900_000,
  evicted: ['evicted'].map(asSessionId),
} as const satisfies ExchangeOutcome;
const stageOf = (outcome: ExchangeOutcome) =>
  createAppStage({ appStore: { exchangeCode: async () => outcome }, revocations: { add: () => undefined } });

describe('exchanging a code', () => {
  it('a good code gives the tokens of a new session', async () => {
    const { deps, calls } = stageOf(started);
    const tokens = await exchangeCode(deps, input);
    assert.ok(tokens !== undefined);
    const [[, asked] = [], [, revoked] = []] = calls;
    const { session, ...given } = asked as CodeExchange;
    const { redirectUri } = input;
    const expected = {
      codeHash: sha256('the code'),
      appId: 'shop',
      redirectUri,
      challenge: sha256('the verifier'),
      needsConsent: false,
    };
    assert.deepEqual(given, expected);
    assert.deepEqual([session.userAgent, session.ip, session.now], ['Shop/1', '192.0.2.7', noon]);
    assert.deepEqual(revoked, ['evicted']);
    const refresh = parseRefreshToken(secrets, tokens.refreshToken, 'app');
    assert.deepEqual([refresh.sessionId, hashSeed(refresh.seed), refresh.counter], [session.id, session.seedHash, 0]);
    assert.deepEqual([tokens.accessSeconds, tokens.scopes], [900, ['openid', 'phone']]);
    const claims = verifyAccessToken(tokens.accessToken, deps.keyRing.find, accessToken);
    assert.deepEqual(
      [claims.sessionId, claims.app],
      [session.id, { id: 'shop', scopes: ['openid', 'phone'], isFirstParty: true }],
    );
    const { aud, app } = claimsOf(tokens.accessToken);
    assert.deepEqual([aud, app], ['api.example', { plan: 'pro' }]);
    const { sid, nonce } = claimsOf(tokens.idToken ?? '');
    assert.deepEqual([sid, nonce], ['parent', 'a nonce']);
  });

  it('a scope that the app may no longer have is in no token', async () => {
    const app = { ...shop, scopes: ['openid'] as const };
    const tokens = await exchangeCode(stageOf(started).deps, { ...input, app });
    assert.ok(tokens !== undefined);
    assert.deepEqual([tokens.scopes, claimsOf(tokens.accessToken).scope], [['openid'], 'openid']);
    assert.equal(claimsOf(tokens.idToken ?? '').phone_number, undefined);
  });

  it('an app of somebody else gets a token for this service alone, without the claims of a back end', async () => {
    const tokens = await exchangeCode(stageOf(started).deps, { ...input, app: foreign });
    const { aud, app, client_id, scope } = claimsOf(tokens?.accessToken ?? '');
    assert.deepEqual([aud, app], ['https://login.example/oauth/userinfo', undefined]);
    assert.deepEqual([client_id, scope], ['foreign', 'openid phone']);
  });

  it('a scope that the operator has taken from the app since is in neither token', async () => {
    const tokens = await exchangeCode(stageOf(started).deps, { ...input, app: { ...shop, scopes: ['openid'] } });
    assert.equal(claimsOf(tokens?.accessToken ?? '').scope, 'openid');
    assert.equal(claimsOf(tokens?.idToken ?? '').phone_number, undefined);
  });

  it('a refused code gives nothing, and the session that it gave stops at once', async () => {
    const { deps, calls } = stageOf({ kind: 'refused', ended: ['given before'].map(asSessionId) });
    assert.equal(await exchangeCode(deps, input), undefined);
    assert.deepEqual(calls[1], ['revocations.add', ['given before']]);
  });
});
