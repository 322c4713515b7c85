// The limits of a service in production where the operator sets nothing but the addresses of the providers.
import assert from 'node:assert/strict';
import { readConfig } from '../../../src/config/config.ts';
import { longSecret } from '../config/setting-cases.ts';

const env = {
  PUBLIC_URL: 'https://id.example.com',
  SECRET: longSecret,
  SMS_URL: 'twilio://SID:TOKEN@?from=+15550100',
  MAIL_URL: 'smtp://mail.example.com',
  MAIL_FROM: 'id@example.com',
};

export function defaultLimits() {
  const result = readConfig(env, Date.UTC(2031, 4, 5));
  const { sends, brake, otp } = 'config' in result ? result.config : assert.fail(JSON.stringify(result.problems));
  return { sends, brake, otp };
}
