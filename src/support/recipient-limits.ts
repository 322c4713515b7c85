// The limit counters of a recipient or a caller: their names, and how to read each.

import { type CallerCounter, callerCounters, findCounterBlock, readCounter } from '../abuse/caller-limits.ts';
import type { Hits, LimitRule } from '../abuse/limits.ts';
import { findBlock } from '../abuse/limits.ts';
import { refuseSend, type SendPolicy, sendCounters, sendsByCaller } from '../abuse/sends.ts';
import { prefixId } from '../abuse/sms-brake.ts';
import { budgetIds, failuresByCaller, hitsOfReserve, reserveRule } from '../auth/codes/attempt-budget.ts';
import type { AuthDeps } from '../auth/deps.ts';
import { keyOf, parseEmailAddress } from '../auth/identity/email-address.ts';
import { isFullNumber } from '../auth/identity/phone-number.ts';
import type { User } from '../auth/identity/user.ts';
import { Failure } from '../kernel/failure.ts';
import type { EmailKey, PhoneNumber, Recipient } from '../kernel/recipient.ts';
import { maskEmail, maskPhone } from '../kernel/text/mask.ts';
import { type Channel, channels, type PerChannel } from '../messages/channel.ts';
import { type RequestedKind, requestedKinds } from '../messages/message-kinds.ts';

/** The subject of a limit. `address` is the canonical IP address of a caller. */
export type LimitSubject = RecipientSubject | { readonly kind: 'address'; readonly text: string };

type RecipientSubject =
  | { readonly kind: 'phone'; readonly text: PhoneNumber }
  | { readonly kind: 'email'; readonly text: EmailKey };

type RecipientKind = RecipientSubject['kind'];

export type LimitPolicies = Pick<AuthDeps, 'sends' | 'otp' | 'brake'>;

/** What a counter counts. */
export const limitKinds = [
  'pause',
  'sends',
  'alike',
  'failures',
  'reserve',
  'devices',
  'address',
  'network',
  'guesses',
] as const;

export type LimitKind = (typeof limitKinds)[number];

export type CounterReading = {
  readonly hits: number;
  readonly lastAt: number | undefined;
  /** Seconds until it allows the next hit; 0 if it allows one now. */
  readonly blockedSeconds: number;
};

type LimitCounter = {
  readonly kind: LimitKind;
  readonly name: string;
  /** What is limited: a recipient, masked, or the IP address or network of a caller. */
  readonly subject: string;
  readonly id: string;
  /** `value` is the stored value of the counter. */
  read(value: unknown, now: number): CounterReading;
};

const anyRule = [{ count: 1, windowSeconds: 1 }];

/** With this policy every counter has an id, including one whose limit is off now but that still holds a value. */
const allOn: SendPolicy = { resendAfterSeconds: [1], perRecipient: anyRule, perIp: anyRule };

export function readLimitSubject(text: string, toCaller: (text: string) => string | undefined): LimitSubject {
  const plain = text.trim();
  if (plain.includes('@')) return { kind: 'email', text: parseEmailAddress(plain).key };
  const number = plain.replaceAll(/[\s\-.()]/g, '');
  if (isFullNumber(number)) return { kind: 'phone', text: number };
  const caller = toCaller(plain);
  if (caller === undefined) throw new Failure('REQUEST_INVALID', { field: 'whom' });
  return { kind: 'address', text: caller };
}

export function subjectsOf({ phone, email }: User): LimitSubject[] {
  return [
    ...(phone === undefined ? [] : [{ kind: 'phone', text: phone } as const]),
    ...(email === undefined ? [] : [{ kind: 'email', text: keyOf(email) } as const]),
  ];
}

export function maskSubject(limited: LimitSubject): string {
  switch (limited.kind) {
    case 'address':
      return limited.text;
    case 'phone':
      return maskPhone(limited.text);
    case 'email':
      return maskEmail(limited.text);
  }
}

export function countersOf(limited: LimitSubject, policies: LimitPolicies): LimitCounter[] {
  if (limited.kind === 'address') return callerCountersOf(limited.text, policies);
  const subject = maskSubject(limited);
  return recipientCountersOf(limited, policies).map((counter) => ({ ...counter, subject }));
}

function callerCountersOf(ip: string, { sends, otp }: LimitPolicies): LimitCounter[] {
  const perIp = Object.values(sends).flatMap((policy) => policy.perIp);
  return [
    ...ofCaller(ip, callerCounters(sendsByCaller, ip, orAny(perIp)), 'messages requested from', 'address', 'network'),
    ...ofCaller(
      ip,
      callerCounters(failuresByCaller, ip, orAny(otp.sms.failuresPerCaller)),
      'wrong codes from',
      'guesses',
      'guesses',
    ),
  ];
}

/** A counter whose limit is off still has an id. This rule never blocks. */
function orAny(rules: readonly LimitRule[]): readonly LimitRule[] {
  return rules.length > 0 ? rules : [{ count: Number.MAX_SAFE_INTEGER / 100, windowSeconds: 86_400 }];
}

function ofCaller(
  ip: string,
  counters: readonly CallerCounter[],
  what: string,
  own: LimitKind,
  wider: LimitKind,
): LimitCounter[] {
  return counters.map((counter) => ({
    kind: counter.isWide ? wider : own,
    name: `${what} ${counter.isWide ? counter.network : 'this IP address'}`,
    subject: counter.isWide ? counter.network : ip,
    id: counter.id,
    read: (value, now) => ({
      ...readCounter(counter, value, now),
      blockedSeconds: findCounterBlock(counter, value, now)?.retryAfterSeconds ?? 0,
    }),
  }));
}

type RecipientCounter = Omit<LimitCounter, 'subject'>;

function recipientCountersOf(limited: RecipientSubject, { sends, otp, brake }: LimitPolicies): RecipientCounter[] {
  const { kind, text } = limited;
  const channelsTo = channels.filter((channel) => recipientOf[channel] === kind);
  const named = (purpose: RequestedKind | '') => sendCounters({ purpose, recipient: text, ip: '', policy: allOn });
  const sendRules = channelsTo.flatMap((channel) => sends[channel].perRecipient);
  const failureRules = channelsTo.flatMap((channel) => otp[channel].failuresPerRecipient);
  const { failuresId, reserveId, deviceReserveId } = budgetIds(text);
  return [
    ...kindsSentBy(channelsTo).map((purpose) =>
      pauseCounter(purpose, text, named(purpose).pause ?? '', sends[requestedKinds[purpose].channel]),
    ),
    counter('sends', 'messages to this recipient', named('').recipient ?? '', sendRules),
    ...(limited.kind === 'phone'
      ? [counter('alike', 'messages to similar numbers', prefixId(limited.text), brake.perPrefix)]
      : []),
    counter('failures', 'wrong codes', failuresId, failureRules),
    counter('reserve', 'wrong codes by clients that requested one', reserveId, [reserveRule], hitsOfReserve),
    ...(kind === 'phone' ? [counter('devices', 'wrong codes on known devices', deviceReserveId, [reserveRule])] : []),
  ];
}

/** Whom a message of each channel goes to. */
const recipientOf: PerChannel<RecipientKind> = { sms: 'phone', mail: 'email' };

function kindsSentBy(some: readonly Channel[]): RequestedKind[] {
  const all = Object.keys(requestedKinds) as RequestedKind[];
  return all.filter((requested) => some.includes(requestedKinds[requested].channel));
}

function pauseCounter(purpose: RequestedKind, recipient: Recipient, id: string, policy: SendPolicy): RecipientCounter {
  const pausesOnly = { ...policy, perRecipient: [], perIp: [] };
  return {
    kind: 'pause',
    name: `pause after ${purpose}`,
    id,
    read: (value, now) => {
      const refusal = refuseSend({ purpose, recipient, ip: '', policy: pausesOnly, now }, () => value);
      return { ...readHits(asHits(value)), blockedSeconds: refusal?.detail.retryAfterSeconds ?? 0 };
    },
  };
}

function counter(
  kind: LimitKind,
  name: string,
  id: string,
  rules: readonly LimitRule[],
  toHits: (value: unknown) => Hits = asHits,
): RecipientCounter {
  const read: LimitCounter['read'] = (value, now) => ({
    ...readHits(toHits(value)),
    blockedSeconds: findBlock(toHits(value), rules, now)?.retryAfterSeconds ?? 0,
  });
  return { kind, name, id, read };
}

function asHits(value: unknown): Hits {
  return (value ?? []) as Hits;
}

function readHits(hits: Hits) {
  return { hits: hits.length, lastAt: hits.at(-1) };
}
