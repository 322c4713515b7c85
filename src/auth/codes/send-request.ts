// A request for a message with a code or a link. One commit counts limits, spends the captcha, opens the challenge and queues it.

import type { CaptchaSpend } from '../../abuse/captcha.ts';
import type { SendCheck, SendLimitCode } from '../../abuse/sends.ts';
import type { BrakeRule, SmsBrakeCheck } from '../../abuse/sms-brake.ts';
import type { Suspension } from '../../abuse/suspension.ts';
import type { AuditEvent } from '../../kernel/audit.ts';
import type { Refusal } from '../../kernel/failure.ts';
import type { CodeDraft, CodeSource, MessageOf, OtpPurpose } from '../../messages/message-kinds.ts';
import type { ChallengeOffer, OtpPolicy } from './challenge.ts';

/** The challenge of a code. The commit of the request opens it, or reuses the open one. */
export type ChallengeRequest = {
  readonly purpose: OtpPurpose;
  readonly slot: string;
  readonly seed: ChallengeOffer;
  readonly policy: OtpPolicy;
};

type RequestChecks = {
  /** Undefined if no limit applies: a test recipient gets no message, and limits may be off. */
  readonly check: SendCheck | undefined;
  readonly brake: SmsBrakeCheck | undefined;
  readonly audit: AuditEvent;
  readonly now: number;
};

/** `message` is undefined for a test recipient. The store adds the challenge to the message, so that a resend repeats the code. */
export type CodeContent = { readonly challenge: ChallengeRequest; readonly message: CodeDraft | undefined };

type LinkContent = { readonly challenge: undefined; readonly message: MessageOf<'login-link'> };

/** A request before the captcha check. */
export type UncheckedRequest = RequestChecks & (CodeContent | LinkContent);

export type SendRequest = UncheckedRequest & {
  readonly captcha: CaptchaSpend | undefined;
  /** This node claims the message in the commit that queues it. Absent if it has no room: the message waits in the outbox. */
  readonly leaseSeconds?: number;
};

/** `rule`: the one that tripped the spending brake. */
export type SendRefusal =
  | (Refusal<'CAPTCHA_INVALID' | SendLimitCode> & { readonly rule?: undefined })
  | (Refusal<'SMS_SUSPENDED'> & { readonly rule: BrakeRule });

/** The message of the request is claimed for this node. `source`: of its code, if it has one. */
type HeldAnswer = {
  readonly isHeld: true;
  readonly source?: CodeSource;
  readonly code?: undefined;
  readonly detail?: undefined;
};

export type SendAnswer = SendRefusal | HeldAnswer | undefined;

export type SendRequestStore = {
  /** Atomic across nodes. Checks captcha, then limits, then does the work. A refusal counts, spends and queues nothing. */
  request(request: SendRequest): Promise<SendAnswer>;
  /** Records a suspension once across all nodes, even if many requests hit it before it ends. */
  noteSuspension(suspension: Suspension): Promise<void>;
};
