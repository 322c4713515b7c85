// Finds settings of an identity's life that are dangerous or useless in production. Every start and the doctor warn about each one.
import type { NoticeChoice } from '../auth/notices/notice.ts';
import type { PolicyConfig } from './read-policies.ts';

type IdentityConfig = Pick<
  PolicyConfig,
  'recentSeconds' | 'phoneRecoveryWaitSeconds' | 'phoneRecycledSeconds' | 'session'
> & { readonly notices: NoticeChoice };

const minute = 60;
const day = 86_400;

export function warnOfIdentity(config: IdentityConfig): string[] {
  const { recentSeconds, phoneRecoveryWaitSeconds, phoneRecycledSeconds, session, notices } = config;
  const rules: readonly (readonly [isTrue: boolean, warning: string])[] = [
    [
      recentSeconds < minute,
      'RECENT_SIGN_IN is below 1m: users who enter a code cannot do in time what they were asked for it. Set 10m.',
    ],
    [
      recentSeconds > day,
      'RECENT_SIGN_IN is above 1d: whoever finds a device that is signed in can take the account from its owner. Set 10m.',
    ],
    [
      phoneRecoveryWaitSeconds < day,
      'PHONE_RECOVERY_WAIT is below 1d: whoever reads the mail of a user can take the account before the user sees the notice. Set 72h.',
    ],
    [
      phoneRecoveryWaitSeconds > 30 * day,
      'PHONE_RECOVERY_WAIT is above 30d: a user who lost the phone has no use of the new one for so long. Set 72h.',
    ],
    [
      phoneRecycledSeconds < Math.min(session.idleSeconds, session.lifeSeconds),
      'PHONE_RECYCLED_AFTER is below REFRESH_TOKEN_IDLE: an account counts as unused while a device is still signed in to it, and a code by SMS alone no longer opens it. Set 180d.',
    ],
    [
      phoneRecycledSeconds > 365 * day,
      'PHONE_RECYCLED_AFTER is above 365d: a number that was given up belongs to somebody else much earlier, and opens the account to them. Set 180d.',
    ],
    [
      notices === 'off',
      'NOTICES is off: users do not learn that somebody signed in on a new device or added an e-mail address. Set mail.',
    ],
  ];
  return rules.flatMap(([isTrue, warning]) => (isTrue ? [warning] : []));
}
