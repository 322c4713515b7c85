// openid-client, on oauth4webapi, signs users in: as a confidential app with each way to send a secret, and as a public app.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as openid from 'openid-client';
import { hashOf, setAppStage } from './app-stage.ts';
import { createPerson, type Person } from './person.ts';

const secret = 'a-long-secret-of-the-shop';
const [callback, goodbye] = ['https://shop.example/callback', 'https://shop.example/goodbye'];

const ways = {
  'a secret in the header': { id: 'shop', authentication: openid.ClientSecretBasic(secret) },
  'a secret in the body': { id: 'shop', authentication: openid.ClientSecretPost(secret) },
  'no secret': { id: 'shop-page', authentication: openid.None() },
} as const;

describe('openid-client', () => {
  const addresses = { redirectUris: [callback], logoutUris: [goodbye], firstParty: true };
  const stage = setAppStage(() => [
    { id: 'shop', name: 'Shop', secretHash: hashOf(secret), ...addresses },
    { id: 'shop-page', name: 'Shop', ...addresses },
  ]);

  const discover = ({ id, authentication }: (typeof ways)[keyof typeof ways]) =>
    openid.discovery(new URL(stage.issuer), id, {}, authentication, {
      execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
    });

  const signIn = async (config: openid.Configuration, person: Person, more: Record<string, string> = {}) => {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid phone offline_access',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
      ...more,
    });
    const { url } = await person.open(address, { until: callback });
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
    return openid.authorizationCodeGrant(config, url, more.max_age === undefined ? checks : { ...checks, maxAge: 600 });
  };

  for (const [name, way] of Object.entries(ways)) {
    it(`an app with ${name} signs a user in, reads who it is, refreshes, and signs the user out`, async () => {
      const config = await discover(way);
      const person = createPerson(stage.issuer);
      await person.signIn();
      const tokens = await signIn(config, person, { max_age: '600' });
      const claims = tokens.claims() ?? assert.fail('no claims');
      const { access_token, id_token = '', refresh_token = '' } = tokens;
      const info = await openid.fetchUserInfo(config, access_token, claims.sub);
      assert.equal(info.phone_number, person.phone);
      assert.equal(info.phone_number_verified, true);
      assert.deepEqual([tokens.token_type, tokens.scope], ['bearer', 'openid phone offline_access']);

      const next = await openid.refreshTokenGrant(config, refresh_token);
      assert.notEqual(next.refresh_token, refresh_token);
      assert.equal((await openid.fetchUserInfo(config, next.access_token, claims.sub)).sub, claims.sub);
      const narrow = await openid.refreshTokenGrant(config, next.refresh_token ?? '', { scope: 'openid' });
      assert.equal(narrow.scope, 'openid');
      assert.equal((await openid.fetchUserInfo(config, narrow.access_token, claims.sub)).phone_number, undefined);

      const leaving = { id_token_hint: id_token, post_logout_redirect_uri: goodbye, state: 'left' };
      const { url } = await person.open(openid.buildEndSessionUrl(config, leaving), { until: goodbye });
      assert.equal(url.href, `${goodbye}?state=left`);
      assert.equal(await person.isSignedIn(), false);
    });
  }

  it('a sign-out ends an app without offline access at once, and leaves one with it', async () => {
    const config = await discover(ways['a secret in the header']);
    const person = createPerson(stage.issuer);
    await person.signIn();
    const online = await signIn(config, person, { scope: 'openid' });
    const offline = await signIn(config, person);
    await person.open(openid.buildEndSessionUrl(config, { id_token_hint: online.id_token ?? '' }));
    await assert.rejects(openid.refreshTokenGrant(config, online.refresh_token ?? ''), { error: 'invalid_grant' });
    await assert.rejects(openid.fetchUserInfo(config, online.access_token, openid.skipSubjectCheck), { status: 401 });
    assert.ok((await openid.refreshTokenGrant(config, offline.refresh_token ?? '')).access_token);
  });

  it('an app sees that its session was ended by the user, and can end it itself', async () => {
    const config = await discover(ways['a secret in the header']);
    const person = createPerson(stage.issuer);
    await person.signIn();
    const ended = await signIn(config, person);
    await person.endAppSessions();
    await assert.rejects(openid.fetchUserInfo(config, ended.access_token, openid.skipSubjectCheck), {
      code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
      status: 401,
    });
    await assert.rejects(openid.refreshTokenGrant(config, ended.refresh_token ?? ''), { error: 'invalid_grant' });

    const revoked = await signIn(config, person);
    await openid.tokenRevocation(config, revoked.refresh_token ?? '');
    await assert.rejects(openid.fetchUserInfo(config, revoked.access_token, openid.skipSubjectCheck), { status: 401 });
    assert.equal(await person.isSignedIn(), true);
  });

  it('a refused request is an error with a name for the app: nobody is signed in, or the secret is wrong', async () => {
    const config = await discover(ways['a secret in the header']);
    const person = createPerson(stage.issuer);
    const refused = { code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR', error: 'login_required' };
    await assert.rejects(signIn(config, person, { prompt: 'none' }), refused);
    await person.signIn();
    const wrong = await discover({ id: 'shop', authentication: openid.ClientSecretBasic('another secret') });
    await assert.rejects(signIn(wrong, person), (error) => {
      assert.ok(error instanceof openid.WWWAuthenticateChallengeError || error instanceof openid.ResponseBodyError);
      assert.equal(error.status, 401);
      return true;
    });
  });
});
