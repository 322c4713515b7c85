// A request for a message with a code or a link: everything that it counts, spends, opens and queues is one commit.

import type { CaptchaSpend } from '../abuse/captcha.ts';
import type { SendCheck } from '../abuse/sends.ts';
import type { BrakeRule, SmsBrakeCheck } from '../abuse/sms-brake.ts';
import type { Suspension } from '../abuse/suspension.ts';
import type { AuditEvent } from '../kernel/audit.ts';
import type { FailureCode, FailureDetail } from '../kernel/failure.ts';
import type { CodeDraft, MessageOf, OtpPurpose } from '../messages/message-kinds.ts';
import type { ChallengeOffer, OtpPolicy } from './challenge.ts';

/** The challenge behind a code: opened, or found open, in the commit of the request. */
export type ChallengeRequest = {
  readonly purpose: OtpPurpose;
  readonly slot: string;
  readonly seed: ChallengeOffer;
  readonly policy: OtpPolicy;
};

type Gate = {
  /** Undefined where no limit applies: nothing is sent to a test recipient. */
  readonly check: SendCheck | undefined;
  readonly brake: SmsBrakeCheck | undefined;
  readonly audit: AuditEvent;
  readonly now: number;
};

/** Nothing is sent to a test recipient. The store adds the challenge to the message, so that a resend repeats the code. */
export type CodeContent = { readonly challenge: ChallengeRequest; readonly message: CodeDraft | undefined };

type LinkContent = { readonly challenge: undefined; readonly message: MessageOf<'login-link'> };

/** A request whose captcha has not been looked at. */
export type UnpaidRequest = Gate & (CodeContent | LinkContent);

export type SendRequest = UnpaidRequest & { readonly captcha: CaptchaSpend | undefined };

export type SendRefusal = {
  readonly code: FailureCode;
  readonly detail: FailureDetail;
  /** The rule of the spending brake that refuses. */
  readonly rule?: BrakeRule;
};

export type SendRequestStore = {
  /** Captcha, then limits, then the work; a refusal counts, spends and queues nothing. Exact however many nodes ask at once. */
  request(request: SendRequest): Promise<SendRefusal | undefined>;
  /** Written down once, however often and on however many nodes it is met before it ends. */
  noteSuspension(suspension: Suspension): Promise<void>;
};
