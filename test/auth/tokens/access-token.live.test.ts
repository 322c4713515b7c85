// Access tokens: outsiders can verify them, forgeries are refused, and expiry and sign-out take effect.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { enter, me, outcomeOf } from '../../helpers/people/users.ts';
import { call, newPhone, type Pair, refresh } from '../../helpers/requests/api.ts';
import { isRepeat, tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { setStage, startTwoNodes } from '../../helpers/services/stage.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

type Json = Record<string, unknown>;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string | undefined): Json => JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

describe('access tokens', { skip: isRepeat }, () => {
  const stage = setStage('sqlite');
  let token = '';
  let claims: Json = {};
  let header: Json = {};
  let issuer = '';
  const expect = async (given: string, code: string) =>
    assert.equal(outcomeOf(await me(stage.url, given)), `401 ${code}`, given);
  const invalid = (given: string) => expect(given, 'ACCESS_TOKEN_INVALID');
  const jwks = async () => (await (await fetch(`${stage.url}/.well-known/jwks.json`)).json()) as { keys: Json[] };

  before(async () => {
    token = (await enter(stage.url)).JWT;
    [header = {}, claims = {}] = token.split('.').slice(0, 2).map(decode);
    issuer = `http://localhost:${stage.env.PORT}`;
  });

  it('an access token verifies against the published keys and does not identify the user', async () => {
    const keys = createRemoteJWKSet(new URL(`${stage.url}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer, audience: issuer, typ: 'at+jwt' });
    assert.deepEqual(Object.keys(protectedHeader).sort(), ['alg', 'kid', 'typ']);
    assert.equal(protectedHeader.alg, 'ES256');
    const names = ['amr', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub'];
    assert.deepEqual(Object.keys(payload).sort(), names);
    assert.equal(Number(payload.exp) - Number(payload.iat), 900);
    assert.deepEqual(payload.amr, ['otp', 'sms']);
    assert.ok(!JSON.stringify(payload).includes('+1202'));
  });

  it('the JWKS endpoint publishes public keys only', async () => {
    for (const key of (await jwks()).keys) {
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    }
  });

  it('a forged access token, and one with a part changed or missing, is refused', async () => {
    const [head, body = '', signature = ''] = token.split('.');
    const unsigned = `${encode({ ...header, alg: 'none' })}.${body}.`;
    const other = `${head}.${encode({ ...claims, sub: 'somebody else' })}.${signature}`;
    for (const given of [unsigned, other, `${head}.${body}`, `${token}=`, 'x']) await invalid(given);
    assert.equal(outcomeOf(await me(stage.url, token)), '200');
  });

  it('access tokens in the query, in the body or under another scheme are ignored', async () => {
    for (const name of ['access_token', 'JWT', 'token']) {
      assert.equal(
        outcomeOf(await call(stage.url, 'GET', `/api/auth/me?${name}=${token}`)),
        '401 ACCESS_TOKEN_MISSING',
      );
    }
    const posted = await call(stage.url, 'POST', '/api/auth/logout', { body: { JWT: token, access_token: token } });
    assert.equal(outcomeOf(posted), '401 ACCESS_TOKEN_MISSING');
    const basic = await call(stage.url, 'GET', '/api/auth/me', { headers: { authorization: `Basic ${token}` } });
    assert.equal(outcomeOf(basic), '401 ACCESS_TOKEN_MISSING');
  });

  it('an access token is refused 30 seconds after it expires, whether it is cached or not', async () => {
    const [used, unused] = [await enter(stage.url), await enter(stage.url)];
    const end = Number(decode(used.JWT.split('.')[1]).exp) * 1000;
    assert.equal(outcomeOf(await me(stage.url, used.JWT)), '200');
    stage.clock.advance((end + 29_999 - stage.clock.now()) / 1000);
    for (const pair of [used, unused]) assert.equal(outcomeOf(await me(stage.url, pair.JWT)), '200');
    stage.clock.advance(0.001);
    for (const pair of [used, unused]) await expect(pair.JWT, 'ACCESS_TOKEN_EXPIRED');
    const reply = await me(stage.url, used.JWT);
    assert.match(reply.headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/);
  });

  it('access tokens of another service, or of this service under another public URL, are refused', async () => {
    const { JWT } = await enter(stage.url);
    await stage.restart({ PUBLIC_URL: 'http://other.localhost' });
    await invalid(JWT);
    const theirs = await enter(stage.url);
    await stage.restart();
    await invalid(theirs.JWT);
    assert.equal(outcomeOf(await me(stage.url, JWT)), '200');
  });

  it('each of 60 access tokens in use at once identifies its own user', async () => {
    const users = await Promise.all(Array.from({ length: 60 }, () => enter(stage.url, newPhone())));
    const calls = Array.from({ length: 1200 }, (_, index) => users[(index * 37) % users.length]);
    await Promise.all(
      calls.map(async (user) => {
        const { body } = await me(stage.url, user?.JWT ?? '');
        assert.equal(body.data.phone, user?.phone);
      }),
    );
  });
});

for (const kind of tierStoreKinds) {
  describe(`access tokens on two nodes, on ${kind}`, () => {
    it('an access token is valid on both nodes, and a sign-out on one node revokes it on both', async (context) => {
      const [here, there] = (await startTwoNodes(context, kind)).urls;
      for (let round = 0; round < 3; round++) {
        const pair: Pair = await enter(here);
        assert.equal(outcomeOf(await me(there, pair.JWT)), '200');
        assert.equal(outcomeOf(await call(here, 'POST', '/api/auth/logout', { token: pair.JWT })), '200');
        assert.equal(outcomeOf(await me(here, pair.JWT)), '401 SESSION_REVOKED');
        await waitUntil('the other node refuses it', async () => (await me(there, pair.JWT)).status !== 200);
        assert.equal(outcomeOf(await me(there, pair.JWT)), '401 SESSION_REVOKED');
        assert.equal(outcomeOf(await refresh(there, pair.RT)), '401 SESSION_REVOKED');
      }
    });
  });
}
