// The rule of one attempt with a code: who is refused before the code is judged, what a wrong code uses up, and what is audited.
import {
  type Count,
  callerCounters,
  countCaller,
  findCallerBlock,
  type ReadCounter,
} from '../../abuse/caller-limits.ts';
import type { Hits } from '../../abuse/limits.ts';
import type { AuditDetail, AuditEvent, DatedEvent } from '../../kernel/audit.ts';
import { markWith } from '../../kernel/crypto/recipient-mark.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import { maskEmail, maskPhone } from '../../kernel/text/mask.ts';
import type { OtpPurpose } from '../../messages/message-kinds.ts';
import {
  type AttemptCharge,
  addFailure,
  type Budget,
  budgetIdsOf,
  chooseCharge,
  failuresByCaller,
  type ReserveHits,
  useDeviceReserve,
  useReserve,
} from './attempt-budget.ts';
import {
  type AttemptOutcome,
  type Challenge,
  type CodeAttempt,
  type CodeSubject,
  type JudgedAttempt,
  judgeAttempt,
  type PhoneSubject,
  refuseCaller,
  refuseUntil,
} from './challenge.ts';

/** `counts`: the new values of the counters. They are saved together with the challenge. */
type TriedCode = JudgedAttempt & { readonly counts: readonly Count[] };

/** The counters that an attempt uses; undefined if one is not needed. */
export function attemptCounterIds(attempt: CodeAttempt): (string | undefined)[] {
  const { failuresId, reserveId, deviceReserveId } = budgetIdsOf(attempt.budget);
  return [
    failuresId,
    attempt.asker === undefined ? undefined : reserveId,
    attempt.device === undefined ? undefined : deviceReserveId,
    ...countersOf(attempt).map(({ id }) => id),
  ];
}

/** Only one attempt with the right code succeeds. Every other attempt counts on the challenge, for the recipient and for the caller. */
export function tryCode(known: Challenge | undefined, attempt: CodeAttempt, read: ReadCounter): TriedCode {
  const { asker, device, policy, now } = attempt;
  // A refused caller uses up nothing of the recipient. Who requested the code, or has a known device, is never refused as a caller.
  const isStranger = asker === undefined && device === undefined;
  const callerBlock = isStranger ? findCallerBlock(countersOf(attempt), read, now) : undefined;
  if (callerBlock !== undefined) return { outcome: refuseCaller(callerBlock), counts: [] };
  const budget = readBudget(attempt, read);
  const charge = chooseCharge(budget, policy, attempt, now);
  if (charge.name === 'none') return { outcome: refuseUntil(charge.block.retryAfterSeconds), counts: [] };
  const judged = judgeAttempt(known, attempt);
  const isCounted = judged.challenge !== undefined && judged.outcome.kind !== 'proved';
  if (!isCounted) return { ...judged, counts: [] };
  return {
    ...judged,
    counts: [...countCaller(countersOf(attempt), read, now), ...spend(attempt, charge.name, budget)],
  };
}

function spend(attempt: CodeAttempt, charge: Exclude<AttemptCharge['name'], 'none'>, budget: Budget): Count[] {
  const { asker = '', policy, now } = attempt;
  const { failuresId, reserveId, deviceReserveId } = budgetIdsOf(attempt.budget);
  switch (charge) {
    case 'device reserve':
      return [{ id: deviceReserveId, ...useDeviceReserve(budget.devices, now) }];
    case 'reserve':
      return [{ id: reserveId, ...useReserve(budget.reserve, asker, now) }];
    case 'day':
      if (policy.failuresPerRecipient.length === 0) return [];
      return [{ id: failuresId, ...addFailure(budget.failures, policy, now) }];
    default:
      return unreachable(charge);
  }
}

/** A reserve is read only for those who may use it. */
function readBudget({ budget, asker, device }: CodeAttempt, read: ReadCounter): Budget {
  const { failuresId, reserveId, deviceReserveId } = budgetIdsOf(budget);
  return {
    failures: (read(failuresId) ?? []) as Hits,
    reserve: asker === undefined ? [] : ((read(reserveId) ?? []) as ReserveHits),
    devices: device === undefined ? [] : ((read(deviceReserveId) ?? []) as Hits),
  };
}

function countersOf({ caller, policy }: CodeAttempt) {
  return callerCounters(failuresByCaller, caller, policy.failuresPerCaller);
}

/** The audit event of a failed attempt; undefined for an attempt that was refused without being counted. */
export function failedAttemptEvent(
  attempt: CodeAttempt,
  outcome: AttemptOutcome,
  about: Omit<AuditEvent, 'kind'>,
): DatedEvent | undefined {
  const failure = describeFailure(outcome);
  if (failure === undefined) return undefined;
  const { kind, reason } = failure;
  return { ...about, kind, detail: { ...traceOf(attempt), reason, ...about.detail }, now: attempt.now };
}

/** Matches the audit event of the request for the code: a phone is found by its mark, an e-mail address by its user. */
function traceOf({ subject, markKey }: CodeAttempt): AuditDetail {
  return isBySms(subject)
    ? { phone: maskPhone(subject.recipient), recipient: markWith(markKey, subject.recipient) }
    : { email: maskEmail(subject.recipient) };
}

function isBySms(subject: CodeSubject): subject is PhoneSubject {
  return isForPhone[subject.purpose];
}

const isForPhone: Readonly<Record<OtpPurpose, boolean>> = {
  'phone-login': true,
  'proof-phone': true,
  'phone-change': true,
  'email-binding': false,
  'proof-email': false,
};

function describeFailure(
  outcome: AttemptOutcome,
): { readonly kind: 'otp.failed' | 'otp.exhausted'; readonly reason: string } | undefined {
  if (outcome.kind === 'lost') return { kind: 'otp.failed', reason: 'used' };
  if (outcome.kind === 'proved') return undefined;
  if (outcome.code === 'OTP_ATTEMPTS_EXCEEDED' || outcome.code === 'RATE_LIMITED') return undefined;
  if (outcome.code === 'OTP_EXPIRED') return { kind: 'otp.failed', reason: 'expired' };
  return { kind: outcome.detail.left === 0 ? 'otp.exhausted' : 'otp.failed', reason: 'wrong' };
}
