// Settings of an identity's life: which durations are read at all, and which values production warns about.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../src/config/config.ts';

const production = {
  PUBLIC_URL: 'https://id.example.com',
  SECRET: 'identity-settings-0123456789-0123456789-0123456789',
  SMS_URL: 'twilio://SID:TOKEN@?from=1',
  MAIL_URL: 'smtps://user:word@mail.example.com',
  MAIL_FROM: 'id@example.com',
};

const read = (env: Readonly<Record<string, string>>) => readConfig(env, 0);

function warningsOf(env: Readonly<Record<string, string>>): readonly string[] {
  const result = read(env);
  return 'config' in result ? result.config.warnings : assert.fail(JSON.stringify(result.problems));
}

describe('settings of an identity’s life', () => {
  const doubtful: [env: Record<string, string>, warning: RegExp][] = [
    [{ RECENT_SIGN_IN: '59s' }, /^RECENT_SIGN_IN is below 1m: /],
    [{ RECENT_SIGN_IN: '25h' }, /^RECENT_SIGN_IN is above 1d: /],
    [{ PHONE_RECOVERY_WAIT: '1s' }, /^PHONE_RECOVERY_WAIT is below 1d: /],
    [{ PHONE_RECOVERY_WAIT: '31d' }, /^PHONE_RECOVERY_WAIT is above 30d: /],
    [{ PHONE_RECYCLED_AFTER: '29d' }, /^PHONE_RECYCLED_AFTER is below REFRESH_TOKEN_IDLE: /],
    [
      { PHONE_RECYCLED_AFTER: '100d', REFRESH_TOKEN_IDLE: '120d' },
      /^PHONE_RECYCLED_AFTER is below REFRESH_TOKEN_IDLE: /,
    ],
    [{ PHONE_RECYCLED_AFTER: '366d' }, /^PHONE_RECYCLED_AFTER is above 365d: /],
    [{ NOTICES: 'off' }, /^NOTICES is off: /],
  ];
  for (const [env, warning] of doubtful) {
    it(`${JSON.stringify(env)} is warned about in production, and not on the machine of a developer`, () => {
      const [found = '', ...others] = warningsOf({ ...production, ...env });
      assert.match(found, warning);
      assert.match(found, /Set \w+\.$/, 'the warning names a cure');
      assert.deepEqual(others, []);
      assert.deepEqual(warningsOf(env), []);
    });
  }

  const sound: Record<string, string>[] = [
    {},
    { RECENT_SIGN_IN: '1m' },
    { RECENT_SIGN_IN: '24h' },
    { PHONE_RECOVERY_WAIT: '24h' },
    { PHONE_RECOVERY_WAIT: '30d' },
    { PHONE_RECYCLED_AFTER: '30d' },
    { PHONE_RECYCLED_AFTER: '365d' },
    { PHONE_RECYCLED_AFTER: '10d', REFRESH_TOKEN_LIFE: '10d' },
    { NOTICES: 'mail+sms' },
  ];
  for (const env of sound) {
    it(`${JSON.stringify(env)} is not warned about`, () => assert.deepEqual(warningsOf({ ...production, ...env }), []));
  }

  for (const name of ['RECENT_SIGN_IN', 'PHONE_RECOVERY_WAIT', 'PHONE_RECYCLED_AFTER']) {
    for (const value of ['0', '0s', '-1h', 'off', 'never', '3651d', '999999999d', '1e9s']) {
      it(`${name}=${value} is refused: no wait is switched off, and none is longer than ten years`, () => {
        const result = read({ [name]: value });
        assert.deepEqual('problems' in result && result.problems.map((problem) => problem.name), [name]);
      });
    }

    it(`${name} may be ten years`, () => assert.ok('config' in read({ [name]: '3650d' })));
  }

  it('mail is always possible in production: notices never lack a provider', () => {
    const { MAIL_URL: _, ...withoutMail } = production;
    const result = read(withoutMail);
    assert.deepEqual('problems' in result && result.problems.map((problem) => problem.name), ['MAIL_URL']);
  });
});
