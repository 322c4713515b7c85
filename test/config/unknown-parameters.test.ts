// Parameters of provider URLs that have no effect are named, and no others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../src/config/config.ts';

describe('a parameter of the URL of a provider', () => {
  for (const [name, value, warning] of [
    ['SMS_URL', 'twilio://A:B@?from=1&tls=1&rate=5', undefined],
    [
      'SMS_URL',
      'twilio://A:B@?from=1&tsl=0',
      'the parameter tsl, which twilio does not know: it has no effect. It takes from, tls, rate.',
    ],
    [
      'SMS_URL',
      'inbox: vonage://A:B@?from=1&hunter2=',
      'a parameter, which vonage does not know: it has no effect. It takes from, tls, rate.',
    ],
    ['SMS_URL', 'webhook+https://a.example.com/x?team=7', undefined],
    ['SMS_URL', 'inbox:?rate=5', undefined],
    ['MAIL_URL', 'smtps://mail.example.com?rate=5', undefined],
    [
      'MAIL_URL',
      'smtps://mail.example.com?pool=1',
      'the parameter pool, which smtps does not know: it has no effect. It takes tls, rate, dkim_domain, dkim_selector, dkim_key_file.',
    ],
    [
      'CAPTCHA_URL',
      'altcha:?cost=9',
      'the parameter cost, which altcha does not know: it has no effect. It takes none.',
    ],
    ['STORAGE_URL', 's3://k:s@s3.example.com/bucket?region=x&prefix=a/&tls=1', undefined],
    [
      'STORAGE_URL',
      's3://k:s@s3.example.com/bucket?zone=x',
      'the parameter zone, which s3 does not know: it has no effect. It takes region, prefix, tls.',
    ],
    [
      'BACKUP_URL',
      's3://k:s@s3.example.com/bucket?zone=x',
      'the parameter zone, which s3 does not know: it has no effect. It takes region, prefix, tls.',
    ],
  ] as const) {
    it(`${name}=${value} is ${warning === undefined ? 'known' : 'a warning'}`, () => {
      const result = readConfig({ MAIL_FROM: 'id@example.com', [name]: value }, 0);
      const { warnings } = 'config' in result ? result.config : assert.fail(JSON.stringify(result.problems));
      assert.deepEqual(warnings, warning === undefined ? [] : [`${name} has ${warning}`]);
    });
  }
});
