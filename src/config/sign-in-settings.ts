// The part of the table of settings about codes, links, numbers, tokens, sessions and limits.
import type { Setting } from './setting.ts';

export const signInSettings = {
  'Signing in': {
    LOGIN_LINK_URL: {
      default: '{PUBLIC_URL}/login/link',
      meaning: 'URL of the page that a sign-in link opens; the token is appended as the fragment',
    },
    BRAND_NAME: { default: 'Gatehouse', meaning: 'product name in messages and pages; at most 30 characters' },
    BRAND_FILE: {
      default: 'none',
      meaning: 'JSON file with name, logo, accent colour, links and texts of messages, see docs/brand.md',
    },
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
    PHONE_RECOVERY_WAIT: {
      default: '72h',
      meaning:
        'how long a user who lost the phone, and proved the account by e-mail, waits for the new number; the old number and the address get a notice, and can cancel the change',
    },
    PHONE_RECYCLED_AFTER: {
      default: '180d',
      meaning:
        'after this time without use, the phone number alone no longer opens an account that has an e-mail address: the number may belong to somebody else now',
    },
    NOTICES: {
      default: 'mail',
      meaning:
        'how users are notified of new devices and of changed e-mail addresses: mail, mail+sms (the phone too) or off',
    },
  },
  'Tokens and sessions': {
    ACCESS_TOKEN_LIFE: { default: '15m', meaning: 'lifetime of an access token' },
    REFRESH_TOKEN_IDLE: { default: '30d', meaning: 'a session ends after this time without a refresh' },
    REFRESH_TOKEN_LIFE: { default: '180d', meaning: 'maximum lifetime of a session' },
    RECENT_SIGN_IN: {
      default: '10m',
      meaning:
        'time after a code or link in which a user may delete the account, change the phone number, or replace or remove the e-mail address',
    },
    REFRESH_TOKEN_GRACE: {
      default: '30s',
      meaning:
        'time after a refresh in which the previous refresh token still returns the same new token, unless it clearly comes from another client; later it does so for the same device only',
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
        'maximum number of wrong codes for one recipient, over all its codes, or off; clients that requested the code get five more in 24 hours, and known devices another five',
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
    LIMIT_REQUESTS_PER_KEY: {
      default: '6000/1m',
      meaning: 'maximum number of requests per service key and node, or off',
    },
    LIMIT_UPLOADS_PER_USER: { default: '60/1m', meaning: 'maximum number of uploads per user, or off' },
  },
} as const satisfies Record<string, Readonly<Record<string, Setting>>>;
