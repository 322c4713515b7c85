// The settings in force: their values, where they come from, and that no secret is shown.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { effectiveSettings, maskSecret } from '../../src/config/effective-settings.ts';
import type { Env } from '../../src/config/env-reader.ts';
import { settingNames } from '../../src/config/settings.ts';

describe('a masked secret', () => {
  for (const [text, shown] of [
    ['hunter2', '•••'],
    ['inbox:', 'inbox:'],
    ['twilio://SID:TOKEN@?from=+1', 'twilio://•••'],
    ['twilio://SID:TOKEN@host?from=+1', 'twilio://•••@host'],
    ['smtp://ann:pw@mail:587', 'smtp://•••@mail:587'],
    ['smtp://mail:587', 'smtp://•••'],
    ['postgres://ann:pw@db:5432/name?sslmode=require', 'postgres://•••@db:5432/name'],
    ['postgresql://ann:p@w@db/name', 'postgresql://•••@db/name'],
    ['s3://k:s@host:9000/bucket?region=x', 's3://•••@host:9000/bucket'],
    ['webhook+https://key@host/hooks/TOKEN', 'webhook+https://•••@host'],
    ['https://app.example.com/hooks/TOKEN', 'https://•••'],
    ['turnstile://SITE:SECRET?verify=https://a:b@c', 'turnstile://•••'],
    ['smtp://ann:p?w@mail', 'smtp://•••'],
    ['inbox: twilio://A:B', 'inbox: twilio://•••'],
    ['whsec_abc whsec_def', '••• •••'],
    ['', '•••'],
  ] as const) {
    it(`“${text}” is shown as “${shown}”`, () => assert.equal(maskSecret(text), shown));
  }
});

describe('the settings in force', () => {
  function effective(env: Env, file: Env = {}) {
    const fromFile = Object.keys(file).filter((name) => env[name] === undefined);
    const result = readConfig({ ...file, ...env }, 0, () => 'nineteen violet lanterns over the moor, 47');
    const config = 'config' in result ? result.config : assert.fail(JSON.stringify(result.problems));
    const found = effectiveSettings(config, {
      env: { ...file, ...env },
      origins: Object.fromEntries(fromFile.map((name) => [name, '.env'])),
    });
    return (name: string) => {
      const one = found.find((setting) => setting.name === name);
      return one === undefined ? undefined : `${one.value} (${one.source})`;
    };
  }
  const key = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const production = {
    PUBLIC_URL: 'https://id.example.com',
    SECRET: 'nineteen violet lanterns over the moor, 47',
    SMS_URL: 'twilio://SID:TOKEN@?from=+15550100',
    MAIL_URL: 'smtp://mail.example.com',
    MAIL_FROM: 'id@example.com',
    DATA_DIR: '/data',
  };

  it('every setting has a value, and all are listed once in their order', () => {
    const result = readConfig({}, 0);
    const config = 'config' in result ? result.config : assert.fail();
    const found = effectiveSettings(config, { env: {}, origins: {} });
    assert.deepEqual(
      found.map(({ name }) => name),
      settingNames,
    );
    for (const { value, source } of found) assert.ok(value !== '' && source === 'default');
  });

  for (const [name, env, file, expected] of [
    ['PORT', {}, {}, '8080 (default)'],
    ['PORT', { PORT: ' 9000 ' }, {}, '9000 (environment)'],
    ['PORT', {}, { PORT: '9000' }, '9000 (.env)'],
    ['PORT', { PORT: '9001' }, { PORT: '9000' }, '9001 (environment)'],
    ['PORT', { PORT: '' }, {}, '8080 (default)'],
    ['PUBLIC_URL', { PORT: '9000' }, {}, 'http://localhost:9000 (default)'],
    ['LOGIN_LINK_URL', {}, {}, 'http://localhost:8080/login/link (default)'],
    ['DATABASE_URL', { DATA_DIR: '/data' }, {}, 'SQLite in /data (default)'],
    ['STORAGE_URL', { DATA_DIR: '/data' }, {}, 'disk in /data (default)'],
    ['SCAN_URL', {}, {}, 'none (default)'],
    ['SCAN_URL', { SCAN_URL: 'clamd://clamav:3310' }, {}, 'clamd://clamav:3310 (environment)'],
    ['SCAN_FAIL', {}, {}, 'closed (default)'],
    ['SECRET', { DATA_DIR: '/data' }, {}, '••• (generated into /data) (default)'],
    ['SECRET', { SECRET: 'nineteen violet lanterns over the moor, 47' }, {}, '••• (environment)'],
    ['SECRET', { SECRET: 'correct: horse:battery@staple, long enough' }, {}, '••• (environment)'],
    ['WEBHOOK_SECRET', { WEBHOOK_SECRET: `${key} ${key}` }, {}, '••• (environment)'],
    ['SECRET', { SECRET_FILE: ' /run/s ' }, {}, '••• (in /run/s) (file)'],
    ['CAPTCHA_URL', {}, {}, 'open: (default)'],
    ['CAPTCHA_URL', production, {}, 'altcha: (default)'],
    ['SMS_URL', production, {}, 'twilio://••• (environment)'],
    ['SMS_DAILY_LIMIT', {}, {}, 'off (default)'],
    ['SMS_DAILY_LIMIT', production, {}, '5000 (default)'],
    ['SMS_DAILY_LIMIT_PER_COUNTRY', production, {}, '1000 (default)'],
    ['SMS_LIMIT_PER_PREFIX', {}, {}, 'off (default)'],
    ['SMS_LIMIT_PER_PREFIX', production, {}, '30/1h (default)'],
    ['SMS_UNUSED_SHARE', {}, {}, 'off (default)'],
    ['SMS_UNUSED_SHARE', production, {}, '80%/50 (default)'],
    ['OTP_RESEND_AFTER', {}, {}, 'off (default)'],
    ['OTP_RESEND_AFTER', production, {}, '30s,60s,120s,300s (default)'],
    ['OTP_RESEND_AFTER', { MAIL_URL: 'smtp://m', MAIL_FROM: 'a@b.c' }, {}, 'SMS off, mail 30s,60s,120s,300s (default)'],
    ['LIMIT_SENDS_PER_RECIPIENT', production, {}, '5/1h,10/24h (default)'],
    ['LIMIT_SENDS_PER_IP', { SMS_URL: production.SMS_URL }, {}, 'SMS 20/1h,60/24h, mail off (default)'],
    ['LIMIT_REQUESTS_PER_IP', {}, {}, 'off (default)'],
    ['LIMIT_REQUESTS_PER_IP', production, {}, '600/1m (default)'],
  ] as [string, Env, Env, string][]) {
    it(`${name} with ${JSON.stringify(env)} and a file with ${JSON.stringify(file)} is ${expected}`, () =>
      assert.equal(effective(env, file)(name), expected));
  }
});
