// Reads the policies of the domain from the settings: lifetimes, counts and limits.

import type { LimitRule } from '../abuse/limits.ts';
import type { SendPolicy } from '../abuse/sends.ts';
import type { OtpPolicy } from '../auth/codes/challenge.ts';
import type { SessionPolicy } from '../auth/sessions/session.ts';
import type { PerChannel } from '../messages/channel.ts';
import type { EnvReader } from './env-reader.ts';
import { parseDuration } from './units.ts';

export type PolicyConfig = {
  readonly otp: PerChannel<OtpPolicy>;
  readonly sends: PerChannel<SendPolicy>;
  readonly linkLifeSeconds: number;
  readonly accessTokenLifeSeconds: number;
  readonly session: SessionPolicy;
  readonly recentSeconds: number;
  readonly phoneRecoveryWaitSeconds: number;
  readonly phoneRecycledSeconds: number;
  readonly requestsPerIp: readonly LimitRule[];
  readonly requestsPerKey: readonly LimitRule[];
  readonly uploadsPerUser: readonly LimitRule[];
};

/** For the inbox: no message leaves the machine, so there is nothing to protect. */
const unlimited: SendPolicy = { resendAfterSeconds: [], perRecipient: [], perIp: [] };

const limited: SendPolicy = {
  resendAfterSeconds: [30, 60, 120, 300],
  perRecipient: [
    { count: 5, windowSeconds: 3600 },
    { count: 10, windowSeconds: 86_400 },
  ],
  perIp: [
    { count: 20, windowSeconds: 3600 },
    { count: 60, windowSeconds: 86_400 },
  ],
};

const guesses: readonly LimitRule[] = [
  { count: 30, windowSeconds: 3600 },
  { count: 100, windowSeconds: 86_400 },
];

export function readPolicies(
  reader: EnvReader,
  { isProduction, isInbox }: { isProduction: boolean; isInbox: PerChannel<boolean> },
): PolicyConfig {
  const attempts = reader.count('OTP_ATTEMPTS', 5, 1, 100);
  const failuresPerRecipient = reader.limit('LIMIT_ATTEMPTS_PER_RECIPIENT', [{ count: 15, windowSeconds: 86_400 }]);
  const failuresPerCaller = reader.limit('LIMIT_ATTEMPTS_PER_IP', isProduction ? guesses : []);
  const wrong = { attempts, failuresPerRecipient, failuresPerCaller };
  const smsLife = reader.duration('OTP_SMS_LIFE', 300);
  const mailLife = reader.duration('OTP_MAIL_LIFE', 600);
  return {
    otp: {
      sms: { lifeSeconds: smsLife, capSeconds: smsLife * 2, ...wrong },
      mail: { lifeSeconds: mailLife, capSeconds: mailLife * 1.5, ...wrong },
    },
    sends: {
      sms: readSends(reader, isInbox.sms ? unlimited : limited),
      mail: readSends(reader, isInbox.mail ? unlimited : limited),
    },
    linkLifeSeconds: reader.duration('LINK_LIFE', 900),
    accessTokenLifeSeconds: reader.duration('ACCESS_TOKEN_LIFE', 900),
    session: {
      idleSeconds: reader.duration('REFRESH_TOKEN_IDLE', 30 * 86_400),
      lifeSeconds: reader.duration('REFRESH_TOKEN_LIFE', 180 * 86_400),
      graceSeconds: reader.duration('REFRESH_TOKEN_GRACE', 30),
      perUser: reader.count('SESSIONS_PER_USER', 20, 1, 1000),
    },
    recentSeconds: reader.duration('RECENT_SIGN_IN', 600),
    phoneRecoveryWaitSeconds: reader.duration('PHONE_RECOVERY_WAIT', 72 * 3600),
    phoneRecycledSeconds: reader.duration('PHONE_RECYCLED_AFTER', 180 * 86_400),
    requestsPerIp: reader.limit('LIMIT_REQUESTS_PER_IP', isProduction ? [{ count: 600, windowSeconds: 60 }] : []),
    requestsPerKey: reader.limit('LIMIT_REQUESTS_PER_KEY', [{ count: 6000, windowSeconds: 60 }]),
    uploadsPerUser: reader.limit('LIMIT_UPLOADS_PER_USER', [{ count: 60, windowSeconds: 60 }]),
  };
}

function readSends(reader: EnvReader, fallback: SendPolicy): SendPolicy {
  return {
    resendAfterSeconds: reader.parsed(
      'OTP_RESEND_AFTER',
      fallback.resendAfterSeconds,
      parseCoolDowns,
      'write durations separated by commas, for example 30s,60s,120s, or off',
    ),
    perRecipient: reader.limit('LIMIT_SENDS_PER_RECIPIENT', fallback.perRecipient),
    perIp: reader.limit('LIMIT_SENDS_PER_IP', fallback.perIp),
  };
}

function parseCoolDowns(text: string): number[] | undefined {
  if (text === 'off') return [];
  const seconds = text.split(',').map(parseDuration);
  return seconds.every((value) => value !== undefined) ? seconds : undefined;
}
