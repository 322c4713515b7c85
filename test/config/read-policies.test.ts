// The limits and lifetimes in force: what local mode, the inbox and production start with, and what a setting changes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEnvReader, type Env } from '../../src/config/env-reader.ts';
import { readPolicies } from '../../src/config/read-policies.ts';

const modes = {
  local: { isProduction: false, isInbox: { sms: true, mail: true } },
  production: { isProduction: true, isInbox: { sms: false, mail: false } },
  'production with mail in the inbox': { isProduction: true, isInbox: { sms: false, mail: true } },
} as const;

const read = (env: Env, mode: keyof typeof modes = 'local') => readPolicies(createEnvReader(env), modes[mode]);

const limited = {
  resendAfterSeconds: [30, 60, 120, 300],
  perRecipient: [
    { count: 5, windowSeconds: 3600 },
    { count: 10, windowSeconds: 86_400 },
  ],
  perIp: [
    { count: 20, windowSeconds: 3600 },
    { count: 60, windowSeconds: 86_400 },
  ],
};
const unlimited = { resendAfterSeconds: [], perRecipient: [], perIp: [] };

describe('the policies without settings', () => {
  for (const [mode, sms, mail, requestsPerIp, guesses] of [
    ['local', unlimited, unlimited, [], []],
    ['production', limited, limited, [{ count: 600, windowSeconds: 60 }], [30, 100]],
    ['production with mail in the inbox', limited, unlimited, [{ count: 600, windowSeconds: 60 }], [30, 100]],
  ] as const) {
    it(`of ${mode}`, () => {
      const policies = read({}, mode);
      assert.deepEqual(policies.sends, { sms, mail });
      assert.deepEqual(policies.requestsPerIp, requestsPerIp);
      assert.deepEqual(
        policies.otp.sms.failuresPerCaller.map(({ count }) => count),
        guesses,
      );
      assert.deepEqual(policies.otp.sms.failuresPerRecipient, [{ count: 15, windowSeconds: 86_400 }]);
      assert.deepEqual(policies.uploadsPerUser, [{ count: 60, windowSeconds: 60 }]);
    });
  }

  it('codes, links, tokens and sessions have their documented lives', () => {
    const { otp, linkLifeSeconds, accessTokenLifeSeconds, session } = read({});
    assert.deepEqual([otp.sms.lifeSeconds, otp.sms.capSeconds, otp.sms.attempts], [300, 600, 5]);
    assert.deepEqual([otp.mail.lifeSeconds, otp.mail.capSeconds, otp.mail.attempts], [600, 900, 5]);
    assert.deepEqual([linkLifeSeconds, accessTokenLifeSeconds], [900, 900]);
    const day = 86_400;
    assert.deepEqual(session, { idleSeconds: 30 * day, lifeSeconds: 180 * day, graceSeconds: 30, perUser: 20 });
  });
});

describe('the policies of settings', () => {
  it('a setting holds for both channels, also in the inbox', () => {
    const { sends, otp } = read({ OTP_RESEND_AFTER: '1s,2s', LIMIT_SENDS_PER_IP: '7/1m', OTP_ATTEMPTS: '3' });
    for (const channel of ['sms', 'mail'] as const) {
      assert.deepEqual(sends[channel].resendAfterSeconds, [1, 2]);
      assert.deepEqual(sends[channel].perIp, [{ count: 7, windowSeconds: 60 }]);
      assert.equal(otp[channel].attempts, 3);
    }
  });

  it('off turns a limit off in production', () => {
    const names = [
      'OTP_RESEND_AFTER',
      'LIMIT_SENDS_PER_RECIPIENT',
      'LIMIT_SENDS_PER_IP',
      'LIMIT_ATTEMPTS_PER_RECIPIENT',
      'LIMIT_ATTEMPTS_PER_IP',
      'LIMIT_REQUESTS_PER_IP',
      'LIMIT_UPLOADS_PER_USER',
    ];
    const policies = read(Object.fromEntries(names.map((name) => [name, 'off'])), 'production');
    assert.deepEqual(policies.sends, { sms: unlimited, mail: unlimited });
    assert.deepEqual([policies.requestsPerIp, policies.uploadsPerUser], [[], []]);
    assert.deepEqual([policies.otp.mail.failuresPerCaller, policies.otp.mail.failuresPerRecipient], [[], []]);
  });

  it('the longest life of a code follows from its life', () => {
    const { otp } = read({ OTP_SMS_LIFE: '1m', OTP_MAIL_LIFE: '1m' });
    assert.deepEqual([otp.sms.capSeconds, otp.mail.capSeconds], [120, 90]);
  });
});
