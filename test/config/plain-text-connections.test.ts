// Connections in plain text: every one to another machine is named, and no other.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { warnOfPlainText } from '../../src/config/plain-text-connections.ts';

const webhookKey = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const others = { MAIL_FROM: 'id@example.com', WEBHOOK_SECRET: webhookKey };

function warnings(name: string, value: string, isProduction: boolean): string[] {
  const result = readConfig({ ...others, [name]: value }, 0);
  return warnOfPlainText(
    'config' in result ? result.config : assert.fail(JSON.stringify(result.problems)),
    isProduction,
  );
}

describe('a connection in plain text', () => {
  for (const [name, value, place] of [
    ['SMS_URL', 'twilio://A:B@?from=1', undefined],
    ['SMS_URL', 'twilio://A:B@sms.example.com?from=1&tls=0', 'codes to sms.example.com'],
    ['SMS_URL', 'twilio://A:B@127.0.0.1:80?from=1&tls=0', undefined],
    ['SMS_URL', 'inbox: webhook+http://sms.example.com/x?tls=off', 'codes to sms.example.com'],
    ['SMS_URL', 'webhook+http://localhost/x', undefined],
    ['SMS_URL', 'webhook+https://sms.example.com/x', undefined],
    ['MAIL_URL', 'smtp://mail.example.com', undefined],
    ['MAIL_URL', 'smtp://mail.example.com?tls=off', 'the password, codes and links to mail.example.com'],
    ['MAIL_URL', 'smtp://localhost?tls=off', undefined],
    ['MAIL_URL', 'smtps://mail.example.com', undefined],
    ['CAPTCHA_URL', 'turnstile://A:B?verify=http%3A%2F%2Fc.example.com%2Fx', 'its secret to c.example.com'],
    ['CAPTCHA_URL', 'turnstile://A:B?verify=https%3A%2F%2Fc.example.com%2Fx', undefined],
    ['CAPTCHA_URL', 'turnstile://A:B', undefined],
    ['WEBHOOK_URL', 'http://app.example.com/hooks', 'events to app.example.com'],
    ['WEBHOOK_URL', 'https://app.example.com/hooks', undefined],
    ['WEBHOOK_URL', 'http://localhost/hooks', undefined],
  ] as const) {
    it(`${name}=${value} is ${place === undefined ? 'no warning' : `a warning: ${place}`}`, () => {
      const expected =
        place === undefined ? [] : [`${name} sends ${place} in plain text: anyone on the network path can read it.`];
      for (const isProduction of [true, false]) assert.deepEqual(warnings(name, value, isProduction), expected);
    });
  }

  for (const [name, value, place] of [
    ['STORAGE_URL', 's3://k:s@s3.example.com/bucket', undefined],
    ['STORAGE_URL', 's3://k:s@s3.example.com:9000/bucket?tls=0', 'files to s3.example.com:9000'],
    ['SCAN_URL', 'clamd://clamav.example.com:3310', 'files to clamav.example.com:3310'],
    ['SCAN_URL', 'clamd://[::1]:3310', undefined],
    ['SCAN_URL', 'clamd:///run/clamav/clamd.ctl', undefined],
    ['DATABASE_URL', 'postgres://db.example.com/x', 'everything to db.example.com'],
    ['DATABASE_URL', 'postgres://localhost/x', undefined],
    ['DATABASE_URL', 'postgres://db.example.com/x?sslmode=disable', 'everything to db.example.com'],
    ['DATABASE_URL', 'postgres://db.example.com/x?sslmode=prefer', 'everything to db.example.com'],
    ['DATABASE_URL', 'postgres://db.example.com/x?sslmode=allow', 'everything to db.example.com'],
    ['DATABASE_URL', 'postgres://db.example.com/x?sslmode=require', undefined],
    ['DATABASE_URL', 'postgres://db.example.com/x?sslmode=verify-full', undefined],
    ['DATABASE_URL', 'postgres://db.example.com/x?ssl=true', undefined],
    ['DATABASE_URL', 'postgres://db.example.com/x?host=/run/pg', undefined],
    ['DATABASE_URL', 'postgres://localhost/x?host=db.example.com&port=6000', 'everything to db.example.com:6000'],
  ] as const) {
    it(`${name}=${value} is ${place === undefined ? 'no warning' : `a warning in production only: ${place}`}`, () => {
      const expected =
        place === undefined ? [] : [`${name} sends ${place} in plain text: anyone on the network path can read it.`];
      assert.deepEqual(warnings(name, value, true), expected);
      assert.deepEqual(warnings(name, value, false), []);
    });
  }

  it('each of several servers has its warning', () =>
    assert.deepEqual(
      warnings('DATABASE_URL', 'postgres://one.example.com,two.example.com:5433/x', true).map(
        (text) => text.split(' ')[4],
      ),
      ['one.example.com', 'two.example.com:5433'],
    ));
});
