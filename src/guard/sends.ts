// How often messages may be asked for: by recipient, by caller, and with a growing pause between two of them.

import { sha256 } from '../kernel/digest.ts';
import { Failure } from '../kernel/failure.ts';
import { addHit, findBlock, type Hits, type LimitRule, longestWindow } from './limits.ts';

export type SendPolicy = {
  /** Pause after the first, second … send; the last repeats; empty: none. */
  readonly resendAfterSeconds: readonly number[];
  readonly perRecipient: readonly LimitRule[];
  readonly perIp: readonly LimitRule[];
};

/** One wish to send, before anything is sent. Keyed on what was submitted, never on whether an account exists. */
export type SendWish = {
  readonly purpose: string;
  readonly recipient: string;
  readonly ip: string;
  readonly policy: SendPolicy;
  readonly now: number;
};

/** The limit rows that a wish touches; an id is undefined where its limit is off. */
export type SendLimitIds = { readonly pause?: string; readonly recipient?: string; readonly ip?: string };

/** After so long without a send the pauses start over. */
const pauseMemorySeconds = 3600;

export function sendLimitIds(wish: SendWish): SendLimitIds {
  const { policy } = wish;
  return {
    ...(policy.resendAfterSeconds.length > 0 && { pause: `pause:${sha256(`${wish.purpose} ${wish.recipient}`)}` }),
    ...(policy.perRecipient.length > 0 && { recipient: `sends:${sha256(wish.recipient)}` }),
    ...(policy.perIp.length > 0 && { ip: `sends-ip:${sha256(wish.ip)}` }),
  };
}

export type SendHits = { readonly [K in keyof SendLimitIds]?: Hits };

/** The refusal that holds longest, so that whoever waits as long as told gets through; undefined when the wish may pass. */
export function refuseSend(wish: SendWish, hits: SendHits): Failure | undefined {
  const { policy, now } = wish;
  const byIp = findBlock(hits.ip ?? [], policy.perIp, now);
  const byRecipient = findBlock(hits.recipient ?? [], policy.perRecipient, now);
  const pause = pauseLeft(hits.pause ?? [], policy.resendAfterSeconds, now);
  const longest = Math.max(byIp?.retryAfterSeconds ?? 0, byRecipient?.retryAfterSeconds ?? 0, pause);
  if (longest === 0) return undefined;
  if (byIp?.retryAfterSeconds === longest) return limitFailure('RATE_LIMITED', 'sends-per-ip', byIp.rule, longest);
  if (byRecipient?.retryAfterSeconds === longest) {
    return limitFailure('OTP_SEND_LIMIT', 'sends-per-recipient', byRecipient.rule, longest);
  }
  return limitFailure('OTP_RESEND_TOO_SOON', 'resend', { count: 1, windowSeconds: longest }, longest);
}

export function countSend(wish: SendWish, hits: SendHits): { -readonly [K in keyof SendLimitIds]?: number[] } {
  const { policy, now } = wish;
  return {
    pause: [...chain(hits.pause ?? [], now), now].slice(-policy.resendAfterSeconds.length),
    recipient: addHit(hits.recipient ?? [], policy.perRecipient, now),
    ip: addHit(hits.ip ?? [], policy.perIp, now),
  };
}

/** When a limit row holds nothing of use any more. */
export function sendLimitEnds(wish: SendWish): { readonly [K in keyof SendLimitIds]: number } {
  const { policy, now } = wish;
  const longestPause = Math.max(pauseMemorySeconds, ...policy.resendAfterSeconds);
  return {
    pause: now + longestPause * 1000,
    recipient: now + longestWindow(policy.perRecipient) * 1000,
    ip: now + longestWindow(policy.perIp) * 1000,
  };
}

function pauseLeft(hits: Hits, pauses: readonly number[], now: number): number {
  const recent = chain(hits, now);
  const last = recent.at(-1);
  const pause = pauses[Math.min(recent.length, pauses.length) - 1];
  if (last === undefined || pause === undefined) return 0;
  return Math.max(0, Math.ceil((Math.min(last, now) + pause * 1000 - now) / 1000));
}

function chain(hits: Hits, now: number): Hits {
  const last = hits.at(-1);
  return last !== undefined && now - last < pauseMemorySeconds * 1000 ? hits : [];
}

function limitFailure(
  code: 'RATE_LIMITED' | 'OTP_SEND_LIMIT' | 'OTP_RESEND_TOO_SOON',
  name: string,
  rule: LimitRule,
  retryAfterSeconds: number,
): Failure {
  const policy = { name, quota: rule.count, windowSeconds: rule.windowSeconds, resetSeconds: retryAfterSeconds };
  return new Failure(code, { retryAfterSeconds, policy });
}
