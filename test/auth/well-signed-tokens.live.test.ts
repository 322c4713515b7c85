// Access tokens with a valid signature and anything else wrong, as a bug of ours or another service with our key could produce.
import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { toLowS } from '../../src/auth/low-s.ts';
import { openSigningKey, type StoredSigningKey } from '../../src/auth/signing-key.ts';
import { createSecrets } from '../../src/kernel/secrets.ts';
import { askStore } from '../helpers/raw-store.ts';
import { setStage } from '../helpers/stage.ts';
import { enter, me, told } from '../helpers/users.ts';

type Json = Record<string, unknown>;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string | undefined): Json => JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

describe('access tokens signed with the real key', () => {
  const secret = 's'.repeat(40);
  const stage = setStage('sqlite', { SECRET: secret });

  it('a well-signed access token is refused when anything in it differs from what this service writes', async () => {
    const { JWT } = await enter(stage.url);
    const [header = {}, claims = {}] = JWT.split('.').slice(0, 2).map(decode);
    const [row = {}] = await askStore(stage.env, 'select * from signing_keys');
    const sealed = { generation: 1, id: '', publicKey: row.public_key, privateKey: row.private_key };
    const key = openSigningKey(createSecrets(secret), { ...sealed, createdAt: 0, activeFrom: 0 } as StoredSigningKey);
    const forge = (inHeader: Json, inClaims: Json) => {
      const signed = `${encode({ ...header, ...inHeader })}.${encode({ ...claims, ...inClaims })}`;
      const options = { key: key?.privateKey ?? assert.fail('no key'), dsaEncoding: 'ieee-p1363' as const };
      return `${signed}.${toLowS(sign('sha256', Buffer.from(signed), options)).toString('base64url')}`;
    };
    assert.equal(told(await me(stage.url, forge({}, {}))), '200');
    const alien = 'https://evil.example';
    const headers = [
      { typ: 'JWT' },
      { typ: undefined },
      { alg: 'none' },
      { alg: 'ES384' },
      { kid: undefined },
      { kid: 'x' },
    ];
    const brought = [
      { crit: [] },
      { jku: alien },
      { jwk: {} },
      { x5u: alien },
      { x5c: [] },
      { b64: true },
      { zip: 'DEF' },
    ];
    for (const inHeader of [...headers, ...brought]) await expect(forge(inHeader, {}), 'ACCESS_TOKEN_INVALID');
    const times = [undefined, null, String(claims.exp), Number(claims.exp) + 0.5, [claims.exp], true].map((exp) => ({
      exp,
    }));
    const names = ['iss', 'aud', 'sub', 'sid', 'iat'].flatMap((name) => [
      { [name]: undefined },
      { [name]: [claims[name]] },
    ]);
    const others = [
      { iss: alien },
      { iss: `${claims.iss}/` },
      { aud: alien },
      { sub: 1 },
      { sid: null },
      { iat: 'now' },
    ];
    for (const inClaims of [...times, ...names, ...others]) await expect(forge({}, inClaims), 'ACCESS_TOKEN_INVALID');
    await expect(forge({}, { exp: -1 }), 'ACCESS_TOKEN_EXPIRED');
    await expect(forge({}, { exp: 0 }), 'ACCESS_TOKEN_EXPIRED');
  });

  async function expect(token: string, code: string): Promise<void> {
    assert.equal(told(await me(stage.url, token)), `401 ${code}`, Buffer.from(token, 'base64url').toString());
  }
});
