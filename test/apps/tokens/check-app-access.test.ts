// The access check of apps: a token opens what the list of apps allows now.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAppList } from '../../../src/apps/clients/app.ts';
import { createAppAccessCheck } from '../../../src/apps/tokens/check-app-access.ts';
import type { AccessClaims } from '../../../src/auth/tokens/access-token.ts';
import { shop } from '../../helpers/people/app-fakes.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

describe('the access check of apps', () => {
  const own: AccessClaims = {
    userId: asUserId('ann'),
    sessionId: asSessionId('s'),
    expiresAt: noon,
    provedAt: noon,
    amr: [],
    keyId: 'key',
  };
  const ofShop: AccessClaims = {
    ...own,
    app: { id: 'shop', scopes: ['openid', 'phone', 'files'], isFirstParty: true },
  };
  const check = (claims: AccessClaims, apps = [shop]) =>
    createAppAccessCheck(() => claims, createAppList(apps))('the token');
  const checkNew = async (claims: AccessClaims, apps = [shop]) =>
    createAppAccessCheck(async () => claims, createAppList(apps))('the token');

  it('a token of this service is as it was, with and without apps', async () => {
    assert.deepEqual(check(own), own);
    assert.deepEqual(await checkNew(own), own);
    assert.deepEqual(check(own, []), own);
  });

  it('a token of an app has the scopes that its entry still has', async () => {
    const allowed = { ...own, app: { id: 'shop', scopes: ['openid', 'phone'], isFirstParty: true } };
    assert.deepEqual(check(ofShop), allowed);
    assert.deepEqual(await checkNew(ofShop), allowed);
  });

  it('a token of an app that is no longer listed is refused', async () => {
    assert.throws(() => check(ofShop, []), { code: 'SESSION_REVOKED' });
    await assert.rejects(checkNew(ofShop, []), { code: 'SESSION_REVOKED' });
  });
});
