// Every setting with valid values, their results, and invalid values.
import assert from 'node:assert/strict';
import { placeOf } from '../../../src/adapters/scan/clamd-place.ts';
import type { SettingName } from '../../../src/config/settings.ts';
import { choice, count, duration, perDay, rules, type SettingCase, words } from './setting-case.ts';

export const longSecret = 'nineteen violet lanterns over the moor, 47';

/** For Standard Webhooks: 32 bytes. */
export const signingKey = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const buckets = {
  good: {
    's3://KEY:S%2FX@s3.example.com:9000/bucket?region=eu&tls=0': {
      id: 'KEY',
      secret: 'S/X',
      host: 's3.example.com:9000',
      path: '/bucket',
      query: { region: 'eu', tls: '0' },
    },
  },
  bad: words(
    'disk gs://KEY:SECRET@host/bucket s3:// s3://host/bucket s3://KEY:SECRET@host s3://KEY:SECRET@/bucket s3://KEY@host/bucket s3://KEY:%zz@host/bucket',
  ),
};

const withoutScheme = <Url extends { readonly scheme: string }>({ scheme: _, ...rest }: Url) => rest;

export const settingCases: Readonly<Record<SettingName, SettingCase>> = {
  HOST: {
    good: { '0.0.0.0': '0.0.0.0', '::': '::', '::1': '::1', localhost: 'localhost', 'a-b.example': 'a-b.example' },
    bad: ['a b', 'http://localhost', 'localhost:80', '[::1]', 'a/b', 'ä'],
    read: ({ listen }) => listen.host,
  },
  PORT: count(65_535, ({ listen }) => listen.port),
  STOP_WAIT: {
    good: { '1s': 1, '1500ms': 1.5, '90s': 90, '1h': 3600 },
    bad: ['0s', '30', 'off', '2h', '1d', '-1s'],
    read: ({ stopWaitSeconds }) => stopWaitSeconds,
  },
  PUBLIC_URL: {
    good: {
      'http://localhost:9000': 'http://localhost:9000',
      'http://127.0.0.1/': 'http://127.0.0.1',
      'http://[::1]:80': 'http://[::1]',
      'HTTP://LOCALHOST': 'http://localhost',
    },
    bad: [
      'localhost',
      'localhost:8080',
      'ftp://localhost',
      'http://localhost/x',
      'http://localhost?x',
      'http://localhost/?',
      'http://localhost#x',
      'http://ann@localhost',
      'http://:pw@localhost',
      'http://',
      'http://local host',
    ],
    read: ({ publicUrl }) => publicUrl,
  },
  DATA_DIR: { good: { '/var/lib/x': '/var/lib/x' }, bad: [], read: ({ dataDir }) => dataDir },
  SECRET: {
    good: { [longSecret]: longSecret, ['é'.repeat(16)]: 'é'.repeat(16) },
    bad: ['short', 'a'.repeat(31)],
    read: (config) => config.secret,
  },
  SECRET_PREVIOUS: { good: { [longSecret]: longSecret }, bad: ['short'], read: (config) => config.previousSecret },
  BACKUP_KEY: { good: { [longSecret]: longSecret }, bad: ['short'], read: (config) => config.backupKey },
  BACKUP_KEY_PREVIOUS: {
    good: { [longSecret]: longSecret },
    bad: ['short'],
    read: (config) => config.previousBackupKey,
  },
  BACKUP_URL: {
    ...buckets,
    read: ({ backupBucket }) => withoutScheme(backupBucket ?? assert.fail('no backupBucket')),
  },
  DATABASE_URL: {
    good: {
      'postgres://ann:pw@db:5432/x': 'postgres://ann:pw@db:5432/x',
      'postgresql://db/x': 'postgresql://db/x',
      'postgres://ann:p,w@one:5432,[::1]:5433/x': 'postgres://ann:p,w@one:5432,[::1]:5433/x',
      'postgres://ann:4711%2Fx@db/x?user=a%40b': 'postgres://ann:4711%2Fx@db/x?user=a%40b',
    },
    bad: [
      'mysql://db/x',
      'db',
      'postgres:',
      'postgres://',
      'postgres://db:port/x',
      'postgres://one,/x',
      'postgres://ann:50%zz@db/x',
      'sqlite:x.db',
      'postgres://svc:4711/geheim@db.example/gh',
      'postgres://svc:4711?geheim@db.example/gh',
      'postgres://db/x?user=a@b',
    ],
    read: ({ databaseUrl }) => databaseUrl,
  },
  DATABASE_POOL: {
    good: { 2: 2, 16: 16, 500: 500, ' 7 ': 7 },
    bad: ['0', '1', '501', '-1', '1.5', 'x', 'off'],
    read: ({ databasePool }) => databasePool,
  },
  STORAGE_URL: {
    ...buckets,
    read: ({ storage }) => withoutScheme(storage ?? assert.fail('no storage')),
  },
  SMS_URL: {
    good: {
      'inbox:': ['inbox'],
      'webhook+https://key@hooks.example.com/sms': ['webhook+https'],
      'webhook+http://localhost:9/': ['webhook+http'],
      'webhook+http://127.8.9.1/sms': ['webhook+http'],
      'webhook+http://[::1]:9/': ['webhook+http'],
      'webhook+http://sms.example.com/?tls=off': ['webhook+http'],
      'twilio://SID:TOKEN@?from=%2B15550100': ['twilio'],
      'twilio://SID:TOKEN@?from=+1  vonage://KEY:SECRET@?from=Gatehouse': ['twilio', 'vonage'],
    },
    bad: [
      'inbox',
      'sms',
      'twilio:',
      'twilio://SID:TOKEN',
      'twilio://SID@?from=1',
      'vonage://KEY:SECRET@?from=',
      'webhook://host',
      'webhook+http://sms.example.com/',
      'webhook+http://sms:8080/',
      'webhook+http://127.0.0.1.example.com/',
      'twilio://SID:TOKEN@?from=1 webhook+http://10.0.0.7/?tls=0',
      'webhook+https://',
      'inbox:x',
      'twilio://SID:TOKEN@?from=1 nonsense',
      'twilio://SID:%zz@?from=1',
    ],
    read: ({ sms }) => sms.providers.map(({ scheme }) => scheme),
  },
  SMS_WEBHOOK_SECRET: { good: { whsec_abc: 'whsec_abc' }, bad: [], read: ({ sms }) => sms.webhookSecret },
  PHONE_TYPES: {
    good: {
      'mobile,fixed-or-mobile': ['mobile', 'fixed-or-mobile'],
      'satellite mobile, mobile': ['mobile', 'satellite'],
      unknown: ['unknown'],
    },
    bad: ['all', 'mobile,premium', 'Mobile', ',', 'mobile;voip', 'off'],
    read: ({ phoneTypes }) => phoneTypes,
  },
  SMS_COUNTRIES: {
    good: { all: [], 'DE,FR': ['DE', 'FR'], 'de fr': ['DE', 'FR'] },
    bad: ['Germany', 'DE,FRA', 'D', '49'],
    read: ({ brake }) => brake.countries,
  },
  SMS_DAILY_LIMIT: perDay(({ brake }) => brake.perDay),
  SMS_DAILY_LIMIT_PER_COUNTRY: perDay(({ brake }) => brake.perCountryPerDay),
  SMS_LIMIT_PER_PREFIX: rules(({ brake }) => brake.perPrefix),
  SMS_UNUSED_SHARE: {
    good: { '80%/50': { share: 0.8, least: 50 }, '1%/1': { share: 0.01, least: 1 }, off: undefined },
    bad: ['80', '80%', '0%/50', '100%/50', '0.8/50', '80%/x', 'on'],
    read: ({ brake }) => brake.unused,
  },
  MAIL_URL: {
    good: {
      'inbox:': 'inbox',
      'smtp://ann:pw@mail.example.com:587': 'smtp',
      'smtp://mail.example.com?tls=off': 'smtp',
      'smtp://mail.example.com?tls=require': 'smtp',
      'smtps://mail.example.com': 'smtps',
    },
    bad: words(
      'inbox mail smtp smtp:// smtp://ann:pw@ http://mail.example.com smtp://mail.example.com:port inbox:x smtp://mail.example.com?tls=0 smtp://mail.example.com?tls= smtps://mail.example.com?tls=off',
    ),
    read: ({ mail }) => mail.provider.scheme,
  },
  MAIL_FROM: {
    good: { 'id@example.com': 'id@example.com', 'Gatehouse <id@example.com>': 'Gatehouse <id@example.com>' },
    bad: ['id', 'Gatehouse', 'Gatehouse <id>', '<id@example.com', 'a@b c@d'],
    read: ({ mail }) => mail.from,
  },
  CAPTCHA_URL: {
    good: {
      'altcha:': ['altcha', '', ''],
      'open:': ['open', '', ''],
      'turnstile://SITE:SE%3ACRET': ['turnstile', 'SITE', 'SE:CRET'],
      'hcaptcha://SITE:SECRET?verify=http://localhost/': ['hcaptcha', 'SITE', 'SECRET'],
      'recaptcha://SITE:SECRET': ['recaptcha', 'SITE', 'SECRET'],
      'recaptcha://SITE:SECRET?score=0.7&hostname=app.example.com&action=login': ['recaptcha', 'SITE', 'SECRET'],
    },
    bad: [
      'recaptcha://SITE:SECRET?score=2',
      'recaptcha://SITE:SECRET?score=high',
      'turnstile://SITE:SECRET?hostname=',
      'turnstile://SITE:SECRET?verify=file:///etc/passwd',
      'altcha',
      'none',
      'turnstile:',
      'turnstile://SITE',
      'turnstile://:SECRET',
      'friendly://SITE:SECRET',
      'altcha:x',
      'hcaptcha://%zz:x',
    ],
    read: ({ captcha }) => [captcha.scheme, captcha.id, captcha.secret],
  },
  TRUSTED_PROXIES: {
    good: { '10.0.0.0/8,::1': ['10.0.0.0/8', '::1'], '192.0.2.1 fd00::/8': ['192.0.2.1', 'fd00::/8'] },
    bad: words(
      'x 10.0.0.0/33 10.0.0/8 10.0.0.0/0 ::/0 10.0.0.0/ 10.0.0.0/8/8 ::ffff:10.0.0.0/104 ::FFFF:10.0.0.1 0:0:0:0:0:ffff:a00:0/104 10.0.0.1,proxy 010.0.0.1 *',
    ),
    read: ({ trustedProxies }) => trustedProxies,
  },
  SERVICE_FROM: {
    good: { '10.0.0.0/8,::1': ['10.0.0.0/8', '::1'], '192.0.2.1 fd00::/8': ['192.0.2.1', 'fd00::/8'] },
    bad: words(', x 10.0.0.0/33 10.0.0.0/0 ::/0 10.0.0.0/ ::ffff:10.0.0.0/104 10.0.0.1,server 010.0.0.1 *'),
    read: ({ serviceFrom }) => serviceFrom,
  },
  ADMIN_FROM: {
    good: { '10.0.0.0/8,::1': ['10.0.0.0/8', '::1'], '192.0.2.1 fd00::/8': ['192.0.2.1', 'fd00::/8'] },
    bad: words(', x 10.0.0.0/33 10.0.0.0/0 ::/0 10.0.0.0/ ::ffff:10.0.0.0/104 10.0.0.1,server 010.0.0.1 *'),
    read: ({ adminFrom }) => adminFrom,
  },
  CORS_ORIGINS: {
    good: {
      'https://a.example,http://localhost:5173/': ['https://a.example', 'http://localhost:5173'],
      'https://A.example:443': ['https://a.example'],
    },
    bad: [
      '*',
      'a.example',
      'https://a.example/app',
      'null',
      'https://*.example',
      'ftp://a.example',
      'https://a.example,x',
    ],
    read: ({ corsOrigins }) => corsOrigins,
  },
  LOGIN_LINK_URL: {
    good: {
      'https://app.example.com/login?x=1': 'https://app.example.com/login?x=1',
      'myapp://login': 'myapp://login',
    },
    bad: ['/login', 'app.example.com', 'https://app.example.com/#/login', 'javascript:alert(1)', 'DATA:text/html,x'],
    read: ({ loginLinkUrl }) => loginLinkUrl,
  },
  BRAND_NAME: {
    good: { 'Ann & Bob': 'Ann & Bob', ['a'.repeat(30)]: 'a'.repeat(30) },
    bad: ['a'.repeat(31), '{brand}', '<b>', 'a\u0007b', 'a\u200bb', 'a\nb'],
    read: ({ brand }) => brand.name,
  },
  BRAND_FILE: { good: {}, bad: [], read: ({ brand }) => brand.source.file },
  NOTICES: choice(['mail', 'mail+sms', 'off'], ({ notices }) => notices),
  SIGNUP: choice(['open', 'closed'], ({ signup }) => signup),
  TEST_RECIPIENTS: {
    good: {
      '+15550100001=000000@2027-01-01': [{ recipient: '+15550100001', code: '000000', until: Date.UTC(2027, 0, 1) }],
      'Ann@Example.com=123456@2026-11-16': [
        { recipient: 'ann@example.com', code: '123456', until: Date.UTC(2026, 10, 16) },
      ],
    },
    bad: [
      '+15550100001',
      '+15550100001=000000',
      '+15550100001=0000@2027-01-01',
      '+15550100001=000000@soon',
      '+15550100001=000000@2027-02-31',
      '15550100001=000000@2027-01-01',
      '+15550100001=000000@2027-01-01,x',
    ],
    read: ({ testRecipients }) => testRecipients,
  },
  OTP_SMS_LIFE: duration(({ otp }) => otp.sms.lifeSeconds),
  OTP_MAIL_LIFE: duration(({ otp }) => otp.mail.lifeSeconds),
  OTP_ATTEMPTS: count(100, ({ otp }) => otp.sms.attempts),
  OTP_RESEND_AFTER: {
    good: { '30s,1m': [30, 60], off: [] },
    bad: ['30', '30s,', '0s', 'never', '30s 60s'],
    read: ({ sends }) => sends.sms.resendAfterSeconds,
  },
  LINK_LIFE: duration(({ linkLifeSeconds }) => linkLifeSeconds),
  ACCESS_TOKEN_LIFE: duration(({ accessTokenLifeSeconds }) => accessTokenLifeSeconds),
  REFRESH_TOKEN_IDLE: duration(({ session }) => session.idleSeconds),
  REFRESH_TOKEN_LIFE: duration(({ session }) => session.lifeSeconds),
  REFRESH_TOKEN_GRACE: duration(({ session }) => session.graceSeconds),
  RECENT_SIGN_IN: duration(({ recentSeconds }) => recentSeconds),
  PHONE_RECOVERY_WAIT: duration(({ phoneRecoveryWaitSeconds }) => phoneRecoveryWaitSeconds),
  PHONE_RECYCLED_AFTER: duration(({ phoneRecycledSeconds }) => phoneRecycledSeconds),
  SESSIONS_PER_USER: count(1000, ({ session }) => session.perUser),
  LIMIT_SENDS_PER_RECIPIENT: rules(({ sends }) => sends.mail.perRecipient),
  LIMIT_SENDS_PER_IP: rules(({ sends }) => sends.sms.perIp),
  LIMIT_ATTEMPTS_PER_RECIPIENT: rules(({ otp }) => otp.mail.failuresPerRecipient),
  LIMIT_ATTEMPTS_PER_IP: rules(({ otp }) => otp.sms.failuresPerCaller),
  LIMIT_REQUESTS_PER_IP: rules(({ requestsPerIp }) => requestsPerIp),
  LIMIT_REQUESTS_PER_KEY: rules(({ requestsPerKey }) => requestsPerKey),
  LIMIT_UPLOADS_PER_USER: rules(({ uploadsPerUser }) => uploadsPerUser),
  APPS_FILE: { good: {}, bad: [], read: ({ apps }) => apps },
  PURPOSES_FILE: { good: {}, bad: [], read: ({ files }) => files.purposes },
  FILE_DELIVERY: choice(['auto', 'stream', 'redirect', 'accel'], ({ files }) => files.delivery),
  FILE_QUOTA: {
    good: { '2GiB': 2 ** 31, '1.5 MiB': 1.5 * 2 ** 20, '10mb': 1e7, '1TB': 1e12, '500': 500, '1b': 1 },
    bad: ['0', '2 gigs', '-1GiB', '1PiB', 'GiB', '1e3', '0.1b', 'off'],
    read: ({ files }) => files.quota.bytes,
  },
  SCAN_URL: {
    good: {
      'clamd://clamav:3311': { host: 'clamav', port: 3311 },
      'clamd://127.0.0.1:80': { host: '127.0.0.1', port: 80 },
      'CLAMD://clamav': { host: 'clamav', port: 3310 },
      'clamd://[::1]:3310': { host: '::1', port: 3310 },
      'clamd:///run/clamav/clamd.ctl': { path: '/run/clamav/clamd.ctl' },
    },
    bad: [
      ...words('clamd clamd: clamd:// http://clamav:3310 tcp://clamav:3310 clamd://clamav:0 clamd://clamav:65536'),
      ...words('clamd://clamav:x clamd://ann:pw@clamav:3310 clamd://ann@clamav:3310 clamd://clamav:3310/'),
      ...words('clamd://clamav:3310/path clamd://clamav?x=1 clamd://::1 clamd://[::1 clamd://[abc]:3310 clamd://[1.2]'),
      ...words('clamd:/// clamd:////run clamd:///run/ clamd://clamav#x clamd://clamav,other:3310'),
      'clamd://cla mav',
      `clamd:///${'x'.repeat(107)}`,
    ],
    read: ({ scan }) => placeOf(scan.provider ?? assert.fail('no scanner')),
  },
  SCAN_FAIL: choice(['closed', 'open'], ({ scan }) => scan.policy),
  SPOOL_LIMIT: {
    good: { '6GiB': 6 * 2 ** 30, '100mb': 1e8, '1': 1 },
    bad: ['0', 'half', '-1GiB', '50%', 'off'],
    read: ({ files }) => files.spoolBytes,
  },
  UPLOAD_LIFE: duration(({ files }) => files.uploadLifeSeconds),
  UPLOAD_APPEND_SIZE: {
    good: { '50MB': 5e7, '8MiB': 8 * 2 ** 20, '1MB': 1e6 },
    bad: ['0', 'half', '-1GiB', 'off', '50', '999kB'],
    read: ({ files }) => files.appendBytes,
  },
  TRASH_LIFE: {
    good: { '7d': 7 * 86_400, '30s': 30, '0': 0, off: 0 },
    bad: ['7', '-1d', 'never', '0d'],
    read: ({ files }) => files.trashSeconds,
  },
  FILE_COUNT: count(1_000_000_000, ({ files }) => files.quota.files),
  WEBHOOK_URL: {
    good: {
      'https://app.example.com/hooks?x=1': ['https://app.example.com/hooks?x=1'],
      'http://127.0.0.1:9000/a  https://[::1]/b': ['http://127.0.0.1:9000/a', 'https://[::1]/b'],
      'https://app.example.com/a https://app.example.com/a': ['https://app.example.com/a'],
    },
    bad: ['app.example.com', 'ftp://app.example.com/x', 'https://ann:pw@app.example.com/x', 'https://a.b/c nowhere'],
    read: ({ webhooks }) => webhooks.endpoints.map(({ url }) => url),
  },
  WEBHOOK_SECRET: {
    good: {
      [signingKey]: [signingKey],
      [`${signingKey}  whsec_${'ab/+'.repeat(8)}`]: [signingKey, `whsec_${'ab/+'.repeat(8)}`],
    },
    bad: [
      'short-and-plain',
      'whsec_',
      'whsec_abcd',
      `whsec_${'a'.repeat(35)}`,
      `${signingKey} whsec_x`,
      signingKey.slice(6),
    ],
    read: ({ webhooks }) => webhooks.secrets,
  },
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], ({ logLevel }) => logLevel),
  LOG_FORMAT: choice(['auto', 'json', 'pretty'], ({ logFormat }) => logFormat),
  METRICS_PORT: {
    good: { 1: 1, 65535: 65_535, off: undefined },
    bad: ['0', '65536', '99999', '-1', 'on', '8080'],
    read: ({ listen }) => listen.metricsPort,
  },
  WORKERS: count(64, ({ listen }) => listen.workers),
  ALLOW_INSECURE: {
    good: { off: [], 0: [], 1: [], on: [] },
    bad: ['yes', 'true', '2'],
    read: ({ warnings }) => warnings,
  },
};
