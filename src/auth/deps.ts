// The dependencies of the use cases in this folder. Each use case picks the few that it needs.

import type { Captcha } from '../abuse/captcha.ts';
import type { SendPolicy } from '../abuse/sends.ts';
import type { BrakePolicy } from '../abuse/sms-brake.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Secrets } from '../kernel/crypto/secrets.ts';
import type { FileId, UploadId } from '../kernel/ids.ts';
import type { PhoneType } from '../kernel/text/phone-types.ts';
import type { Channel, PerChannel } from '../messages/channel.ts';
import type { MessageHold } from '../messages/delivery/message-holds.ts';
import type { OtpPolicy, TestRecipient } from './codes/challenge.ts';
import type { SendRequestStore } from './codes/send-request.ts';
import type { BindingStore } from './identity/email-binding.ts';
import type { PhoneStore } from './identity/phone-change.ts';
import type { ScheduledPhoneStore } from './identity/scheduled-phone.ts';
import type { UserStore } from './identity/user.ts';
import type { LinkStore } from './links/login-link.ts';
import type { NoticeChoice } from './notices/notice.ts';
import type { NoticeStore } from './notices/notice-link.ts';
import type { Revocations } from './sessions/revocations.ts';
import type { SessionPolicy, SessionStore } from './sessions/session.ts';
import type { ProofStore } from './sessions/session-proof.ts';
import type { SignInStore } from './sign-in/sign-in.ts';
import type { AccessTokenPolicy } from './tokens/access-token.ts';
import type { KeyRing } from './tokens/key-ring.ts';

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
  readonly otp: PerChannel<OtpPolicy>;
  readonly sends: PerChannel<SendPolicy>;
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
  readonly removeBytes: (ids: readonly (FileId | UploadId)[], deletedAt: number) => Promise<void>;
  /** Room in memory for a message that is about to be queued. Undefined if it is to wait in the outbox. */
  readonly holdMessage: (channel: Channel) => MessageHold | undefined;
  /** Wakes the delivery worker for one channel, or for all channels if none is given. */
  readonly wakeDelivery: (channel?: Channel) => void;
};
