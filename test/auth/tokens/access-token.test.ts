// Access tokens: what is signed is verified, and a well-signed token is refused when anything in it differs from what is written.

import assert from 'node:assert/strict';
import { createHmac, createPublicKey, sign, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  checkTime,
  longestAccessToken,
  signAccessToken,
  verifyAccessToken,
} from '../../../src/auth/tokens/access-token.ts';
import { isLowS, toLowS } from '../../../src/auth/tokens/low-s.ts';
import { makeSigningKey, openSigningKey } from '../../../src/auth/tokens/signing-key.ts';
import { newId } from '../../../src/kernel/crypto/random.ts';
import { newUserId } from '../../../src/kernel/ids.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';
import { accessToken as policy, secrets, signingKey, thrownCode } from '../../helpers/people/auth-fakes.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

type Json = Record<string, unknown>;

const subject = {
  userId: asUserId('ann'),
  sessionId: asSessionId('session'),
  proof: 'sms',
  provedAt: noon - 60_001,
  claims: {},
} as const;
const find = (id: string) => (id === signingKey().id ? signingKey() : undefined);
const write = (changes: Partial<Parameters<typeof signAccessToken>[1]> = {}, now = noon) =>
  signAccessToken(signingKey(), { ...subject, ...changes }, policy, now);
const encode = (text: string) => Buffer.from(text).toString('base64url');
const decode = (part: string | undefined): Json => JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
const partsOf = (token: string) => token.split('.').slice(0, 2).map(decode) as [Json, Json];
const refused = (token: string) =>
  assert.equal(
    thrownCode(() => verifyAccessToken(token, find, policy)),
    'ACCESS_TOKEN_INVALID',
  );

/** A token of these texts with a valid signature. */
function signed(header: string, payload: string): string {
  const text = `${encode(header)}.${encode(payload)}`;
  const options = { key: signingKey().privateKey, dsaEncoding: 'ieee-p1363' as const };
  return `${text}.${toLowS(sign('sha256', Buffer.from(text), options)).toString('base64url')}`;
}

function forged(inHeader: Json, inClaims: Json): string {
  const [header, claims] = partsOf(write());
  return signed(JSON.stringify({ ...header, ...inHeader }), JSON.stringify({ ...claims, ...inClaims }));
}

describe('an access token', () => {
  it('an access token names issuer, audience, user, session, time, and when and how the user was last proved, and nothing else', () => {
    const [header, { jti, ...claims }] = partsOf(write({}, noon + 999));
    assert.deepEqual(header, { alg: 'ES256', typ: 'at+jwt', kid: signingKey().id });
    assert.match(String(jti), /^[\w-]{16}$/);
    assert.deepEqual(claims, {
      iss: 'https://login.example',
      aud: 'api.example',
      sub: 'ann',
      sid: 'session',
      iat: noon / 1000,
      exp: noon / 1000 + 900,
      auth_time: noon / 1000 - 61,
      amr: ['otp', 'sms'],
    });
  });

  for (const [proof, amr] of [
    ['sms', ['otp', 'sms']],
    ['link', ['link', 'email']],
    ['email', ['otp', 'email']],
  ] as const) {
    it(`an access token of a user proved by ${proof} says ${amr.join(' and ')}`, () => {
      assert.deepEqual(partsOf(write({ proof }))[1].amr, amr);
    });
  }

  it('an access token lives at least as long as the setting says', () => {
    const token = signAccessToken(signingKey(), subject, { ...policy, lifeSeconds: 0.5 }, noon);
    assert.equal(partsOf(token)[1].exp, noon / 1000 + 1);
  });

  it('an access token has the claims of an app under “app”, and no such field if there are none', () => {
    assert.deepEqual(partsOf(write({ claims: { plan: 'pro', sub: 'mallory' } }))[1].app, {
      plan: 'pro',
      sub: 'mallory',
    });
    assert.equal(partsOf(write({ claims: { sub: 'mallory', exp: 0 } }))[1].sub, 'ann');
    assert.ok(!('app' in partsOf(write())[1]));
  });

  it('an access token with claims of 1 KiB and a public URL of 200 characters is short enough, also for a cookie', () => {
    const issuer = `https://${'x'.repeat(192)}`;
    const claims = { a: '€'.repeat(336), 'b!': 1 };
    assert.equal(Buffer.byteLength(JSON.stringify(claims)), 1024 - 1);
    const ids = { userId: newUserId(), sessionId: asSessionId(newId()) };
    const token = signAccessToken(
      signingKey(),
      { ...subject, ...ids, claims },
      { ...policy, issuer, audience: issuer },
      noon,
    );
    assert.ok(`JWT=${token}`.length < longestAccessToken, String(token.length));
  });

  it('two access tokens of one session in one second differ', () => assert.notEqual(write(), write()));

  it('an access token of any user and session is verified, whatever the key signs with', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.uuid().map(asSessionId),
        fc.integer({ min: 0, max: 1e12 }),
        (userId, sessionId, after) => {
          const now = noon + after;
          const claims = verifyAccessToken(write({ userId: asUserId(userId), sessionId }, now), find, policy);
          const expiresAt = (Math.floor(now / 1000) + 900) * 1000;
          assert.deepEqual(claims, {
            userId,
            sessionId,
            expiresAt,
            provedAt: noon - 61_000,
            amr: ['otp', 'sms'],
            keyId: signingKey().id,
          });
        },
      ),
      { numRuns: rounds(20), seed },
    );
  });

  const other = openSigningKey(secrets, makeSigningKey(secrets, 2, noon, noon)) ?? assert.fail('no key');

  it('an access token carries the id of the key that signed it', () => {
    const token = signAccessToken(other, subject, policy, noon);
    assert.equal(verifyAccessToken(token, () => other, policy).keyId, other.id);
    assert.equal(partsOf(token)[0].kid, other.id);
    refused(token);
  });

  it('an access token signed by another key under the id of ours is refused', () => {
    refused(signAccessToken({ ...other, id: signingKey().id }, subject, policy, noon));
  });
});

describe('a well-signed access token', () => {
  it('a well-signed access token as this service writes it is accepted', () => {
    assert.equal(verifyAccessToken(forged({}, {}), find, policy).userId, 'ann');
    assert.equal(verifyAccessToken(forged({}, { amr: undefined, more: 1 }), find, policy).userId, 'ann');
    assert.deepEqual(verifyAccessToken(forged({}, { amr: undefined }), find, policy).amr, []);
    assert.deepEqual(verifyAccessToken(forged({}, { amr: ['otp', 1] }), find, policy).amr, ['otp']);
  });

  it('a well-signed access token of an older version does not say when its user was proved', () => {
    assert.equal(verifyAccessToken(forged({}, { auth_time: undefined }), find, policy).provedAt, undefined);
  });

  const headers: Json[] = [
    ...['JWT', 'at+JWT', 'application/at+jwt', undefined].map((typ) => ({ typ })),
    ...[
      'none',
      'None',
      '',
      null,
      undefined,
      'ES384',
      'ES512',
      'RS256',
      'PS256',
      'EdDSA',
      'HS256',
      'es256',
      'ES256K',
    ].map((alg) => ({ alg })),
    ...['x', '', '../../dev/null', "' or 1=1 --", '__proto__', 'constructor', 'x'.repeat(500), 5, null, undefined].map(
      (kid) => ({ kid }),
    ),
    { kid: [signingKey().id] },
    { crit: [] },
    { crit: ['exp'] },
    { jku: 'https://evil.example' },
    { jwk: {} },
    { x5u: 'https://evil.example' },
    { x5c: [] },
    { b64: true },
    { zip: 'DEF' },
    { cty: 'JWT' },
    { '': '' },
  ];
  for (const header of headers) {
    it(`a well-signed access token with ${JSON.stringify(header).slice(0, 60)} in its header is refused`, () => {
      refused(forged(header, {}));
    });
  }

  it('a well-signed access token whose key id is no text is refused, even if a key is found', () => {
    const token = forged({ kid: 5 }, {});
    assert.equal(
      thrownCode(() => verifyAccessToken(token, signingKey, policy)),
      'ACCESS_TOKEN_INVALID',
    );
  });

  const claims: Json[] = [
    ...['iss', 'aud', 'sub', 'sid', 'iat', 'exp'].flatMap((name) => [
      { [name]: undefined },
      { [name]: null },
      { [name]: true },
      { [name]: ['x'] },
    ]),
    { iss: 'https://evil.example' },
    { iss: `${policy.issuer}/` },
    { aud: 'other.example' },
    { aud: [policy.audience] },
    { sub: 1 },
    { sid: 1 },
    { exp: '1' },
    { exp: 1.5 },
    { iat: '1' },
    { iat: 1.5 },
  ];
  for (const [index, claim] of claims.entries()) {
    it(`a well-signed access token with ${JSON.stringify(claim)} in its claims is refused (${index})`, () => {
      refused(forged({}, claim));
    });
  }

  const [header, payload] = write()
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString());
  const texts: [what: string, header: string, payload: string][] = [
    ['a header that is no JSON', '{', payload ?? ''],
    ['a header that is a list', '[]', payload ?? ''],
    ['a header that is null', 'null', payload ?? ''],
    ['a header that is a text', '"x"', payload ?? ''],
    ['claims that are no JSON', header ?? '', '{'],
    ['claims that are a list', header ?? '', '[]'],
    ['claims that are null', header ?? '', 'null'],
    ['claims that are a number', header ?? '', '5'],
  ];
  for (const [what, first, second] of texts) {
    it(`a well-signed access token with ${what} is refused`, () => refused(signed(first, second)));
  }

  it('a well-signed access token is accepted up to its longest length', () => {
    const sized = (length: number) => {
      const [own, all] = partsOf(write());
      const plain = signed(JSON.stringify(own), JSON.stringify({ ...all, pad: '' }));
      const spare = Math.floor(((length - plain.length) * 3) / 4);
      return signed(JSON.stringify(own), JSON.stringify({ ...all, pad: 'x'.repeat(spare) }));
    };
    const longest = sized(longestAccessToken);
    assert.equal(longest.length, longestAccessToken);
    assert.equal(verifyAccessToken(longest, find, policy).userId, 'ann');
    refused(sized(longestAccessToken + 2));
  });
});

describe('an access token that was not written', () => {
  const token = write();
  const [header = '', payload = '', signature = ''] = token.split('.');
  const cases: [what: string, given: string][] = [
    ['no text', ''],
    ['dots alone', '..'],
    ['two parts', `${header}.${payload}`],
    ['four parts', `${token}.${signature}`],
    ['an empty header', `.${payload}.${signature}`],
    ['an empty payload', `${header}..${signature}`],
    ['an empty signature', `${header}.${payload}.`],
    ['a padded signature', `${token}==`],
    ['the alphabet of base64', token.replaceAll('-', '+').replaceAll('_', '/').concat('=')],
    ['a padded header', `${header}=.${payload}.${signature}`],
    ['a padded payload', `${header}.${payload}==.${signature}`],
    ['a header with a blank', `${header} .${payload}.${signature}`],
    ['a dot at its end', `${token}.`],
    ['itself twice', `${token},${token}`],
    ['itself in quotes', `"${token}"`],
    ['a character too few', token.slice(0, -1)],
    ['itself and three thousand letters', `${token}${'A'.repeat(3000)}`],
    ['three letters', 'a.b.c'],
    ['a signature a byte too long', `${header}.${payload}.${Buffer.alloc(65).toString('base64url')}`],
    ['a signature of zeros', `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`],
    ['a payload with a blank', `${header}.${payload} .${signature}`],
    ['the payload of another token', `${header}.${write().split('.')[1]}.${signature}`],
  ];
  for (const [what, given] of cases) it(`an access token of ${what} is refused`, () => refused(given));

  it('an access token with one bit changed in any part is refused', () => {
    const parts = [header, payload, signature].map((part) => Buffer.from(part, 'base64url'));
    for (const [index, part] of parts.entries()) {
      for (let at = 0; at < part.length; at += 1) {
        const altered = Buffer.from(part);
        altered[at] = altered.readUInt8(at) ^ (1 << (at % 8));
        refused(parts.map((other, place) => (place === index ? altered : other).toString('base64url')).join('.'));
      }
    }
  });

  it('an access token with another last letter is refused, so each signature has one spelling', () => {
    for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=') {
      if (letter !== token.at(-1)) refused(token.slice(0, -1) + letter);
    }
  });

  it('every access token carries the low-S signature, and the equivalent high-S signature is refused', () => {
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    for (let round = 0; round < 12; round++) {
      const signed = write();
      const text = signed.slice(0, signed.lastIndexOf('.'));
      const bytes = Buffer.from(signed.slice(text.length + 1), 'base64url');
      assert.ok(isLowS(bytes));
      const s = (order - BigInt(`0x${bytes.toString('hex', 32)}`)).toString(16).padStart(64, '0');
      const twin = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s, 'hex')]);
      const options = { key: signingKey().key, dsaEncoding: 'ieee-p1363' as const };
      assert.ok(verify('sha256', Buffer.from(text), options, twin), 'not a twin');
      refused(`${text}.${twin.toString('base64url')}`);
    }
  });

  it('unsigned access tokens are refused, whatever the spelling of the "none" algorithm', () => {
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '', 'none ', null, undefined]) {
      const start = `${encode(JSON.stringify({ ...decode(header), alg }))}.${payload}`;
      for (const given of ['', signature, 'AA']) refused(`${start}.${given}`);
    }
  });

  it('access tokens signed with the public key as a shared secret are refused', () => {
    const { jwk } = signingKey();
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const pem = String(key.export({ type: 'spki', format: 'pem' }));
    const der = key.export({ type: 'spki', format: 'der' });
    for (const alg of ['HS256', 'HS384', 'HS512']) {
      const start = `${encode(JSON.stringify({ ...decode(header), alg }))}.${payload}`;
      for (const secret of [
        pem,
        pem.trim(),
        ` ${pem}`,
        der,
        der.toString('base64'),
        JSON.stringify(jwk),
        String(jwk.x),
      ]) {
        const mac = createHmac(`sha${alg.slice(2)}`, secret).update(start);
        refused(`${start}.${mac.digest('base64url')}`);
      }
    }
  });

  it('any text is refused as an access token, without another error', () => {
    const part = fc.oneof(
      fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
      fc.constantFrom('{}', '[]', 'null', '{"alg":"none"}', '"x"', '{').map(encode),
      fc.constantFrom(header, payload, signature),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        if (parts.join('.') !== token) refused(parts.join('.'));
      }),
      { numRuns: rounds(150), seed },
    );
  });
});

describe('the time of an access token', () => {
  for (const exp of [-1, 0]) {
    it(`a well-signed access token that ended at ${exp} is expired`, () => {
      const ended = verifyAccessToken(forged({}, { exp }), find, policy);
      assert.equal(
        thrownCode(() => checkTime(ended, noon)),
        'ACCESS_TOKEN_EXPIRED',
      );
    });
  }

  const claims = {
    userId: asUserId('ann'),
    sessionId: asSessionId('session'),
    expiresAt: noon,
    provedAt: noon,
    amr: ['otp'],
    keyId: 'key',
  };
  const cases: [what: string, now: number, isValid: boolean][] = [
    ['before its end', noon - 1, true],
    ['at its end, for clocks that differ', noon, true],
    ['almost half a minute after its end', noon + 29_999, true],
    ['half a minute after its end', noon + 30_000, false],
  ];
  for (const [what, now, isValid] of cases) {
    it(`an access token is ${isValid ? 'valid' : 'expired'} ${what}`, () => {
      if (isValid) return checkTime(claims, now);
      assert.equal(
        thrownCode(() => checkTime(claims, now)),
        'ACCESS_TOKEN_EXPIRED',
      );
    });
  }
});
