// The dependencies of the use cases in this folder. Each use case picks the few that it needs.

import type { Captcha } from '../abuse/captcha.ts';
import type { SendPolicy } from '../abuse/sends.ts';
import type { BrakePolicy } from '../abuse/sms-brake.ts';
import type { Clock } from '../kernel/clock.ts';
import type { PhoneType } from '../kernel/phone-types.ts';
import type { Secrets } from '../kernel/secrets.ts';
import type { MessageHold } from '../messages/message-holds.ts';
import type { Channel } from '../messages/outbox.ts';
import type { AccessTokenPolicy } from './access-token.ts';
import type { OtpPolicy, TestRecipient } from './challenge.ts';
import type { BindingStore } from './email-binding.ts';
import type { KeyRing } from './key-ring.ts';
import type { LinkStore } from './login-link.ts';
import type { NoticeChoice } from './notice.ts';
import type { NoticeStore } from './notice-link.ts';
import type { PhoneStore } from './phone-change.ts';
import type { Revocations } from './revocations.ts';
import type { ScheduledPhoneStore } from './scheduled-phone.ts';
import type { SendRequestStore } from './send-request.ts';
import type { SessionPolicy, SessionStore } from './session.ts';
import type { ProofStore } from './session-proof.ts';
import type { SignInStore } from './sign-in.ts';
import type { UserStore } from './user.ts';

export type AuthDeps = {
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly keyRing: KeyRing;
  readonly revocations: Revocations;
  readonly captcha: Captcha;
  readonly sendRequests: SendRequestStore;
  readonly signIns: SignInStore;
  readonly sessions: SessionStore;
  readonly proofs: ProofStore;
  readonly users: UserStore;
  readonly links: LinkStore;
  readonly bindings: BindingStore;
  readonly phones: PhoneStore;
  readonly notices: NoticeStore;
  readonly scheduledPhones: ScheduledPhoneStore;
  readonly testRecipients: readonly TestRecipient[];
  readonly otp: { readonly sms: OtpPolicy; readonly mail: OtpPolicy };
  readonly sends: { readonly sms: SendPolicy; readonly mail: SendPolicy };
  readonly brake: BrakePolicy;
  readonly phoneTypes: readonly PhoneType[];
  readonly accessToken: AccessTokenPolicy;
  readonly sessionPolicy: SessionPolicy;
  readonly linkLifeSeconds: number;
  /** How old the proof of a user may be for calls that need a recent sign-in. */
  readonly recentSeconds: number;
  readonly phoneRecoveryWaitSeconds: number;
  readonly phoneRecycledSeconds: number;
  readonly isSignupOpen: boolean;
  readonly noticeChoice: NoticeChoice;
  /** Removes the bytes of deleted files and uploads. A worker removes any that this misses: the deletion has queued them. */
  readonly removeBytes: (ids: readonly string[], deletedAt: number) => Promise<void>;
  /** Room in memory for a message that is about to be queued. Undefined if it is to wait in the outbox. */
  readonly holdMessage: (channel: Channel) => MessageHold | undefined;
  /** Wakes the delivery worker for one channel, or for all channels if none is given. */
  readonly wakeDelivery: (channel?: Channel) => void;
};
