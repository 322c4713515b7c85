// Misspelt settings are detected; common names of environment variables are not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settingNames } from '../../src/config/settings.ts';
import { findLookAlikes, findNearest } from '../../src/config/suggest-setting.ts';

const misspelt: Readonly<Record<string, string>> = {
  SMS_ULR: 'SMS_URL',
  SMSURL: 'SMS_URL',
  sms_url: 'SMS_URL',
  'SMS-URL': 'SMS_URL',
  SMS_URLS: 'SMS_URL',
  DATBASE_URL: 'DATABASE_URL',
  DATABASE_URI: 'DATABASE_URL',
  DATABASEURL: 'DATABASE_URL',
  DATABASE_URL_FILES: 'DATABASE_URL_FILE',
  ACCESS_TOKEN_LIVE: 'ACCESS_TOKEN_LIFE',
  ACCESS_TOKEN_LIFES: 'ACCESS_TOKEN_LIFE',
  ACESS_TOKEN_LIFE: 'ACCESS_TOKEN_LIFE',
  REFRESH_TOKEN_LIFETIME: '',
  PUBILC_URL: 'PUBLIC_URL',
  PUBLIC_ULR: 'PUBLIC_URL',
  PUBLICURL: 'PUBLIC_URL',
  MAIL_FORM: 'MAIL_FROM',
  MAILFROM: 'MAIL_FROM',
  EMAIL_FROM: 'MAIL_FROM',
  EMAIL_URL: 'MAIL_URL',
  CORS_ORIGIN: 'CORS_ORIGINS',
  TRUSTED_PROXY: '',
  TRUSTED_PROXYS: 'TRUSTED_PROXIES',
  SECRETS: 'SECRET',
  SECERT: 'SECRET',
  SECRET_FIEL: 'SECRET_FILE',
  WORKER: 'WORKERS',
  LOGLEVEL: 'LOG_LEVEL',
  LOG_LEVLE: 'LOG_LEVEL',
  PROT: 'PORT',
  HSOT: 'HOST',
  OTP_ATTEMPT: 'OTP_ATTEMPTS',
  TEST_RECIPIENT: 'TEST_RECIPIENTS',
  LIMIT_SEND_PER_IP: 'LIMIT_SENDS_PER_IP',
  LIMIT_REQUEST_PER_IP: 'LIMIT_REQUESTS_PER_IP',
  ALLOW_INSECRUE: 'ALLOW_INSECURE',
  CAPTHCA_URL: 'CAPTCHA_URL',
  STORAGE_URI: 'STORAGE_URL',
};

const common = `
  HOME HOSTNAME HOSTTYPE PATH PWD OLDPWD SHELL SHLVL USER USERNAME LOGNAME MAIL MAILCHECK TERM TERM_PROGRAM COLORTERM LANG
  LANGUAGE LC_ALL LC_CTYPE TZ EDITOR VISUAL PAGER LESS LS_COLORS DISPLAY TMPDIR TMP TEMP XDG_DATA_DIRS XDG_DATA_HOME
  XDG_RUNTIME_DIR XDG_SESSION_ID SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION DBUS_SESSION_BUS_ADDRESS INVOCATION_ID
  JOURNAL_STREAM SYSTEMD_EXEC_PID NOTIFY_SOCKET LISTEN_FDS NODE NODE_ENV NODE_OPTIONS NODE_PATH NODE_VERSION NODE_EXTRA_CA_CERTS
  NODE_NO_WARNINGS UV_THREADPOOL_SIZE YARN_VERSION NVM_DIR INIT_CWD COLOR npm_config_cache npm_config_user_agent
  npm_lifecycle_event npm_lifecycle_script npm_package_json npm_package_name npm_execpath npm_node_execpath
  KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS KUBERNETES_PORT_443_TCP
  GATEHOUSE_PORT GATEHOUSE_SERVICE_HOST GATEHOUSE_SERVICE_PORT GATEHOUSE_PORT_8080_TCP GATEHOUSE_PORT_8080_TCP_ADDR
  POSTGRES_PORT POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGDATA REDIS_URL REDIS_PORT
  AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY S3_BUCKET S3_ENDPOINT SMTP_HOST SMTP_PORT SMTP_USER SMTP_FROM SMTP_URL
  DOCKER_HOST container CI GITHUB_ACTIONS GITHUB_TOKEN GITLAB_CI CI_JOB_ID RUNNER_TEMP HTTP_PROXY HTTPS_PROXY NO_PROXY
  http_proxy https_proxy no_proxy OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_ENDPOINT SENTRY_DSN DEBUG DEBUG_COLORS FORCE_COLOR NO_COLOR
  APPDATA LOCALAPPDATA ProgramFiles PUBLIC USERPROFILE HOMEDRIVE HOMEPATH COMPUTERNAME LOGONSERVER SystemRoot ComSpec windir
  DYNO RENDER FLY_APP_NAME RAILWAY_ENVIRONMENT VERCEL_URL HEROKU_APP_NAME WEB_CONCURRENCY MEMORY_AVAILABLE GPG_TTY WORKDIR
  port host secret workers
`.match(/\S+/g);

describe('misspelt settings', () => {
  for (const [name, meant] of Object.entries(misspelt)) {
    it(
      meant === ''
        ? `the unknown variable ${name} is ignored`
        : `the misspelt setting ${name} is reported with the suggestion ${meant}`,
      () => {
        const expected = { name, trouble: 'is not a setting', cure: `did you mean ${meant}?` };
        assert.deepEqual(findLookAlikes({ [name]: 'x' }), meant === '' ? [] : [expected]);
      },
    );
  }

  it('a missing, extra or changed letter is detected in every long setting name', () => {
    for (const name of settingNames.filter((setting) => setting.length >= 7)) {
      for (const wrong of [name.slice(0, -1), `${name}X`, `${name.slice(0, 3)}Q${name.slice(4)}`]) {
        const [problem] = findLookAlikes({ [wrong]: 'x' });
        assert.ok(problem !== undefined, wrong);
      }
    }
  });

  it('common environment variables are not reported as misspelt settings', () => {
    assert.ok(common !== null && common.length > 120);
    const env = Object.fromEntries(common.map((name) => [name, name.endsWith('_PORT') ? 'tcp://10.0.0.1:80' : 'x']));
    assert.deepEqual(findLookAlikes(env), []);
  });

  it('the environment of this test and the settings themselves are not reported as misspelt', () => {
    assert.deepEqual(findLookAlikes(process.env), []);
    assert.deepEqual(findLookAlikes(Object.fromEntries(settingNames.map((name) => [name, 'x']))), []);
  });

  it('a report of a misspelt setting never repeats the value', () => {
    assert.ok(!JSON.stringify(findLookAlikes({ SECRETS: 'hunter2' })).includes('hunter2'));
  });
});

describe('the nearest word', () => {
  const words = ['otp.failed', 'otp.exhausted', 'login.refused'];
  for (const [word, expected] of [
    ['otp.failed', 'otp.failed'],
    ['otp.faild', 'otp.failed'],
    ['otp.fialed', 'otp.failed'],
    ['otp.exhuasted', 'otp.exhausted'],
    ['login.refuse', 'login.refused'],
    ['login.refu', undefined],
    ['nonsense', undefined],
    ['', undefined],
  ] as const) {
    it(`of “${word}” is ${expected ?? 'none'}`, () => assert.equal(findNearest(word, words), expected));
  }

  it('the closest of several close words is chosen, and none from an empty list', () => {
    assert.equal(findNearest('ab', ['abcd', 'abc', 'a']), 'abc');
    assert.equal(findNearest('ab', []), undefined);
  });
});
