// Targets: access, refresh and ask tokens. The first byte says how the rest becomes a token: as it is, or with a right signature.
import assert from 'node:assert/strict';
import { createECDH, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readAsker, writeAskToken } from '../../../src/auth/codes/ask-token.ts';
import { signAccessToken, verifyAccessToken } from '../../../src/auth/tokens/access-token.ts';
import { isLowS, toLowS } from '../../../src/auth/tokens/low-s.ts';
import { parseRefreshToken, writeRefreshToken } from '../../../src/auth/tokens/refresh-token.ts';
import type { JwtType, SigningKey } from '../../../src/auth/tokens/signing-key.ts';
import { hmacSha256 } from '../../../src/kernel/crypto/digest.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import type { FuzzTarget } from '../engine/target.ts';
import { refusable } from './refusable.ts';

const secrets = createSecrets('s'.repeat(40), 'p'.repeat(40));
const policy = { issuer: 'https://id.test', audience: 'https://id.test', lifeSeconds: 600 };
const userId = asUserId('01890000-0000-7000-8000-000000000001');
const sessionId = asSessionId('01890000-0000-7000-8000-000000000002');
const subject = { purpose: 'phone-login', recipient: asPhone('+12025550123') } as const;
const bounds = { longest: 2_500, mostWork: (size: number) => 20_000 + 50 * size };
const asItIs = Buffer.from([0]);
const signed = Buffer.from([1]);

const key = keyFrom(Buffer.alloc(32, 0x11));

/** Always the same key, so that kept tokens stay valid. */
function keyFrom(secret: Buffer): SigningKey {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: secret.toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  const headerOf = (typ: JwtType) => encode(JSON.stringify({ alg: 'ES256', typ, kid: 'key' }));
  const headers = { 'at+jwt': headerOf('at+jwt'), JWT: headerOf('JWT') };
  return { id: 'key', key: createPublicKey(privateKey), jwk: {}, privateKey, headers };
}

function encode(text: string | Buffer): string {
  return Buffer.from(text).toString('base64url');
}

/** Signs a header and claims that are separated by a line feed. */
function signLines(text: string): string {
  const [header = '', ...claims] = text.split('\n');
  const message = `${encode(header)}.${encode(claims.join('\n'))}`;
  const signature = sign('sha256', Buffer.from(message), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${message}.${encode(toLowS(signature))}`;
}

const goodHeader = JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: 'key' });
const goodClaims = { iss: policy.issuer, aud: policy.audience, sub: userId, sid: sessionId, iat: 1, exp: 2 };

const accessToken: FuzzTarget = {
  ...bounds,
  name: 'access-token',
  promise: 'accepts only what this key signed with this header, for this issuer, in one spelling',
  run: (input) => {
    const isSigned = input[0] === 1;
    const rest = input.subarray(1).toString('latin1');
    const token = isSigned ? signLines(rest) : rest;
    const find = (id: string) => (id === key.id ? key : undefined);
    const claims = refusable(() => verifyAccessToken(token, find, policy), 'ACCESS_TOKEN_INVALID');
    if (claims === undefined) return 'refused';
    const [header = '', payload = '', signature = ''] = token.split('.');
    const given = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    assert.deepEqual(JSON.parse(Buffer.from(header, 'base64url').toString()), JSON.parse(goodHeader));
    assert.equal(
      token,
      `${encode(Buffer.from(header, 'base64url'))}.${encode(Buffer.from(payload, 'base64url'))}.${encode(Buffer.from(signature, 'base64url'))}`,
    );
    assert.ok(isLowS(Buffer.from(signature, 'base64url')), 'the other signature');
    assert.ok(given.iss === policy.issuer && given.aud === policy.audience, 'another issuer or audience');
    assert.ok(typeof claims.userId === 'string' && typeof claims.sessionId === 'string', 'no user or session');
    assert.ok(Number.isInteger(claims.expiresAt / 1000) && claims.keyId === key.id, 'no end or key');
    // Nobody else has the key.
    if (!isSigned) assert.equal(claims.userId, userId, 'a forged user');
    return 'accepted';
  },
  seeds: () => [
    Buffer.concat([
      asItIs,
      Buffer.from(
        signAccessToken(key, { userId, sessionId, proof: 'sms', provedAt: 0, claims: { plan: 'pro' } }, policy, 0),
      ),
    ]),
    Buffer.concat([signed, Buffer.from(`${goodHeader}\n${JSON.stringify(goodClaims)}`)]),
    Buffer.concat([signed, Buffer.from(`${goodHeader}\n${JSON.stringify({ ...goodClaims, exp: '9' })}`)]),
    Buffer.concat([signed, Buffer.from(`{"alg":"none"}\n[]`)]),
    Buffer.concat([asItIs, Buffer.from('a.b.c')]),
  ],
  words: [
    '"alg":"none"',
    '"alg":"HS256"',
    '"crit":["exp"]',
    '"exp":1e300',
    '"exp":-1',
    '"sub":null',
    '"aud":[]',
    '__proto__',
    '.',
    '=',
    'eyJ',
  ],
};

type Sealed = { readonly purpose: 'refresh token' | 'ask token'; readonly after: (body: Buffer) => string };

/** The bytes as a body, sealed with the current key. */
function seal(body: Buffer, { purpose, after }: Sealed): string {
  const mac = hmacSha256(secrets.currentKey(purpose), after(body) === '' ? body : after(body)).subarray(0, 16);
  return encode(Buffer.concat([body, mac]));
}

const refreshToken: FuzzTarget = {
  ...bounds,
  name: 'refresh-token',
  promise: 'accepts only what is sealed with a known secret, and writes the same text from what it read',
  run: (input) => {
    const rest = input.subarray(1);
    const text = input[0] === 1 ? seal(rest, { purpose: 'refresh token', after: () => '' }) : rest.toString('latin1');
    const token = refusable(() => parseRefreshToken(secrets, text), 'REFRESH_TOKEN_INVALID');
    if (token === undefined) return 'refused';
    assert.equal(writeRefreshToken(secrets, token), text, 'another spelling of the same token');
    assert.match(token.sessionId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.ok(token.seed.length === 16 && token.counter >= 0);
    return 'accepted';
  },
  seeds: () => {
    const text = writeRefreshToken(secrets, { sessionId, seed: Buffer.alloc(16, 7), counter: 3 });
    const body = Buffer.from(text, 'base64url').subarray(0, -16);
    return [
      Buffer.concat([asItIs, Buffer.from(text)]),
      Buffer.concat([signed, body]),
      Buffer.concat([signed, Buffer.alloc(39)]),
    ];
  },
};

const askToken: FuzzTarget = {
  ...bounds,
  name: 'ask-token',
  promise: 'accepts only what is sealed for this recipient and has not expired',
  run: (input) => {
    const rest = input.subarray(1);
    const after = (body: Buffer) => [encode(body), subject.purpose, subject.recipient, ''].join('\n');
    const text = input[0] === 1 ? seal(rest, { purpose: 'ask token', after }) : rest.toString('latin1');
    const id = readAsker(secrets, text, subject, 1_000_000);
    assert.equal(readAsker(secrets, text, { ...subject, recipient: asPhone('+12025550124') }, 1_000_000), undefined);
    if (id === undefined) return 'refused';
    const bytes = Buffer.from(text, 'base64url');
    assert.equal(encode(bytes), text, 'another spelling of the same token');
    assert.equal(bytes.toString('base64url', 3, 12), id);
    assert.ok(bytes.readUInt32BE(12) * 1000 > 1_000_000, 'an expired token');
    return 'accepted';
  },
  seeds: () => {
    const { text } = writeAskToken(secrets, subject, 600, 1_000_000);
    const body = Buffer.from(text, 'base64url').subarray(0, -16);
    return [Buffer.concat([asItIs, Buffer.from(text)]), Buffer.concat([signed, body])];
  },
};

export const targets: readonly FuzzTarget[] = [accessToken, refreshToken, askToken];
