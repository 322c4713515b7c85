// A request for a message with a code or a link: everything that it counts, spends, opens and queues is one commit.

import type { CaptchaSpend } from '../abuse/captcha.ts';
import type { SendCheck } from '../abuse/sends.ts';
import type { SmsBrakeCheck } from '../abuse/sms-brake.ts';
import type { AuditEvent } from '../kernel/audit.ts';
import type { FailureCode, FailureDetail } from '../kernel/failure.ts';
import type { MessageDraft } from '../messages/outbox.ts';
import type { ChallengeOffer, OtpPolicy } from './challenge.ts';

export type SendRequest = {
  /** Undefined where no limit applies: nothing is sent to a test recipient. */
  readonly check: SendCheck | undefined;
  readonly brake: SmsBrakeCheck | undefined;
  readonly captcha: CaptchaSpend | undefined;
  readonly challenge: { readonly slot: string; readonly seed: ChallengeOffer; readonly policy: OtpPolicy } | undefined;
  /** The store adds the challenge to its payload, so that a resend repeats the code. */
  readonly message: MessageDraft | undefined;
  readonly audit: AuditEvent;
  readonly now: number;
};

export type SendRefusal = {
  readonly code: FailureCode;
  readonly detail: FailureDetail;
  /** The rule of the spending brake that refuses. */
  readonly rule?: string;
};

/** The brake holds back, by one rule, a country or (`day`) all of them. */
export type Suspension = {
  readonly rule: string;
  readonly country: string;
  readonly until: number;
  readonly now: number;
};

export type SendRequestStore = {
  /** Captcha, then limits, then the work; a refusal counts, spends and queues nothing. Exact however many nodes ask at once. */
  request(request: SendRequest): Promise<SendRefusal | undefined>;
  /** Written down once, however often and on however many nodes it is met before it ends. */
  noteSuspension(suspension: Suspension): Promise<void>;
};
