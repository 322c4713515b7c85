// Id tokens: what they tell an app by its scopes, and which of them this service takes back as a hint.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type IdTokenSubject, readIdTokenHint, writeIdToken } from '../../../src/apps/tokens/id-token.ts';
import { signAccessToken, verifyAccessToken } from '../../../src/auth/tokens/access-token.ts';
import { claimsOf, createAppStage } from '../../helpers/people/app-fakes.ts';
import { accessToken, failureOf, signingKey } from '../../helpers/people/auth-fakes.ts';
import { asEmail, asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { makeUser } from '../../helpers/people/user.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const subject: IdTokenSubject = {
  user: makeUser({ phone: asPhone('+4915100000000'), email: asEmail('ann@example.com') }),
  proof: 'link',
  provedAt: noon - 5000,
  appId: 'shop',
  parentId: asSessionId('parent'),
  scopes: ['openid'],
  nonce: undefined,
};
const { deps } = createAppStage();

describe('an id token', () => {
  it('says who signed in, when, how and for which app', () => {
    const token = writeIdToken(deps, { ...subject, scopes: ['openid', 'email'], nonce: 'a nonce' }, noon);
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
    assert.deepEqual(header, { alg: 'ES256', typ: 'JWT', kid: signingKey().id });
    const [iat, exp, auth_time] = [noon, noon + 900_000, noon - 5000].map((time) => time / 1000);
    const who = { iss: 'https://login.example', sub: 'ann', aud: 'shop', sid: 'parent' };
    const email = { email: 'ann@example.com', email_verified: true };
    const expected = { ...who, iat, exp, auth_time, amr: ['link', 'email'], nonce: 'a nonce', ...email };
    assert.deepEqual(claimsOf(token), expected);
  });

  it('is a hint for whom to sign out, also after its end', async () => {
    const hint = await readIdTokenHint(deps, writeIdToken(deps, subject, noon - 9_000_000_000));
    assert.deepEqual(hint, { appId: 'shop', userId: 'ann', sessionId: asSessionId('parent') });
  });

  it('is no hint any more once its signing key is gone', async () => {
    const token = writeIdToken(deps, subject, noon);
    const without = { ...deps, keyRing: { ...deps.keyRing, find: () => undefined } };
    assert.equal(await readIdTokenHint(without, token), undefined);
  });

  it('is no hint if somebody else wrote it, if it is an access token, or if it is too long', async () => {
    const token = writeIdToken(deps, subject, noon);
    const last = token.endsWith('A') ? 'Q' : 'A';
    const other = { ...deps, accessToken: { ...accessToken, issuer: 'https://other.example' } };
    const access = signAccessToken(
      signingKey(),
      { ...subject, userId: asUserId('ann'), sessionId: asSessionId('s'), claims: {} },
      accessToken,
      noon,
    );
    const long = writeIdToken(deps, { ...subject, nonce: 'n'.repeat(4000) }, noon);
    const wrong = [
      '',
      'a.b.c',
      token.slice(0, -1) + last,
      `${token}.`,
      writeIdToken(other, subject, noon),
      access,
      long,
    ];
    for (const text of wrong) assert.equal(await readIdTokenHint(deps, text), undefined);
  });

  it('is never taken for an access token', async () => {
    const token = writeIdToken(deps, { ...subject, appId: accessToken.audience }, noon);
    const refused = (async () => verifyAccessToken(token, deps.keyRing.find, accessToken))();
    assert.deepEqual(await failureOf(refused), ['ACCESS_TOKEN_INVALID', {}]);
  });
});
