// Device tokens: what is written marks a device of one user and number for a year; anything else marks none.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { deviceLifeSeconds, readDevice, writeDeviceToken } from '../../../src/auth/devices/device-token.ts';
import { hmacSha256 } from '../../../src/kernel/crypto/digest.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { newUserId } from '../../../src/kernel/ids.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';
import { asPhone } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const oldSecret = 'the secret before '.repeat(3);
const secrets = createSecrets('the secret '.repeat(4), oldSecret);
const userId = newUserId();
const phone = asPhone('+491510000001');
const { text, lifeSeconds } = writeDeviceToken(secrets, { userId, phone }, noon);
const bytes = Buffer.from(text, 'base64url');
const year = 365 * 86_400;

/** A token of this body with a right MAC. */
function signed(body: Buffer): string {
  const mac = hmacSha256(secrets.currentKey('device token'), `device\n${body.toString('base64url')}`).subarray(0, 16);
  return Buffer.concat([body, mac]).toString('base64url');
}

describe('a device token', () => {
  it('a device token identifies the device, its user and the number, for a year', () => {
    const device = readDevice(secrets, text, noon) ?? assert.fail();
    assert.match(text, /^[\w-]{75}$/);
    assert.equal(lifeSeconds, year);
    assert.equal(deviceLifeSeconds, year);
    assert.match(device.id, /^[\w-]{12}$/);
    assert.equal(device.userId, userId);
    assert.equal(device.isOf(phone), true);
    assert.equal(device.isOf(asPhone('+491510000002')), false);
    assert.ok(readDevice(secrets, text, noon + year * 1000 - 1));
    assert.equal(readDevice(secrets, text, noon + year * 1000), undefined, 'it has expired');
  });

  it('a device that signs in again keeps its id, and another user on it gets another', () => {
    const known = readDevice(secrets, text, noon) ?? assert.fail();
    const later = noon + 86_400_000;
    const again = readDevice(secrets, writeDeviceToken(secrets, { userId, phone, known }, later).text, later);
    assert.equal(again?.id, known.id);
    const other = writeDeviceToken(secrets, { userId: newUserId(), phone, known }, later).text;
    assert.notEqual(readDevice(secrets, other, later)?.id, known.id);
    assert.ok(readDevice(secrets, writeDeviceToken(secrets, { userId, phone, known }, later).text, noon + year * 1000));
  });

  it('a device token tells nobody the phone number, and the same number has another mark under another secret', () => {
    const mark = bytes.subarray(32, 40);
    assert.ok(!bytes.includes(Buffer.from(phone)));
    const other = writeDeviceToken(createSecrets(oldSecret), { userId, phone }, noon).text;
    assert.notDeepEqual(Buffer.from(other, 'base64url').subarray(32, 40), mark);
  });

  it('a device token of the previous secret is known, and one of a forgotten secret is not', () => {
    const old = writeDeviceToken(createSecrets(oldSecret), { userId, phone }, noon).text;
    assert.equal(readDevice(secrets, old, noon)?.userId, userId);
    assert.equal(readDevice(secrets, old, noon)?.isOf(phone), true);
    assert.equal(readDevice(createSecrets('the secret '.repeat(4)), old, noon), undefined);
  });

  it('a device token with any byte changed, cut off or added is not accepted', () => {
    assert.equal(signed(bytes.subarray(0, 40)), text);
    const otherVersion = Buffer.from(bytes.subarray(0, 40));
    otherVersion[0] = 2;
    for (const junk of [undefined, '', 'x', 'A'.repeat(75), `${text}A`, text.slice(1), signed(otherVersion)])
      assert.equal(readDevice(secrets, junk, noon), undefined);
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(change, ([at, by]) => {
        const copy = Buffer.from(bytes);
        copy[at] = (copy[at] ?? 0) ^ by;
        assert.equal(readDevice(secrets, copy.toString('base64url'), noon), undefined);
      }),
      { numRuns: rounds(150), seed },
    );
  });
});
