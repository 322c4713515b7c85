// Ask tokens: what is written identifies the client that asked, for one recipient and as long as a code lives; nothing else does.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readAsker, writeAskToken } from '../../../src/auth/codes/ask-token.ts';
import { hmacSha256 } from '../../../src/kernel/crypto/digest.ts';
import { createSecrets, type KeyPurpose } from '../../../src/kernel/crypto/secrets.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';
import { asEmailKey, asPhone, asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const oldSecret = 'the secret before '.repeat(3);
const secrets = createSecrets('the secret '.repeat(4), oldSecret);
const subject = { purpose: 'phone-login', recipient: asPhone('+491510000001') } as const;
const { text } = writeAskToken(secrets, subject, 300, noon);
const runs = { numRuns: rounds(150), seed };

/** A token of these bytes with a right MAC. */
function signed(body: Buffer, purpose: KeyPurpose = 'ask token', secretId = secrets.currentId): string {
  const key = secrets.findKey(purpose, secretId) ?? assert.fail('no key');
  const given = [body.toString('base64url'), subject.purpose, subject.recipient, ''].join('\n');
  return Buffer.concat([body, hmacSha256(key, given).subarray(0, 16)]).toString('base64url');
}

describe('an ask token', () => {
  const body = Buffer.from(text, 'base64url').subarray(0, 16);
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(body);
    copy[at] = value;
    return copy;
  };

  it('an ask token has the layout of version 1: secret id, client id, end and MAC', () => {
    assert.equal(body[0], 1);
    assert.equal(body.toString('hex', 1, 3), secrets.currentId);
    assert.equal(body.readUInt32BE(12), noon / 1000 + 300);
    assert.equal(text, signed(body));
    assert.equal(readAsker(secrets, text, subject, noon), body.toString('base64url', 3, 12));
  });

  it('each ask token identifies another client', () => {
    const other = writeAskToken(secrets, subject, 300, noon);
    assert.equal(other.lifeSeconds, 300);
    assert.notEqual(readAsker(secrets, other.text, subject, noon), readAsker(secrets, text, subject, noon));
  });

  it('an ask token identifies who asked, for one recipient and purpose, as long as a code lives', () => {
    const { text, lifeSeconds } = writeAskToken(secrets, subject, 300, noon);
    assert.equal(lifeSeconds, 300);
    assert.match(text, /^[\w-]{43}$/);
    assert.match(readAsker(secrets, text, subject, noon) ?? '', /^[\w-]{12}$/);
    assert.equal(readAsker(secrets, text, subject, noon + 299_999), readAsker(secrets, text, subject, noon));
    assert.equal(readAsker(secrets, text, subject, noon + 300_000), undefined);
    assert.equal(readAsker(secrets, text, { ...subject, recipient: asPhone('+491510000002') }, noon), undefined);
    assert.equal(readAsker(secrets, text, { ...subject, purpose: 'proof-phone' }, noon), undefined);
    assert.equal(readAsker(secrets, text, { ...subject, userId: asUserId('ann') }, noon), undefined);
    assert.notEqual(readAsker(secrets, writeAskToken(secrets, subject, 300, noon).text, subject, noon), undefined);
  });

  it('an ask token stays valid through a rotation of the secret and is refused under another secret', () => {
    const { text } = writeAskToken(createSecrets(oldSecret), subject, 300, noon);
    assert.notEqual(readAsker(secrets, text, subject, noon), undefined);
    assert.equal(readAsker(createSecrets('another secret '.repeat(3)), text, subject, noon), undefined);
  });

  const times: [what: string, writtenAt: number, readAt: number, isRead: boolean][] = [
    ['at once', noon, noon, true],
    ['in its last millisecond', noon, noon + 299_999, true],
    ['at its end', noon, noon + 300_000, false],
    ['in the second that its end was rounded up to', noon + 1, noon + 300_999, true],
    ['after that second', noon + 1, noon + 301_000, false],
  ];
  for (const [what, writtenAt, readAt, isRead] of times) {
    it(`an ask token ${isRead ? 'is read' : 'is not read'} ${what}`, () => {
      const written = writeAskToken(secrets, subject, 300, writtenAt).text;
      assert.equal(readAsker(secrets, written, subject, readAt) !== undefined, isRead);
    });
  }

  const refused: [what: string, given: string | undefined][] = [
    ['no text', undefined],
    ['an empty text', ''],
    ['a character too few', text.slice(1)],
    ['a character too many', `${text}A`],
    ['padding', `${text.slice(0, -1)}=`],
    ['letters of another alphabet', 'é'.repeat(43)],
    ['zeros', 'A'.repeat(43)],
    ['version 0', signed(changed(0, 0))],
    ['version 2', signed(changed(0, 2))],
    ['an unknown secret id', signed(changed(1, body.readUInt8(1) ^ 1))],
    ['the MAC of another kind of token', signed(body, 'refresh token')],
    ['the MAC of the other secret', signed(body, 'ask token', secrets.ids[1])],
    ['a byte too few and a right MAC', signed(body.subarray(0, 15))],
  ];
  for (const [what, given] of refused) {
    it(`an ask token of ${what} identifies nobody`, () => {
      assert.equal(readAsker(secrets, given, subject, noon), undefined);
    });
  }

  it('any recipient and user may have an ask token, which no other recipient or user can use', () => {
    const name = fc.string({ minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(name, name, fc.option(name, { nil: undefined }), (recipient, other, userId) => {
        const owner = {
          purpose: 'email-binding' as const,
          recipient: asEmailKey(recipient),
          ...(userId !== undefined && { userId: asUserId(userId) }),
        };
        const { text: written } = writeAskToken(secrets, owner, 60, noon);
        assert.match(written, /^[\w-]{43}$/);
        assert.notEqual(readAsker(secrets, written, owner, noon), undefined);
        const stranger = { ...owner, recipient: asEmailKey(`${recipient}${other}`) };
        assert.equal(readAsker(secrets, written, stranger, noon), undefined);
        assert.equal(readAsker(secrets, written, { ...owner, userId: asUserId(`${userId ?? ''}x`) }, noon), undefined);
        assert.equal(readAsker(secrets, written, { ...owner, purpose: 'proof-email' }, noon), undefined);
      }),
      runs,
    );
  });

  it('any bytes, and an ask token with any bit changed, identify nobody', () => {
    const bytes = fc
      .uint8Array({ minLength: 30, maxLength: 34 })
      .map((each) => Buffer.from(each).toString('base64url'));
    const flips = fc.tuple(fc.nat(31), fc.integer({ min: 1, max: 255 })).map(([at, mask]) => {
      const copy = Buffer.from(text, 'base64url');
      copy[at] = copy.readUInt8(at) ^ mask;
      return copy.toString('base64url');
    });
    const spellings = fc
      .constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
      .map((letter) => text.slice(0, -1) + letter)
      .filter((given) => given !== text);
    fc.assert(
      fc.property(fc.oneof(bytes, flips, spellings), (given) => {
        assert.equal(readAsker(secrets, given, subject, noon), undefined);
      }),
      runs,
    );
  });

  it('an ask token with any character changed, and junk in its place, is refused', () => {
    const { text } = writeAskToken(secrets, subject, 300, noon);
    for (let index = 0; index < text.length; index++) {
      const other = text[index] === 'A' ? 'B' : 'A';
      const changed = text.slice(0, index) + other + text.slice(index + 1);
      assert.equal(readAsker(secrets, changed, subject, noon), undefined, `at ${index}`);
    }
    for (const junk of [undefined, '', 'x', `${text}=`, `${text}A`, text.slice(1), 'é'.repeat(43), '\0'.repeat(43)])
      assert.equal(readAsker(secrets, junk, subject, noon), undefined);
  });
});
