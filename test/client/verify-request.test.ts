// verifyRequest tells a back end which app a token was issued to, so that it can give an app less than the user.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccessClaims } from '../../client/src/verifier.ts';
import { verifyRequest } from '../../client/src/verify-request.ts';

const claims: AccessClaims = { iss: 'i', aud: 'i', sub: 'ann', sid: 's', jti: 'j', iat: 0, exp: 900, amr: ['otp'] };
const verifyWith = (more: Partial<AccessClaims>) =>
  verifyRequest(
    { verify: async () => ({ ...claims, ...more }), isActive: async () => true },
    { authorization: 'Bearer x' },
  );

describe('the app of a verified request', () => {
  it('a token of an app names the app and its scopes', async () => {
    const { clientId, scopes } = await verifyWith({ client_id: 'shop', scope: 'openid files' });
    assert.deepEqual([clientId, scopes], ['shop', ['openid', 'files']]);
  });

  it('a token of the service itself names no app and no scopes', async () => {
    const { clientId, scopes } = await verifyWith({});
    assert.deepEqual([clientId, scopes], [undefined, []]);
  });
});
