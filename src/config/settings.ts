// The table of all settings. The reader, .env.example, the documentation and the spelling suggestions use it.
import { captchaProviders, mailProviders, smsProviders, storageProviders } from '../adapters/providers.ts';
import { describeForms } from '../kernel/provider.ts';

export type Setting = {
  readonly default: string;
  readonly meaning: string;
  /** A secret can also be read from the file that NAME_FILE names, and is never printed. */
  readonly secret?: true;
};

/** Grouped by the headings of the documentation. */
export const settingGroups = {
  Server: {
    HOST: { default: '127.0.0.1', meaning: 'IP address or host name to listen on; 0.0.0.0 listens on all interfaces' },
    PORT: { default: '8080', meaning: 'port to listen on' },
    PUBLIC_URL: {
      default: 'http://localhost:PORT',
      meaning:
        'URL at which users reach the service, without a path; used in links, cookies and the last line of an SMS; a URL that is not loopback turns on production mode',
    },
    LOG_LEVEL: {
      default: 'info',
      meaning: 'least severe level that is logged: fatal, error, warn, info, debug, trace or silent',
    },
    METRICS_PORT: { default: '9464', meaning: 'port that serves /metrics on HOST, or off' },
    WORKERS: { default: '1', meaning: 'number of processes that share the port' },
  },
  'Data and secrets': {
    DATA_DIR: {
      default: './data',
      meaning: 'folder for the SQLite database, the files, unfinished uploads and the generated secret',
    },
    SECRET: {
      default: 'generated in DATA_DIR in local mode, required in production',
      meaning: 'service secret from which all keys are derived; at least 32 bytes',
      secret: true,
    },
    SECRET_PREVIOUS: {
      default: 'none',
      meaning: 'the previous SECRET after a change; keep it until the tokens issued under it have expired',
      secret: true,
    },
    DATABASE_URL: {
      default: 'SQLite in DATA_DIR',
      meaning:
        'postgres://user:password@host:5432/name; with several hosts (one:5432,two:5432), the service uses the one that accepts writes',
      secret: true,
    },
    DATABASE_POOL: {
      default: '16',
      meaning:
        'maximum number of PostgreSQL connections per process; half of them, at most 8, are reserved for sending messages',
    },
    STORAGE_URL: {
      default: 'disk in DATA_DIR',
      meaning: describeForms(storageProviders),
      secret: true,
    },
  },
  'Text messages': {
    SMS_URL: {
      default: 'inbox:',
      meaning: describeForms(smsProviders, 'separate several URLs with spaces: they are tried in order'),
      secret: true,
    },
    SMS_WEBHOOK_SECRET: {
      default: 'none',
      meaning: 'key that signs the requests to a webhook+https:// provider (Standard Webhooks)',
      secret: true,
    },
    PHONE_TYPES: {
      default: 'mobile,fixed-or-mobile,fixed,voip',
      meaning:
        'types of phone numbers that may sign in: mobile, fixed-or-mobile (the number does not show which), fixed, voip, satellite (all networks without a country), personal, pager, voicemail, uan, unknown; premium, shared-cost and toll-free numbers are always refused',
    },
    SMS_COUNTRIES: {
      default: 'all',
      meaning: 'countries that receive text messages, as ISO codes (DE,FR,US), or all',
    },
    SMS_DAILY_LIMIT: {
      default: '5000 (off for inbox:)',
      meaning: 'spending brake: maximum number of messages per day (UTC) to all countries together, or off',
    },
    SMS_DAILY_LIMIT_PER_COUNTRY: {
      default: '1000 (off for inbox:)',
      meaning: 'spending brake: maximum number of messages per day (UTC) to one country, or off',
    },
    SMS_LIMIT_PER_PREFIX: {
      default: '30/1h (off for inbox:)',
      meaning: 'spending brake: maximum number of messages to numbers that differ only in the last four digits, or off',
    },
    SMS_UNUSED_SHARE: {
      default: '80%/50 (off for inbox:)',
      meaning:
        'spending brake: share of unused codes and minimum number of codes, or off; suspends a country when a greater share of its recent codes was never used; a few trial messages still go out',
    },
  },
  'E-mail': {
    MAIL_URL: {
      default: 'inbox:',
      meaning: describeForms(mailProviders),
      secret: true,
    },
    MAIL_FROM: {
      default: 'none',
      meaning: 'sender of e-mails: Name <name@example.com>; required with smtp:// and smtps://, and in production',
    },
  },
  'Captcha, proxies and web apps': {
    CAPTCHA_URL: {
      default: 'altcha: (local mode: open:)',
      meaning: describeForms(captchaProviders),
      secret: true,
    },
    TRUSTED_PROXIES: {
      default: 'none',
      meaning: 'IP addresses or networks of proxies whose X-Forwarded-For header is trusted: 10.0.0.0/8,::1',
    },
    CORS_ORIGINS: {
      default: 'none',
      meaning: 'origins of web apps that may call the API with credentials: https://app.example.com',
    },
  },
  'Signing in': {
    LOGIN_LINK_URL: {
      default: '{PUBLIC_URL}/login/link',
      meaning: 'URL of the page that a sign-in link opens; the token is appended as the fragment',
    },
    BRAND_NAME: { default: 'Gatehouse', meaning: 'product name in messages and pages; at most 30 characters' },
    SIGNUP: {
      default: 'open',
      meaning: 'open: a new phone number creates a user; closed: only existing users can sign in',
    },
    TEST_RECIPIENTS: {
      default: 'none',
      meaning:
        'phone numbers or e-mail addresses with a fixed code until a date; no message is sent to them: +15550100001=000000@2027-01-01,…',
    },
    OTP_SMS_LIFE: {
      default: '5m',
      meaning:
        'lifetime of a code sent by SMS, counted from the last send; at most twice as long, counted from the first',
    },
    OTP_MAIL_LIFE: {
      default: '10m',
      meaning:
        'lifetime of a code sent by e-mail, counted from the last send; at most 1.5 times as long, counted from the first',
    },
    OTP_ATTEMPTS: { default: '5', meaning: 'number of wrong attempts after which a code is invalid' },
    OTP_RESEND_AFTER: {
      default: '30s,60s,120s,300s (off for inbox:)',
      meaning:
        'wait after the first, second, third … send to one recipient before the next send, or off; the last value repeats',
    },
    LINK_LIFE: { default: '15m', meaning: 'lifetime of a sign-in link' },
  },
  'Tokens and sessions': {
    ACCESS_TOKEN_LIFE: { default: '15m', meaning: 'lifetime of an access token' },
    REFRESH_TOKEN_IDLE: { default: '30d', meaning: 'a session ends after this time without a refresh' },
    REFRESH_TOKEN_LIFE: { default: '180d', meaning: 'maximum lifetime of a session' },
    REFRESH_TOKEN_GRACE: {
      default: '30s',
      meaning:
        'time after a refresh in which the previous refresh token still returns the same new token, unless it clearly comes from another client',
    },
    SESSIONS_PER_USER: {
      default: '20',
      meaning: 'maximum number of sessions per user; a new session ends the least recently used one',
    },
  },
  Limits: {
    LIMIT_SENDS_PER_RECIPIENT: {
      default: '5/1h,10/24h (off for inbox:)',
      meaning: 'maximum number of messages to one recipient, or off',
    },
    LIMIT_SENDS_PER_IP: {
      default: '20/1h,60/24h (off for inbox:)',
      meaning:
        'maximum number of messages requested from one IP address, or off; for IPv6 a /64 counts as one address, a /48 gets four times the limit and a /32 forty times',
    },
    LIMIT_ATTEMPTS_PER_RECIPIENT: {
      default: '15/24h',
      meaning:
        'maximum number of wrong codes for one recipient, over all its codes, or off; the client that requested the code gets five more in 24 hours',
    },
    LIMIT_ATTEMPTS_PER_IP: {
      default: '30/1h,100/24h (local mode: off)',
      meaning:
        'maximum number of wrong codes from one IP address, over all recipients, or off; IPv6 networks count as in LIMIT_SENDS_PER_IP',
    },
    LIMIT_REQUESTS_PER_IP: {
      default: '600/1m (local mode: off)',
      meaning: 'maximum number of requests from one IP address, or off; IPv6 networks count as in LIMIT_SENDS_PER_IP',
    },
    LIMIT_UPLOADS_PER_USER: { default: '60/1m', meaning: 'maximum number of uploads per user, or off' },
  },
  Files: {
    PURPOSES_FILE: { default: 'built-in purposes', meaning: 'JSON file that defines the purposes of uploaded files' },
    FILE_DELIVERY: {
      default: 'auto',
      meaning:
        'how files are served: auto (redirects browsers to S3, streams otherwise), stream (through the service), redirect (always to S3) or accel (nginx or Caddy sends files on disk)',
    },
    FILE_QUOTA: { default: '2GiB', meaning: 'maximum total size of the files of one user' },
    FILE_COUNT: { default: '10000', meaning: 'maximum number of files of one user' },
    SPOOL_LIMIT: {
      default: 'half of the free disk space',
      meaning:
        'maximum disk space for all uploads in progress on this node; never more than half of the free space in DATA_DIR',
    },
  },
  Webhooks: {
    WEBHOOK_URL: {
      default: 'none',
      meaning:
        'URL that receives events about users, sessions, files and spending: https://app.example.com/hooks; separate several URLs with spaces: each receives every event',
      secret: true,
    },
    WEBHOOK_SECRET: {
      default: 'none',
      meaning:
        'key that signs events (Standard Webhooks): whsec_ and the base64 of 24 to 64 bytes; required with WEBHOOK_URL; to change it, set the new and the old key, separated by a space: both sign',
      secret: true,
    },
  },
  Safety: {
    ALLOW_INSECURE: { default: 'off', meaning: '1 allows inbox: and open: in production, with a warning' },
  },
} as const satisfies Record<string, Readonly<Record<string, Setting>>>;

type Groups = typeof settingGroups;

export type SettingName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

export const settings = Object.fromEntries(Object.values(settingGroups).flatMap(Object.entries)) as Readonly<
  Record<SettingName, Setting>
>;

export const settingNames = Object.keys(settings) as SettingName[];

export function isSecret(name: SettingName): boolean {
  return settings[name].secret === true;
}
