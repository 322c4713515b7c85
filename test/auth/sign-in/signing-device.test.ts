// The device of a sign-in: what its token proves, and the notice that goes out if it is new.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeDeviceToken } from '../../../src/auth/devices/device-token.ts';
import { prepareDevice } from '../../../src/auth/sign-in/signing-device.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { newUserId } from '../../../src/kernel/ids.ts';
import { createAuthStage, secrets } from '../../helpers/people/auth-fakes.ts';
import { asPhone } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const userId = newUserId();
const phone = asPhone('+491510000001');
const given = { deviceToken: undefined, userAgent: 'curl/8.0', language: 'de' } as const;

describe('the device of a sign-in', () => {
  it('a device with a token is known to its user and number', () => {
    const { text } = writeDeviceToken(secrets, { userId, phone }, noon);
    const { known, device } = prepareDevice(createAuthStage().deps, { ...given, deviceToken: text });
    assert.equal(known?.isOf(phone), true);
    assert.equal(device.knownUserId, userId);
  });

  it('a device with a forged, foreign or expired token is unknown', () => {
    const { deps } = createAuthStage();
    const foreign = writeDeviceToken(createSecrets('another secret '.repeat(3)), { userId, phone }, noon).text;
    const expired = writeDeviceToken(secrets, { userId, phone }, noon - 366 * 86_400_000).text;
    for (const deviceToken of [undefined, '', 'junk', foreign, expired]) {
      const { known, device } = prepareDevice(deps, { ...given, deviceToken });
      assert.equal(known, undefined);
      assert.equal(device.knownUserId, undefined);
    }
  });

  it('the notice names the program, in the language of the request', () => {
    const { isReported, notice } = prepareDevice(createAuthStage().deps, given).device;
    assert.deepEqual([isReported, notice.device, notice.language, notice.now], [true, 'curl', 'de', noon]);
  });

  it('there is no notice where notices are off', () => {
    const { deps } = createAuthStage({}, { noticeChoice: 'off' });
    assert.equal(prepareDevice(deps, given).device.isReported, false);
  });
});
