// What the terminal shows when the service is ready.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeBanner } from '../../../src/commands/serve/banner.ts';
import { type Config, readConfig } from '../../../src/config/config.ts';

function configOf(env: Record<string, string>): Config {
  const result = readConfig({ DATA_DIR: '/data', ...env }, 0);
  return 'config' in result ? result.config : assert.fail(JSON.stringify(result.problems));
}

const production = {
  PUBLIC_URL: 'https://id.example.com',
  SECRET: 'nineteen violet lanterns over the moor, 47',
  SMS_URL: 'twilio://SID:hunter2@?from=+15550100',
  MAIL_URL: 'smtp://ann:hunter2@mail.example.com',
  MAIL_FROM: 'id@example.com',
  DATABASE_URL: 'postgres://ann:hunter2@db/x?sslmode=require',
  STORAGE_URL: 's3://KEY:hunter2@s3.example.com/bucket',
};

describe('the banner', () => {
  it('of local mode names the inbox, the data folder, and that nothing leaves the machine', () => {
    const text = writeBanner(configOf({}), 123, 'served');
    for (const part of [
      'local mode',
      'ready in 123 ms',
      'http://localhost:8080/inbox',
      'http://127.0.0.1:9464/metrics',
      'Database: /data/gatehouse.db (SQLite, does not exist yet) · Files: /data/files (disk)',
      'Nothing leaves this machine: messages go to the inbox, with one line each below.',
      'Any captcha-token is accepted.',
      'Press Ctrl+C to stop.',
    ])
      assert.ok(text.includes(part), part);
    assert.doesNotMatch(text, /Warning/);
  });

  it('of production names no inbox and no secret, and warns of a proxy that is not trusted', () => {
    const text = writeBanner(configOf(production), 123, 'off');
    assert.match(text, /production/);
    assert.match(text, /Database: PostgreSQL x on db:5432 · Files: S3 bucket on s3\.example\.com/);
    assert.match(text, /Warning: TRUSTED_PROXIES is empty/);
    assert.doesNotMatch(text, /inbox|hunter2|Metrics|captcha/);
    const trusting = writeBanner(configOf({ ...production, TRUSTED_PROXIES: '10.0.0.0/8' }), 123, 'off');
    assert.doesNotMatch(trusting, /Warning/);
  });

  it('says when another program has the port of the metrics', () =>
    assert.match(writeBanner(configOf({}), 1, 'taken'), /Metrics +not served: port 9464 belongs to another program/));

  it('shows every warning of the settings, and no line ends with spaces', () => {
    const text = writeBanner({ ...configOf({}), warnings: ['one', 'two'] }, 1, 'off');
    assert.match(text, /Warning: one\n {2}Warning: two\n/);
    assert.doesNotMatch(text, / \n/);
  });
});
