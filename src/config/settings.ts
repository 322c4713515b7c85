// Every setting by name: what the reader may read, what .env.example, the docs and the did-you-mean know.
import { captchaProviders, mailProviders, smsProviders, storageProviders } from '../adapters/providers.ts';
import { describeForms } from '../kernel/provider.ts';

export type Setting = {
  readonly default: string;
  readonly meaning: string;
  /** A secret can also be read from the file that NAME_FILE names, and is never printed. */
  readonly secret?: true;
};

/** By the heading that the documentation shows them under. */
export const settingGroups = {
  'Where it listens': {
    HOST: { default: '127.0.0.1', meaning: 'address to listen on; 0.0.0.0 for all' },
    PORT: { default: '8080', meaning: 'port to listen on' },
    PUBLIC_URL: {
      default: 'http://localhost:PORT',
      meaning: 'the address people reach the service at: drives links, cookies and the last line of an SMS',
    },
    LOG_LEVEL: { default: 'info', meaning: 'fatal, error, warn, info, debug, trace or silent' },
    METRICS_PORT: { default: '9464', meaning: 'port of /metrics on HOST, or off' },
    WORKERS: { default: '1', meaning: 'processes that share the port' },
  },
  'Data and secrets': {
    DATA_DIR: { default: './data', meaning: 'embedded database, files and the generated secret' },
    SECRET: {
      default: 'generated into DATA_DIR in local mode, else required',
      meaning: 'at least 32 bytes; every key is derived from it',
      secret: true,
    },
    SECRET_PREVIOUS: {
      default: 'none',
      meaning: 'the secret before the last change, until its tokens have ended',
      secret: true,
    },
    DATABASE_URL: {
      default: 'SQLite in DATA_DIR',
      meaning:
        'postgres://user:password@host:5432/name; of several hosts (one:5432,two:5432) the one that takes writes',
      secret: true,
    },
    DATABASE_POOL: {
      default: '16',
      meaning:
        'connections to PostgreSQL that each process opens at most; half of them, up to 8, are for sending messages',
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
      meaning: describeForms(smsProviders, 'several, separated by spaces, are tried in order'),
      secret: true,
    },
    SMS_WEBHOOK_SECRET: {
      default: 'none',
      meaning: 'key that signs webhook deliveries (Standard Webhooks)',
      secret: true,
    },
    PHONE_TYPES: {
      default: 'mobile,fixed-or-mobile,fixed,voip',
      meaning:
        'kinds of numbers served, of mobile, fixed-or-mobile (countries whose numbers do not tell), fixed, voip, satellite (every network without a country), personal, pager, voicemail, uan and unknown; premium, shared-cost and toll-free numbers never are',
    },
    SMS_COUNTRIES: { default: 'all', meaning: 'countries served, as ISO codes: DE,FR,US' },
    SMS_DAILY_LIMIT: {
      default: '5000 (off for inbox:)',
      meaning: 'spending brake: messages a day (UTC) over all countries, or off',
    },
    SMS_DAILY_LIMIT_PER_COUNTRY: {
      default: '1000 (off for inbox:)',
      meaning: 'spending brake: messages a day (UTC) to one country, or off',
    },
    SMS_LIMIT_PER_PREFIX: {
      default: '30/1h (off for inbox:)',
      meaning: 'spending brake: messages to numbers that differ in their last four digits only, or off',
    },
    SMS_UNUSED_SHARE: {
      default: '80%/50 (off for inbox:)',
      meaning:
        'spending brake: holds a country’s messages, but for a few that try it out, when more than this share of its last codes (at least so many) was never used, or off',
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
      meaning: 'sender of e-mails: Name <name@example.com>; required with smtp and in production',
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
      meaning: 'addresses or networks whose X-Forwarded-For is believed: 10.0.0.0/8,::1',
    },
    CORS_ORIGINS: {
      default: 'none',
      meaning: 'origins of web apps that may call with credentials: https://app.example.com',
    },
  },
  'Signing in': {
    LOGIN_LINK_URL: {
      default: '{PUBLIC_URL}/login/link',
      meaning: 'page that a login link opens; the token is added as fragment',
    },
    BRAND_NAME: { default: 'Gatehouse', meaning: 'name in messages and pages' },
    SIGNUP: { default: 'open', meaning: 'open, or closed: only known phones sign in' },
    TEST_RECIPIENTS: {
      default: 'none',
      meaning: 'numbers with a fixed code until a date, nothing is sent: +15550100001=000000@2027-01-01,…',
    },
    OTP_SMS_LIFE: {
      default: '5m',
      meaning: 'life of a code sent by SMS, from its latest send; twice that from the first',
    },
    OTP_MAIL_LIFE: {
      default: '10m',
      meaning: 'life of a code sent by e-mail, from its latest send; half as much again from the first',
    },
    OTP_ATTEMPTS: { default: '5', meaning: 'wrong codes before a code is dead' },
    OTP_RESEND_AFTER: {
      default: '30s,60s,120s,300s (off for inbox:)',
      meaning: 'cool-down after the first, second … send to one recipient; the last repeats; off',
    },
    LINK_LIFE: { default: '15m', meaning: 'life of a login link' },
  },
  'Tokens and sessions': {
    ACCESS_TOKEN_LIFE: { default: '15m', meaning: 'life of an access token' },
    REFRESH_TOKEN_IDLE: { default: '30d', meaning: 'a session ends after so long without a refresh' },
    REFRESH_TOKEN_LIFE: { default: '180d', meaning: 'a session ends after so long at the latest' },
    REFRESH_TOKEN_GRACE: {
      default: '30s',
      meaning:
        'so long the previous refresh token still gets the same successor, unless clearly another client brings it',
    },
    SESSIONS_PER_USER: { default: '20', meaning: 'more sessions than this end the least recently used one' },
  },
  Limits: {
    LIMIT_SENDS_PER_RECIPIENT: {
      default: '5/1h,10/24h (off for inbox:)',
      meaning: 'messages to one recipient, or off',
    },
    LIMIT_SENDS_PER_IP: {
      default: '20/1h,60/24h (off for inbox:)',
      meaning:
        'messages asked for from one address (four times as many from an IPv6 /48, forty times from a /32), or off',
    },
    LIMIT_ATTEMPTS_PER_RECIPIENT: {
      default: '15/24h',
      meaning: 'wrong codes for one recipient over all codes, or off; who asked for the code has five more in 24 hours',
    },
    LIMIT_ATTEMPTS_PER_IP: {
      default: '30/1h,100/24h (local mode: off)',
      meaning: 'wrong codes from one address over all recipients, or off; IPv6 networks as for sends',
    },
    LIMIT_REQUESTS_PER_IP: {
      default: '600/1m (local mode: off)',
      meaning: 'requests from one address, or off; IPv6 networks as for sends',
    },
    LIMIT_UPLOADS_PER_USER: { default: '60/1m', meaning: 'uploads of one user, or off' },
  },
  Files: {
    PURPOSES_FILE: { default: 'built-in purposes', meaning: 'JSON file with the purposes a file can be uploaded for' },
    FILE_DELIVERY: { default: 'auto', meaning: 'auto, stream, redirect or accel' },
    FILE_QUOTA: { default: '2GiB', meaning: 'bytes one user may store' },
    FILE_COUNT: { default: '10000', meaning: 'files one user may store' },
    SPOOL_LIMIT: {
      default: 'half of the free disk',
      meaning:
        'bytes that all uploads under way may hold on this node; never more than half of what is free in DATA_DIR',
    },
  },
  Webhooks: {
    WEBHOOK_URL: {
      default: 'none',
      meaning:
        'where events are posted (users, sessions, files, spending): https://app.example.com/hooks; several, separated by spaces, are all told',
      secret: true,
    },
    WEBHOOK_SECRET: {
      default: 'none',
      meaning:
        'key that signs events (Standard Webhooks): whsec_ and base64 of 24 to 64 bytes; several, separated by spaces, all sign while you change it; required with WEBHOOK_URL',
      secret: true,
    },
  },
  Safety: {
    ALLOW_INSECURE: { default: 'off', meaning: '1 lets inbox: and open: through in production, with a warning' },
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
