// What the settings decide about signing in, under the names of the use cases.
import type { AuthDeps } from '../auth/deps.ts';
import type { Config } from '../config/config.ts';

type Policies = Pick<
  AuthDeps,
  | 'testRecipients'
  | 'otp'
  | 'sends'
  | 'brake'
  | 'phoneTypes'
  | 'accessToken'
  | 'sessionPolicy'
  | 'linkLifeSeconds'
  | 'recentSeconds'
  | 'phoneRecoveryWaitSeconds'
  | 'phoneRecycledSeconds'
  | 'isSignupOpen'
  | 'noticeChoice'
>;

export function authPolicies(config: Config): Policies {
  const { testRecipients, otp, sends, brake, phoneTypes, linkLifeSeconds, recentSeconds } = config;
  const { phoneRecoveryWaitSeconds, phoneRecycledSeconds, publicUrl } = config;
  return {
    testRecipients,
    otp,
    sends,
    brake,
    phoneTypes,
    linkLifeSeconds,
    recentSeconds,
    phoneRecoveryWaitSeconds,
    phoneRecycledSeconds,
    accessToken: { issuer: publicUrl, audience: publicUrl, lifeSeconds: config.accessTokenLifeSeconds },
    sessionPolicy: config.session,
    isSignupOpen: config.signup === 'open',
    noticeChoice: config.notices,
  };
}
