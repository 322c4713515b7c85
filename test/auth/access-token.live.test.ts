// Access tokens: outsiders can verify them, forgeries are refused, and expiry and sign-out take effect.
import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync, sign, verify, type webcrypto } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { isLowS, toLowS } from '../../src/auth/low-s.ts';
import { call, newPhone, type Pair, refresh } from '../helpers/api.ts';
import { tierStoreKinds } from '../helpers/gatehouse.ts';
import { setStage, startTwoNodes } from '../helpers/stage.ts';
import { enter, me, told } from '../helpers/users.ts';
import { waitUntil } from '../helpers/wait-until.ts';

type Json = Record<string, unknown>;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string | undefined): Json => JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

/** (r, n - s): verifies exactly as (r, s) does. */
function twinOf(signature: Buffer): Buffer {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const s = (order - BigInt(`0x${signature.toString('hex', 32)}`)).toString(16).padStart(64, '0');
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(s, 'hex')]);
}

describe('access tokens', () => {
  const stage = setStage('sqlite');
  let token = '';
  let claims: Json = {};
  let header: Json = {};
  let issuer = '';
  const expect = async (given: string, code: string) =>
    assert.equal(told(await me(stage.url, given)), `401 ${code}`, given);
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
    assert.deepEqual(Object.keys(payload).sort(), ['amr', 'aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub']);
    assert.equal(Number(payload.exp) - Number(payload.iat), 900);
    assert.deepEqual(payload.amr, ['otp', 'sms']);
    assert.ok(!JSON.stringify(payload).includes('+1202'));
  });

  it('the JWKS endpoint publishes public keys only', async () => {
    for (const key of (await jwks()).keys) {
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    }
  });

  it('unsigned access tokens are refused, whatever the spelling of the "none" algorithm', async () => {
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '', 'none ', null, undefined]) {
      const start = `${encode({ ...header, alg })}.${encode(claims)}`;
      for (const signature of ['', token.split('.')[2], 'AA']) await invalid(`${start}.${signature}`);
    }
  });

  it('access tokens signed with the public key as a shared secret are refused', async () => {
    const [jwk = {}] = (await jwks()).keys;
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const pem = String(key.export({ type: 'spki', format: 'pem' }));
    const der = key.export({ type: 'spki', format: 'der' });
    const secrets = [pem, pem.trim(), ` ${pem}`, der, der.toString('base64'), JSON.stringify(jwk), String(jwk.x)];
    for (const alg of ['HS256', 'HS384', 'HS512']) {
      const signed = `${encode({ ...header, alg })}.${encode(claims)}`;
      for (const secret of secrets) {
        const mac = createHmac(`sha${alg.slice(2)}`, secret)
          .update(signed)
          .digest('base64url');
        await invalid(`${signed}.${mac}`);
      }
    }
  });

  it('access tokens with another algorithm, type or key id, or with a key in their header, are refused', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = publicKey.export({ format: 'jwk' });
    const forge = (changed: Json) => {
      const signed = `${encode({ ...header, ...changed })}.${encode(claims)}`;
      const signature = toLowS(sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' }));
      return `${signed}.${signature.toString('base64url')}`;
    };
    const names = [
      '../../dev/null',
      "' or 1=1 --",
      '__proto__',
      'constructor',
      'x'.repeat(500),
      '',
      1,
      null,
      [header.kid],
    ];
    for (const kid of names) await invalid(forge({ kid }));
    for (const alg of ['ES384', 'ES512', 'RS256', 'PS256', 'EdDSA', 'Ed25519', 'es256', 'ES256K'])
      await invalid(forge({ alg }));
    for (const typ of ['JWT', 'at+JWT', 'application/at+jwt', undefined]) await invalid(forge({ typ }));
    const planted = {
      jwk,
      jku: 'http://127.0.0.1:1/',
      x5u: 'http://127.0.0.1:1/',
      x5c: ['AA'],
      crit: ['exp'],
      b64: false,
    };
    for (const [name, value] of Object.entries({ ...planted, cty: 'JWT', zip: 'DEF' }))
      await invalid(forge({ [name]: value }));
    await invalid(forge({}));
  });

  it('an access token with one bit changed in any part is refused', async () => {
    const parts = token.split('.').map((part) => Buffer.from(part, 'base64url'));
    for (const [index, part] of parts.entries()) {
      for (let at = 0; at < part.length; at += index === 2 ? 1 : 3) {
        const altered = Buffer.from(part);
        altered[at] = (altered[at] ?? 0) ^ (1 << (at % 8));
        await invalid(parts.map((other, place) => (place === index ? altered : other).toString('base64url')).join('.'));
      }
    }
  });

  it('an access token in any alternative encoding is refused', async () => {
    const [head = '', body = '', signature = ''] = token.split('.');
    const sibling = String.fromCharCode(signature.charCodeAt(signature.length - 1) + 1);
    const spellings = [
      [`${token}.`, `${token}.${signature}`, `${head}.${body}`, `${head}..${signature}`, `.${body}.${signature}`, '..'],
      [`${token}=`, `${head}=.${body}.${signature}`, `${head}.${body}==.${signature}`],
      [`${head} .${body}.${signature}`, `${head}.${body}.${signature.slice(0, -1)}${sibling}`, `${token},${token}`],
      [token.replaceAll('-', '+').replaceAll('_', '/').concat('='), `"${token}"`, token.slice(0, -1), 'x', '', 'a.b.c'],
      [`${token}${'A'.repeat(3000)}`],
    ];
    for (const spelling of spellings.flat()) await invalid(spelling);
    assert.equal(told(await me(stage.url, token)), '200');
  });

  it('access tokens carry the low-S signature, and the equivalent high-S signature is refused', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { JWT } = await enter(stage.url);
      const signed = JWT.slice(0, JWT.lastIndexOf('.'));
      const signature = Buffer.from(JWT.slice(signed.length + 1), 'base64url');
      assert.ok(isLowS(signature));
      const twin = twinOf(signature);
      const key = createPublicKey({ key: (await jwks()).keys[0] as webcrypto.JsonWebKey, format: 'jwk' });
      assert.ok(verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, twin), 'not a twin');
      assert.deepEqual(toLowS(twin), signature);
      await invalid(`${signed}.${twin.toString('base64url')}`);
    }
  });

  it('access tokens in the query, in the body or under another scheme are ignored', async () => {
    for (const name of ['access_token', 'JWT', 'token']) {
      assert.equal(told(await call(stage.url, 'GET', `/api/auth/me?${name}=${token}`)), '401 ACCESS_TOKEN_MISSING');
    }
    const posted = await call(stage.url, 'POST', '/api/auth/logout', { body: { JWT: token, access_token: token } });
    assert.equal(told(posted), '401 ACCESS_TOKEN_MISSING');
    const basic = await call(stage.url, 'GET', '/api/auth/me', { headers: { authorization: `Basic ${token}` } });
    assert.equal(told(basic), '401 ACCESS_TOKEN_MISSING');
  });

  it('an access token is refused 30 seconds after it expires, whether it is cached or not', async () => {
    const [used, unused] = [await enter(stage.url), await enter(stage.url)];
    const end = Number(decode(used.JWT.split('.')[1]).exp) * 1000;
    assert.equal(told(await me(stage.url, used.JWT)), '200');
    stage.clock.advance((end + 29_999 - stage.clock.now()) / 1000);
    for (const pair of [used, unused]) assert.equal(told(await me(stage.url, pair.JWT)), '200');
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
    assert.equal(told(await me(stage.url, JWT)), '200');
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
        assert.equal(told(await me(there, pair.JWT)), '200');
        assert.equal(told(await call(here, 'POST', '/api/auth/logout', { token: pair.JWT })), '200');
        assert.equal(told(await me(here, pair.JWT)), '401 SESSION_REVOKED');
        await waitUntil('the other node refuses it', async () => (await me(there, pair.JWT)).status !== 200);
        assert.equal(told(await me(there, pair.JWT)), '401 SESSION_REVOKED');
        assert.equal(told(await refresh(there, pair.RT)), '401 SESSION_REVOKED');
      }
    });
  });
}
