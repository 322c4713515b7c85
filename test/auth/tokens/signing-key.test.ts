// Signing keys: how they are kept, who can open them, and when the next one is due.
import assert from 'node:assert/strict';
import { createPrivateKey, sign, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  makeSigningKey,
  openSigningKey,
  planNextKey,
  readPublicKey,
  type StoredSigningKey,
  signingKeyPolicy,
} from '../../../src/auth/tokens/signing-key.ts';
import { sha256 } from '../../../src/kernel/crypto/digest.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';
import { day, hour, minute, noon } from '../../helpers/store/fixtures.ts';

const oldSecret = 'the secret before '.repeat(3);
const old = createSecrets(oldSecret);
const secrets = createSecrets('the secret '.repeat(4), oldSecret);
const stored = makeSigningKey(secrets, 7, noon + day, noon);

describe('a signing key', () => {
  it('a signing key is kept with its generation, its times and an id made from its public key', () => {
    const { generation, id, createdAt, activeFrom, publicKey } = stored;
    assert.deepEqual([generation, createdAt, activeFrom], [7, noon, noon + day]);
    assert.equal(id, sha256(Buffer.from(publicKey, 'base64url')).slice(0, 22));
    assert.notEqual(makeSigningKey(secrets, 7, noon, noon).id, id);
  });

  it('the id of a signing key never looks like an option of the command line', () => {
    const ids = Array.from({ length: 1000 }, () => makeSigningKey(secrets, 1, noon, noon).id);
    assert.deepEqual(
      ids.filter((id) => id.startsWith('-')),
      [],
    );
  });

  it('a signing key is kept encrypted, with the id of its secret, and never the same text twice', () => {
    const [secretId, iv, sealed = ''] = stored.privateKey.split('.');
    assert.equal(secretId, secrets.currentId);
    assert.equal(Buffer.from(iv ?? '', 'base64url').length, 12);
    assert.throws(() => createPrivateKey({ key: Buffer.from(sealed, 'base64url'), type: 'pkcs8', format: 'der' }));
    assert.notEqual(makeSigningKey(secrets, 7, noon, noon).privateKey.split('.')[1], iv);
  });

  it('a signing key that was opened signs what its public key verifies', () => {
    const key = openSigningKey(secrets, stored) ?? assert.fail('not opened');
    const signature = sign('sha256', Buffer.from('text'), key.privateKey);
    assert.ok(verify('sha256', Buffer.from('text'), readPublicKey(stored).key, signature));
    assert.ok(verify('sha256', Buffer.from('text'), key.key, signature));
    assert.equal(key.id, stored.id);
  });

  it('a signing key is published as a JWK without its private part', () => {
    const { id, jwk } = readPublicKey(stored);
    assert.equal(id, stored.id);
    assert.deepEqual(Object.keys(jwk).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    const { kty, crv, kid, alg, use } = jwk;
    assert.deepEqual([kty, crv, kid, alg, use], ['EC', 'P-256', stored.id, 'ES256', 'sig']);
  });

  const flipped = (part: number) => {
    const parts = stored.privateKey.split('.');
    const bytes = Buffer.from(parts[part] ?? '', 'base64url');
    bytes[0] = bytes.readUInt8(0) ^ 1;
    parts[part] = bytes.toString('base64url');
    return parts.join('.');
  };
  const cases: [what: string, by: typeof secrets, privateKey: string, isOpened: boolean][] = [
    ['with its secret', secrets, stored.privateKey, true],
    ['with the secret before', secrets, makeSigningKey(old, 1, noon, noon).privateKey, true],
    ['without its secret', old, stored.privateKey, false],
    ['with another secret', createSecrets('another secret '.repeat(3)), stored.privateKey, false],
    ['after a change of its text', secrets, flipped(2), false],
    ['after a change of its nonce', secrets, flipped(1), false],
    ['without its text', secrets, stored.privateKey.split('.').slice(0, 2).join('.'), false],
    ['without its nonce', secrets, secrets.currentId, false],
    ['with a text that is cut off', secrets, stored.privateKey.split('.').slice(0, 2).join('.').concat('.AAAA'), false],
    ['from an empty text', secrets, '', false],
    ['under the id of the other secret', secrets, stored.privateKey.replace(secrets.currentId, old.currentId), false],
  ];
  for (const [what, by, privateKey, isOpened] of cases) {
    it(`a signing key is ${isOpened ? 'opened' : 'not opened'} ${what}`, () => {
      assert.equal(openSigningKey(by, { ...stored, privateKey }) !== undefined, isOpened);
    });
  }

  it('a signing key is used for thirty days and published a day before', () => {
    assert.deepEqual(signingKeyPolicy, { lifeSeconds: 30 * 86_400, publishAheadSeconds: 86_400 });
  });
});

describe('the next signing key', () => {
  const policy = { lifeSeconds: 30 * 86_400, publishAheadSeconds: 86_400 };
  const key = (generation: number, activeFrom: number): StoredSigningKey => ({ ...stored, generation, activeFrom });
  const all = () => true;
  const none = () => false;
  type Plan = ReturnType<typeof planNextKey>;
  const cases: [what: string, StoredSigningKey[], canSign: (key: StoredSigningKey) => boolean, expected: Plan][] = [
    ['is the first, at once, where there is none', [], all, { generation: 1, activeFrom: noon }],
    ['is not due while the newest is new', [key(1, noon)], all, undefined],
    ['is not due more than a day before the end of the newest', [key(1, noon - 29 * day + 1)], all, undefined],
    [
      'is due a day before that end, and starts then',
      [key(1, noon - 29 * day)],
      all,
      { generation: 2, activeFrom: noon + day },
    ],
    [
      'starts a day from now if it is made late',
      [key(1, noon - 40 * day)],
      all,
      { generation: 2, activeFrom: noon + day },
    ],
    ['is not due once it waits', [key(1, noon - 29 * day), key(2, noon + day)], all, undefined],
    [
      'follows the newest, in whatever order they are kept',
      [key(3, noon - 29 * day), key(2, noon), key(1, noon)],
      all,
      { generation: 4, activeFrom: noon + day },
    ],
    ['is due at once where none can be opened', [key(4, noon)], none, { generation: 5, activeFrom: noon }],
    [
      'is due at once where the one that can be opened starts later',
      [key(1, noon - day), key(2, noon + day)],
      ({ generation }) => generation === 2,
      { generation: 3, activeFrom: noon },
    ],
    [
      'is not due where an older one can be opened',
      [key(1, noon - day), key(2, noon)],
      ({ generation }) => generation === 1,
      undefined,
    ],
    ['is not due beside one from a clock that is a minute ahead', [key(1, noon + minute)], all, undefined],
    [
      'is due at once beside one that starts later than that',
      [key(1, noon + minute + 1)],
      all,
      { generation: 2, activeFrom: noon },
    ],
  ];
  for (const [what, keys, canSign, expected] of cases) {
    it(`the next signing key ${what}`, () => assert.deepEqual(planNextKey(keys, canSign, policy, noon), expected));
  }

  it('at any pace of refreshes there is always a key that signs, each is published a day before its use, and none is made early', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 60 * 24 }), { size: 'max', maxLength: 80 });
    fc.assert(
      fc.property(pauses, (hours) => {
        const keys: StoredSigningKey[] = [];
        let now = noon;
        for (const pause of hours) {
          now += pause * hour;
          const next = planNextKey(keys, all, policy, now);
          if (next !== undefined) {
            const before = keys.at(-1);
            assert.equal(next.generation, (before?.generation ?? 0) + 1);
            if (before !== undefined) {
              assert.ok(next.activeFrom >= now + day, 'published a day before');
              assert.ok(next.activeFrom >= before.activeFrom + 30 * day, 'the one before was used for its life');
            }
            keys.push(key(next.generation, next.activeFrom));
          }
          assert.ok(keys.some(({ activeFrom }) => activeFrom <= now));
          assert.equal(planNextKey(keys, all, policy, now), undefined, 'one is enough');
        }
      }),
      { numRuns: rounds(100), seed },
    );
  });
});
