// Limits on requests for messages: per recipient, per caller, and a growing pause between two messages.

import { sha256 } from '../kernel/crypto/digest.ts';
import { Failure } from '../kernel/failure.ts';
import type { QuotaName } from '../kernel/quota.ts';
import type { Recipient } from '../kernel/recipient.ts';
import {
  type CallerCounter,
  type Count,
  callerCounters,
  countCaller,
  findCallerBlock,
  type ReadCounter,
} from './caller-limits.ts';
import { addHit, findBlock, type Hits, type LimitRule, longestWindow } from './limits.ts';

export type SendPolicy = {
  /** Pause after the first, second … send. The last value repeats. Empty means no pause. */
  readonly resendAfterSeconds: readonly number[];
  readonly perRecipient: readonly LimitRule[];
  readonly perIp: readonly LimitRule[];
};

/** A request to send a message. Depends on the submitted data only, never on whether an account exists. */
export type SendCheck = {
  readonly purpose: string;
  readonly recipient: Recipient;
  readonly ip: string;
  readonly policy: SendPolicy;
  readonly now: number;
};

/** The check, or undefined if every limit is off: then there is nothing to carry, read or count. */
export function sendCheck(check: SendCheck): SendCheck | undefined {
  const { resendAfterSeconds, perRecipient, perIp } = check.policy;
  return resendAfterSeconds.length + perRecipient.length + perIp.length > 0 ? check : undefined;
}

/** What a limit answers. */
export type SendLimitCode = 'RATE_LIMITED' | 'OTP_SEND_LIMIT' | 'OTP_RESEND_TOO_SOON';

/** The counters of a request. An id is undefined if its limit is off. */
type SendCounters = {
  readonly pause: string | undefined;
  readonly recipient: string | undefined;
  readonly caller: readonly CallerCounter[];
};

/** Prefix of the ids of the counters per caller. */
export const sendsByCaller = 'sends-ip';

/** After this time without a send, the pauses start over. A longer pause is waited for to its end. */
const pauseMemorySeconds = 3600;

export function sendCounters({ purpose, recipient, ip, policy }: Omit<SendCheck, 'now'>): SendCounters {
  return {
    pause: policy.resendAfterSeconds.length > 0 ? `pause:${sha256(`${purpose} ${recipient}`)}` : undefined,
    recipient: policy.perRecipient.length > 0 ? `sends:${sha256(recipient)}` : undefined,
    caller: callerCounters(sendsByCaller, ip, policy.perIp),
  };
}

export function sendCounterIds(check: SendCheck): (string | undefined)[] {
  const { pause, recipient, caller } = sendCounters(check);
  return [pause, recipient, ...caller.map(({ id }) => id)];
}

/** The refusal that lasts longest, so that a retry after that wait passes. Undefined if the request is allowed. */
export function refuseSend(check: SendCheck, read: ReadCounter): Failure<SendLimitCode> | undefined {
  const { policy, now } = check;
  const counters = sendCounters(check);
  const byCaller = findCallerBlock(counters.caller, read, now);
  const byRecipient = findBlock(hitsOf(counters.recipient, read), policy.perRecipient, now);
  const pause = pauseLeft(hitsOf(counters.pause, read), policy.resendAfterSeconds, now);
  const longest = Math.max(byCaller?.retryAfterSeconds ?? 0, byRecipient?.retryAfterSeconds ?? 0, pause);
  if (longest === 0) return undefined;
  if (byCaller?.retryAfterSeconds === longest)
    return limitFailure('RATE_LIMITED', 'sends-per-ip', byCaller.rule, longest);
  if (byRecipient?.retryAfterSeconds === longest)
    return limitFailure('OTP_SEND_LIMIT', 'sends-per-recipient', byRecipient.rule, longest);
  return limitFailure('OTP_RESEND_TOO_SOON', 'resend', { count: 1, windowSeconds: longest }, longest);
}

export function countSend(check: SendCheck, read: ReadCounter): Count[] {
  const { policy, now } = check;
  const { pause, recipient, caller } = sendCounters(check);
  const counts = countCaller(caller, read, now);
  if (pause !== undefined) {
    const pauses = policy.resendAfterSeconds;
    const value = [...chain(hitsOf(pause, read), pauses, now), now].slice(-pauses.length);
    counts.push({ id: pause, value, endsAt: now + memoryOf(pauses) });
  }
  if (recipient !== undefined) {
    const value = addHit(hitsOf(recipient, read), policy.perRecipient, now);
    counts.push({ id: recipient, value, endsAt: now + longestWindow(policy.perRecipient) * 1000 });
  }
  return counts;
}

/** Call after counting. True if that request was the last one that the recipient's limit allows for now. */
export function isLastForRecipient(check: SendCheck, read: ReadCounter): boolean {
  const { recipient } = sendCounters(check);
  return findBlock(hitsOf(recipient, read), check.policy.perRecipient, check.now) !== undefined;
}

function hitsOf(id: string | undefined, read: ReadCounter): Hits {
  return id === undefined ? [] : ((read(id) ?? []) as Hits);
}

function pauseLeft(hits: Hits, pauses: readonly number[], now: number): number {
  const recent = chain(hits, pauses, now);
  const pause = pauses[Math.min(recent.length, pauses.length) - 1] ?? 0;
  return Math.max(0, Math.ceil((Math.min(lastOf(recent), now) + pause * 1000 - now) / 1000));
}

function chain(hits: Hits, pauses: readonly number[], now: number): Hits {
  return now - lastOf(hits) < memoryOf(pauses) ? hits : [];
}

function lastOf(hits: Hits): number {
  return hits.at(-1) ?? Number.NEGATIVE_INFINITY;
}

/** In milliseconds. */
function memoryOf(pauses: readonly number[]): number {
  return Math.max(pauseMemorySeconds, ...pauses) * 1000;
}

function limitFailure(
  code: SendLimitCode,
  name: QuotaName,
  rule: LimitRule,
  retryAfterSeconds: number,
): Failure<SendLimitCode> {
  const policy = { name, quota: rule.count, windowSeconds: rule.windowSeconds, resetSeconds: retryAfterSeconds };
  return new Failure(code, { retryAfterSeconds, policy });
}
