// The verifier for back ends: accepts what the service signs, through key rotation, and nothing else.
import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { createVerifier } from '../../client/src/verifier.ts';
import { toLowS } from '../../src/auth/tokens/low-s.ts';
import { createServiceKey } from '../helpers/people/service-keys.ts';
import { enter } from '../helpers/people/users.ts';
import { call, refresh } from '../helpers/requests/api.ts';
import { setStage } from '../helpers/services/stage.ts';

const invalid = { name: 'GatehouseError', code: 'ACCESS_TOKEN_INVALID', status: 401 };
const day = 86_400;

describe('tokens of a real service', () => {
  const stage = setStage('sqlite');
  const issuer = async () => {
    const { servers } = (await (await fetch(`${stage.url}/openapi.json`)).json()) as { servers: { url: string }[] };
    return servers[0]?.url ?? '';
  };
  const now = () => stage.clock.now();

  it('the verifier accepts a token bare and as a header, and returns its user', async () => {
    const verifier = createVerifier({ url: stage.url, issuer: await issuer(), now });
    const { JWT } = await enter(stage.url);
    const claims = await verifier.verify(JWT);
    assert.match(claims.sub, /^[0-9a-f-]{36}$/);
    assert.deepEqual(claims.amr, ['otp', 'sms']);
    assert.equal(claims.auth_time, claims.iat);
    assert.deepEqual(await verifier.verify(`Bearer ${JWT}`), claims);
  });

  it('the verifier returns the claims that a back end stored, with the type that the caller gives them', async () => {
    const verifier = createVerifier<{ plan: string }>({ url: stage.url, issuer: await issuer(), now });
    const { JWT, RT } = await enter(stage.url);
    const { sub, app } = await verifier.verify(JWT);
    assert.equal(app, undefined);
    const token = await createServiceKey(stage);
    await call(stage.url, 'PATCH', `/api/service/users/${sub}`, { token, body: { claims: { plan: 'pro' } } });
    const next = await verifier.verify((await refresh(stage.url, RT)).body.data.JWT);
    assert.equal(next.app?.plan, 'pro');
  });

  it('the verifier refuses a token for another audience, of another issuer, and after it expires', async () => {
    const { JWT } = await enter(stage.url);
    const own = await issuer();
    await assert.rejects(createVerifier({ url: stage.url, issuer: own, audience: 'app', now }).verify(JWT), invalid);
    await assert.rejects(createVerifier({ url: stage.url, issuer: 'https://else.example', now }).verify(JWT), {
      ...invalid,
      message: /issued by http.+, and https:\/\/else\.example is expected\. Pass the PUBLIC_URL/,
    });
    const verifier = createVerifier({ url: stage.url, issuer: own, now });
    await verifier.verify(JWT);
    stage.clock.advance(900 + 29);
    await verifier.verify(JWT);
    stage.clock.advance(1);
    await assert.rejects(verifier.verify(JWT), { code: 'ACCESS_TOKEN_EXPIRED', status: 401 });
    for (const nothing of [undefined, null, '', 'Bearer ', 'bearer'])
      await assert.rejects(verifier.verify(nothing), { status: 401 });
  });

  it('the verifier accepts tokens through a key rotation, with one more fetch', async () => {
    let fetches = 0;
    const counted: typeof fetch = (input, init) => {
      fetches += 1;
      return fetch(input, init);
    };
    const verifier = createVerifier({ url: stage.url, issuer: await issuer(), now, fetch: counted });
    const before = await enter(stage.url);
    await Promise.all([verifier.verify(before.JWT), verifier.verify(before.JWT)]);
    assert.equal(fetches, 1);
    stage.clock.advance(31 * day);
    const after = await enterWithNewKey(before.JWT);
    await verifier.verify(after);
    assert.equal(fetches, 2);
    await verifier.verify(after);
    assert.equal(fetches, 2);
  });

  /** The service reloads its keys when a token names one that it does not know. */
  async function enterWithNewKey(known: string): Promise<string> {
    for (let round = 0; round < 40; round++) {
      const unknown = forge({ alg: 'ES256', typ: 'at+jwt', kid: 'x'.repeat(22) }, {}, Buffer.alloc(64));
      await fetch(`${stage.url}/api/auth/me`, { headers: { authorization: `Bearer ${unknown}` } });
      const { JWT } = await enter(stage.url);
      if (JWT.split('.')[0] !== known.split('.')[0]) return JWT;
      stage.clock.advance(day);
    }
    throw new Error('the key never changed');
  }
});

describe('forged tokens', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256', use: 'sig' };
  let fetches = 0;
  let isDown = false;
  let time = 1_800_000_000_000;
  const serve = async () => {
    fetches += 1;
    if (isDown) throw new TypeError('no route to host');
    return Response.json({ keys: [jwk] });
  };
  const create = () => createVerifier({ issuer: 'https://id.example.com', fetch: serve, now: () => time });
  const header = { alg: 'ES256', typ: 'at+jwt', kid: 'k1' };
  const claims = {
    iss: 'https://id.example.com',
    aud: 'https://id.example.com',
    sub: 'u1',
    sid: 's1',
    exp: time / 1000 + 900,
  };

  it('the verifier refuses forged tokens by algorithm, type, key, header, encoding and signature', async () => {
    const verifier = create();
    const good = forge(header, claims, privateKey);
    assert.equal((await verifier.verify(good)).sub, 'u1');
    const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const [head = '', body = '', signature = ''] = good.split('.');
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    for (const bad of [
      forge({ ...header, alg: 'none' }, claims, Buffer.alloc(0)),
      forge({ ...header, alg: 'HS256' }, claims, spki),
      forge({ ...header, alg: 'ES384' }, claims, privateKey),
      forge({ ...header, typ: 'JWT' }, claims, privateKey),
      forge({ ...header, jwk }, claims, privateKey),
      forge({ ...header, kid: 7 }, claims, privateKey),
      forge(header, claims, other),
      forge(header, { ...claims, aud: [claims.aud] }, privateKey),
      forge(header, { ...claims, exp: '9999999999' }, privateKey),
      forge(header, [claims], privateKey),
      `${head}.${body}.${twinOf(signature)}`,
      `${head}.${body}.${signature}=`,
      `${head}.${body}.${signature}.x`,
      `${head}.${body}`,
      `${head}.${body}.${'A'.repeat(86)}`,
      'x'.repeat(5000),
      '..',
    ]) {
      await assert.rejects(verifier.verify(bad), invalid, bad);
    }
  });

  it('the verifier fetches keys at most once in half a minute for tokens with unknown keys', async () => {
    const verifier = create();
    await verifier.verify(forge(header, claims, privateKey));
    const since = fetches;
    const ask = () => verifier.verify(forge({ ...header, kid: 'k2' }, claims, privateKey));
    for (let round = 0; round < 20; round++) await assert.rejects(ask(), invalid);
    assert.equal(fetches - since, 0);
    time += 30_000;
    await Promise.all(Array.from({ length: 20 }, () => assert.rejects(ask(), invalid)));
    assert.equal(fetches - since, 1);
  });

  it('the verifier keeps accepting valid tokens while the keys cannot be fetched', async () => {
    const verifier = create();
    const good = forge(header, { ...claims, exp: claims.exp + day }, privateKey);
    await verifier.verify(good);
    isDown = true;
    time += 3_700_000;
    await verifier.verify(good);
    await assert.rejects(create().verify(good), { code: 'SERVICE_UNAVAILABLE', status: 503 });
    isDown = false;
  });
});

/** A token signed by a key, by a shared secret, or with these bytes as its signature. */
function forge(header: object, claims: object, by: KeyObject | string | Buffer): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = Buffer.isBuffer(by)
    ? by
    : typeof by === 'string'
      ? createHmac('sha256', by).update(text).digest()
      : toLowS(sign('sha256', Buffer.from(text), { key: by, dsaEncoding: 'ieee-p1363' }));
  return `${text}.${signature.toString('base64url')}`;
}

/** (r, n - s): verifies exactly as (r, s) does. */
function twinOf(text: string): string {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const signature = Buffer.from(text, 'base64url');
  const s = (order - BigInt(`0x${signature.toString('hex', 32)}`)).toString(16).padStart(64, '0');
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(s, 'hex')]).toString('base64url');
}
