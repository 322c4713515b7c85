// The table of all settings. The reader, .env.example, the documentation and the spelling suggestions use it.
import {
  captchaProviders,
  mailProviders,
  scanProviders,
  smsProviders,
  storageProviders,
} from '../adapters/providers.ts';
import { describeForms } from '../kernel/net/provider.ts';
import type { Setting } from './setting.ts';
import { signInSettings } from './sign-in-settings.ts';

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
    LOG_FORMAT: {
      default: 'auto',
      meaning:
        'json: one JSON object per line, for programs; pretty: lines that people can read; auto: pretty on a terminal, otherwise json',
    },
    METRICS_PORT: { default: '9464', meaning: 'port that serves /metrics on HOST, or off' },
    WORKERS: { default: '1', meaning: 'number of processes that share the port' },
    STOP_WAIT: {
      default: '30s',
      meaning:
        'how long a stop waits for requests in progress, at most 1h; those that are left then get an answer that says so. The process ends at most ten seconds later: the service manager must wait as long',
    },
  },
  'Data and secrets': {
    DATA_DIR: {
      default: './data',
      meaning: 'folder for the SQLite database, the files, unfinished uploads and the generated secret',
    },
    SECRET: {
      default: 'generated in DATA_DIR in local mode, required in production',
      meaning:
        'service secret from which all keys are derived; at least 32 bytes; production refuses one that can be guessed (fewer than 12 different characters, in hexadecimal text fewer than 8; a placeholder of a sample configuration)',
      secret: true,
    },
    SECRET_PREVIOUS: {
      default: 'none',
      meaning:
        'other accepted secrets, one on each line: the next SECRET before a change, and the previous one after it until the tokens issued under it have expired; the files of SECRET_FILE and SECRET_PREVIOUS_FILE are read again every second, so a change needs no restart',
      secret: true,
    },
    BACKUP_KEY: {
      default: 'none',
      meaning:
        'key of the MAC of backups and journals, and of the encryption of backups in a bucket, at least 32 bytes; with it, verify and restore accept only what was made with it. Keep a copy away from the backups',
      secret: true,
    },
    BACKUP_KEY_PREVIOUS: {
      default: 'none',
      meaning: 'the previous BACKUP_KEY after a change; keep it as long as backups made with it',
      secret: true,
    },
    BACKUP_URL: {
      default: 'none',
      meaning: describeForms(storageProviders, 'the bucket of backup create --to s3:NAME; it needs BACKUP_KEY'),
      secret: true,
    },
    DATABASE_URL: {
      default: 'SQLite in DATA_DIR',
      meaning:
        'postgres://user:password@host:5432/name; with several hosts (one:5432,two:5432), the service uses the one that accepts writes on the highest timeline',
      secret: true,
    },
    DATABASE_POOL: {
      default: '16',
      meaning:
        'maximum number of PostgreSQL connections per process; half of them, at most 8, are reserved for sending messages',
    },
    STORAGE_URL: { default: 'disk in DATA_DIR', meaning: describeForms(storageProviders), secret: true },
  },
  'Text messages': {
    SMS_URL: {
      default: 'inbox:',
      meaning: describeForms(
        smsProviders,
        'separate several URLs with spaces: they are tried in order',
        'the parameter rate=50 announces how many messages per second and process the provider takes',
      ),
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
      meaning: describeForms(
        mailProviders,
        'the parameter rate=50 announces how many messages per second and process the server takes',
      ),
      secret: true,
    },
    MAIL_FROM: {
      default: 'none',
      meaning: 'sender of e-mails: Name <name@example.com>; required with smtp:// and smtps://, and in production',
    },
  },
  'Captcha, proxies and web apps': {
    CAPTCHA_URL: { default: 'altcha: (local mode: open:)', meaning: describeForms(captchaProviders), secret: true },
    TRUSTED_PROXIES: {
      default: 'none',
      meaning: 'IP addresses or networks of proxies whose X-Forwarded-For header is trusted: 10.0.0.0/8,::1',
    },
    SERVICE_FROM: {
      default: 'everywhere',
      meaning: 'IP addresses or networks of the servers that may use service keys: 10.0.0.0/8,::1',
    },
    ADMIN_FROM: {
      default: 'everywhere',
      meaning:
        'IP addresses or networks of the staff: 10.0.0.0/8,::1; for other addresses the admin page and its API do not exist (404)',
    },
    CORS_ORIGINS: {
      default: 'none',
      meaning: 'origins of web apps that may call the API with credentials: https://app.example.com',
    },
  },
  ...signInSettings,
  Files: {
    APPS_FILE: {
      default: 'no apps',
      meaning:
        'path of the JSON file with the apps that sign users in by OpenID Connect, relative to the folder in which the service starts: apps.json; docs/apps.md describes it',
    },
    PURPOSES_FILE: { default: 'built-in purposes', meaning: 'JSON file that defines the purposes of uploaded files' },
    FILE_DELIVERY: {
      default: 'auto',
      meaning:
        'how files are served: auto (redirects browsers to S3, streams otherwise), stream (through the service), redirect (always to S3) or accel (nginx or Caddy sends files on disk)',
    },
    FILE_QUOTA: { default: '2GiB', meaning: 'maximum total size of the files of one user' },
    FILE_COUNT: { default: '10000', meaning: 'maximum number of files of one user' },
    UPLOAD_LIFE: {
      default: '24h',
      meaning: 'how long an upload in several requests waits for its next byte before it is removed',
    },
    UPLOAD_APPEND_SIZE: {
      default: '50MB',
      meaning:
        'maximum size of one request of an upload in several requests, as announced to clients; keep it below the limit of your proxy',
    },
    TRASH_LIFE: {
      default: '7d',
      meaning: 'how long users can restore files that they deleted, or 0 to remove deleted files at once',
    },
    SCAN_URL: {
      default: 'none',
      meaning: describeForms(scanProviders, 'scans every upload for malware before it is stored'),
    },
    SCAN_FAIL: {
      default: 'closed',
      meaning: 'what happens to an upload that cannot be scanned: closed refuses it, open stores it and logs a warning',
    },
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
