// Refresh tokens: what is written is read back, any other text is refused, and a client leaves no trace that can be read.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  hashSeed,
  markClient,
  newSeed,
  parseRefreshToken,
  type RefreshToken,
  writeRefreshToken,
} from '../../../src/auth/tokens/refresh-token.ts';
import { hmacSha256, sha256 } from '../../../src/kernel/crypto/digest.ts';
import { createSecrets, type KeyPurpose } from '../../../src/kernel/crypto/secrets.ts';
import { rounds, seed as runSeed } from '../../helpers/faults/rounds.ts';
import { thrownCode } from '../../helpers/people/auth-fakes.ts';
import { asSessionId } from '../../helpers/people/ids.ts';

const oldSecret = 'the secret before '.repeat(3);
const secrets = createSecrets('the secret '.repeat(4), oldSecret);
const token: RefreshToken = {
  sessionId: asSessionId('0192f0c1-7d1e-7abc-8def-0123456789ab'),
  seed: Buffer.from('000102030405060708090a0b0c0d0eff', 'hex'),
  counter: 0x01020304,
};
const text = writeRefreshToken(secrets, token);
const runs = { numRuns: rounds(150), seed: runSeed };
const refused = (given: string, by = secrets) =>
  assert.equal(
    thrownCode(() => parseRefreshToken(by, given)),
    'REFRESH_TOKEN_INVALID',
  );

/** A token of these bytes with a right MAC. */
function signed(body: Buffer, purpose: KeyPurpose = 'refresh token', secretId = secrets.currentId): string {
  const key = secrets.findKey(purpose, secretId) ?? assert.fail('no key');
  return Buffer.concat([body, hmacSha256(key, body).subarray(0, 16)]).toString('base64url');
}

describe('a refresh token that was written', () => {
  const anyToken = fc.record({
    sessionId: fc.uuid().map(asSessionId),
    seed: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes)),
    counter: fc.integer({ min: 0, max: 0xffff_ffff }),
  });

  it('any session id, seed and counter are read back from the refresh token that was written', () => {
    fc.assert(
      fc.property(anyToken, (given) => {
        const written = writeRefreshToken(secrets, given);
        assert.match(written, /^[\w-]{74}$/);
        assert.deepEqual(parseRefreshToken(secrets, written), { ...given });
        assert.equal(writeRefreshToken(secrets, given), written, 'the same input gives the same text');
      }),
      runs,
    );
  });

  it('a refresh token has the layout of version 1: secret id, session id, seed, counter and MAC', () => {
    const body = Buffer.from(
      `01${secrets.currentId}0192f0c17d1e7abc8def0123456789ab000102030405060708090a0b0c0d0eff01020304`,
      'hex',
    );
    assert.equal(text, signed(body));
  });

  it('a refresh token of an app has version 2, so that a version without apps refuses it, and neither kind is read as the other', () => {
    const ofApp = writeRefreshToken(secrets, token, 'app');
    assert.equal(Buffer.from(ofApp, 'base64url')[0], 2);
    assert.deepEqual(parseRefreshToken(secrets, ofApp, 'app'), token);
    refused(ofApp);
    assert.equal(
      thrownCode(() => parseRefreshToken(secrets, text, 'app')),
      'REFRESH_TOKEN_INVALID',
    );
  });

  it('a refresh token stays valid through a rotation of the secret', () => {
    const old = createSecrets(oldSecret);
    assert.deepEqual(parseRefreshToken(secrets, writeRefreshToken(old, token)), token);
    refused(text, old);
    refused(text, createSecrets('another secret '.repeat(3)));
  });
});

describe('a refresh token that was not written', () => {
  const body = Buffer.from(text, 'base64url').subarray(0, 39);
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(body);
    copy[at] = value;
    return copy;
  };
  const cases: [what: string, given: string][] = [
    ['no text', ''],
    ['a character too few', text.slice(1)],
    ['a character too many', `${text}A`],
    ['padding', `${text}==`],
    ['padding in its length', `${text.slice(0, -1)}=`],
    ['a blank in its length', `${text.slice(0, -1)} `],
    ['letters of another alphabet', 'é'.repeat(74)],
    ['null characters', '\0'.repeat(74)],
    ['nothing but zeros', 'A'.repeat(74)],
    ['version 0', signed(changed(0, 0))],
    ['version 2', signed(changed(0, 2))],
    ['an unknown secret id', signed(changed(1, body.readUInt8(1) ^ 1))],
    ['the MAC of another kind of token', signed(Buffer.from(body), 'ask token')],
    ['the MAC of the other secret', signed(Buffer.from(body), 'refresh token', secrets.ids[1])],
    ['a byte too few and a right MAC', signed(body.subarray(0, 38))],
    ['a byte too many and a right MAC', signed(Buffer.concat([body, Buffer.alloc(1)]))],
  ];
  for (const [what, given] of cases) it(`a refresh token of ${what} is refused`, () => refused(given));

  it('a refresh token with any character changed is refused, so each token has one spelling', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/';
    for (let at = 0; at < text.length; at++) {
      const letter = letters[(letters.indexOf(text[at] ?? '') + 1 + at) % letters.length] ?? '';
      if (letter !== text[at]) refused(text.slice(0, at) + letter + text.slice(at + 1));
    }
    const last = [...letters].filter((letter) => letter !== text.at(-1));
    for (const letter of last) refused(text.slice(0, -1) + letter);
  });

  it('any bytes and any text are refused as a refresh token, without another error', () => {
    const bytes = fc
      .uint8Array({ minLength: 50, maxLength: 60 })
      .map((each) => Buffer.from(each).toString('base64url'));
    const flips = fc.tuple(fc.nat(54), fc.integer({ min: 1, max: 255 })).map(([at, mask]) => {
      const copy = Buffer.from(text, 'base64url');
      copy[at] = copy.readUInt8(at) ^ mask;
      return copy.toString('base64url');
    });
    const texts = fc
      .array(fc.nat(0xffff), { minLength: 70, maxLength: 78 })
      .map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(fc.oneof(bytes, flips, texts), (given) => refused(given)),
      runs,
    );
  });
});

describe('the seed of a refresh token', () => {
  it('a seed is 16 random bytes, and the store keeps its hash', () => {
    const made = newSeed();
    assert.equal(made.length, 16);
    assert.notDeepEqual(newSeed(), made);
    assert.equal(hashSeed(made), sha256(made));
  });
});

describe('the fingerprint of a client', () => {
  const salt = Buffer.alloc(16, 7);
  const firefox = { userAgent: 'Firefox/140 Android', ip: '192.0.2.7', device: 'a phone' };
  const phone = markClient(salt, firefox);

  it('the fingerprint of a client differs from session to session and reveals nothing', () => {
    const other = markClient(Buffer.alloc(16, 8), firefox);
    assert.notEqual(other.agent, phone.agent);
    assert.notEqual(other.network, phone.network);
    assert.notEqual(other.device, phone.device);
    assert.match(`${phone.agent} ${phone.network} ${phone.device}`, /^[\w-]{11} [\w-]{11} [\w-]{11}$/);
  });

  const cases: [what: string, client: Parameters<typeof markClient>[1], same: (keyof typeof phone)[]][] = [
    ['the same client', firefox, ['agent', 'network', 'device']],
    ['another address of the network', { ...firefox, ip: '192.0.2.99' }, ['agent', 'network', 'device']],
    ['another network', { ...firefox, ip: '198.51.100.7' }, ['agent', 'device']],
    ['another program', { ...firefox, userAgent: 'curl/8' }, ['network', 'device']],
    ['no program', { ...firefox, userAgent: undefined }, ['network', 'device']],
    ['another device', { ...firefox, device: 'a tablet' }, ['agent', 'network']],
    ['no known device', { ...firefox, device: undefined }, ['agent', 'network']],
  ];
  for (const [what, client, same] of cases) {
    it(`the fingerprint of ${what} has the same ${same.join(' and ')}`, () => {
      const marks = markClient(salt, client);
      assert.deepEqual(
        (['agent', 'network', 'device'] as const).filter((name) => marks[name] === phone[name]),
        same,
      );
    });
  }

  it('the fingerprint of a client at an unknown address has no network', () => {
    assert.equal(markClient(salt, { ...firefox, ip: 'unknown' }).network, undefined);
    assert.equal(markClient(salt, { ...firefox, device: undefined }).device, '');
    assert.deepEqual(
      markClient(salt, { userAgent: undefined, ip: '::', device: undefined }),
      markClient(salt, { userAgent: '', ip: '::', device: undefined }),
    );
  });

  it('the fingerprint of a client is a hash with the seed as salt', () => {
    const start = salt.toString('base64url');
    assert.deepEqual(phone, {
      agent: sha256(`${start} Firefox/140 Android`).slice(0, 11),
      network: sha256(`${start} 192.0.2.0/24`).slice(0, 11),
      device: sha256(`${start} a phone`).slice(0, 11),
    });
  });
});
