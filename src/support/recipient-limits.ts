// Which counters hold a recipient or a caller back, by what they are called, and how each is judged.
import { type CallerCounter, callerCounters, findCounterBlock, readCounter } from '../abuse/caller-limits.ts';
import type { Hits, LimitRule } from '../abuse/limits.ts';
import { findBlock } from '../abuse/limits.ts';
import { refuseSend, type SendPolicy, sendCounters, sendsByCaller } from '../abuse/sends.ts';
import { prefixId } from '../abuse/sms-brake.ts';
import { failuresByCaller, hitsOfReserve, reserveId, reserveRule } from '../auth/attempt-budget.ts';
import { failuresId } from '../auth/challenge.ts';
import type { AuthDeps } from '../auth/deps.ts';
import { parseEmailAddress } from '../auth/email-address.ts';
import type { User } from '../auth/user.ts';
import { Failure } from '../kernel/failure.ts';
import { maskEmail, maskPhone } from '../kernel/mask.ts';

/** Whom a limit is about; an address is that of a caller, as the limits know it. */
export type LimitSubject = { readonly kind: 'phone' | 'email' | 'address'; readonly text: string };

export type LimitPolicies = Pick<AuthDeps, 'sends' | 'otp' | 'brake'>;

/** What a counter counts. */
export const limitKinds = ['pause', 'sends', 'alike', 'failures', 'reserve', 'address', 'network', 'guesses'] as const;

export type LimitKind = (typeof limitKinds)[number];

export type CounterReading = {
  readonly hits: number;
  readonly lastAt: number | undefined;
  /** Seconds until it lets something through again; 0 where it does now. */
  readonly blockedSeconds: number;
};

export type LimitCounter = {
  readonly kind: LimitKind;
  readonly name: string;
  readonly id: string;
  /** Told what the store holds for it. */
  read(value: unknown, now: number): CounterReading;
};

const anyRule = [{ count: 1, windowSeconds: 1 }];

/** Names every counter, also one that is switched off by now and still remembers. */
const allOn: SendPolicy = { resendAfterSeconds: [1], perRecipient: anyRule, perIp: anyRule };

export function readLimitSubject(text: string, toCaller: (text: string) => string | undefined): LimitSubject {
  const plain = text.trim();
  if (plain.includes('@')) return { kind: 'email', text: parseEmailAddress(plain).key };
  const number = plain.replaceAll(/[\s\-.()]/g, '');
  if (/^\+\d{4,18}$/.test(number)) return { kind: 'phone', text: number };
  const caller = toCaller(plain);
  if (caller === undefined) throw new Failure('REQUEST_INVALID', { field: 'whom' });
  return { kind: 'address', text: caller };
}

export function subjectsOf({ phone, email }: User): LimitSubject[] {
  return [
    { kind: 'phone', text: phone },
    ...(email === undefined ? [] : [{ kind: 'email', text: email.toLowerCase() } as const]),
  ];
}

export function maskSubject({ kind, text }: LimitSubject): string {
  if (kind === 'address') return text;
  return kind === 'phone' ? maskPhone(text) : maskEmail(text);
}

export function countersOf({ kind, text }: LimitSubject, policies: LimitPolicies): LimitCounter[] {
  return kind === 'address' ? callerCountersOf(text, policies) : recipientCountersOf(kind, text, policies);
}

function callerCountersOf(ip: string, { sends, otp }: LimitPolicies): LimitCounter[] {
  const perIp = [...sends.sms.perIp, ...sends.mail.perIp];
  return [
    ...ofCaller(callerCounters(sendsByCaller, ip, orAny(perIp)), 'messages asked for from', 'address', 'network'),
    ...ofCaller(
      callerCounters(failuresByCaller, ip, orAny(otp.sms.failuresPerCaller)),
      'wrong codes from',
      'guesses',
      'guesses',
    ),
  ];
}

/** A counter whose limit is off still has a name, and blocks nobody. */
function orAny(rules: readonly LimitRule[]): readonly LimitRule[] {
  return rules.length > 0 ? rules : [{ count: Number.MAX_SAFE_INTEGER / 100, windowSeconds: 86_400 }];
}

function ofCaller(counters: readonly CallerCounter[], what: string, own: LimitKind, wider: LimitKind): LimitCounter[] {
  return counters.map((counter) => ({
    kind: counter.isWide ? wider : own,
    name: `${what} ${counter.isWide ? counter.network : 'this address'}`,
    id: counter.id,
    read: (value, now) => ({
      ...readCounter(counter, value, now),
      blockedSeconds: findCounterBlock(counter, value, now)?.retryAfterSeconds ?? 0,
    }),
  }));
}

function recipientCountersOf(
  kind: 'phone' | 'email',
  text: string,
  { sends, otp, brake }: LimitPolicies,
): LimitCounter[] {
  const policy = kind === 'phone' ? sends.sms : sends.mail;
  const purposes = kind === 'phone' ? ['phone-login'] : ['email-binding', 'login-link'];
  const named = (purpose: string) => sendCounters({ purpose, recipient: text, ip: '', policy: allOn });
  const { failuresPerRecipient } = kind === 'phone' ? otp.sms : otp.mail;
  return [
    ...purposes.map((purpose) => pauseCounter(purpose, text, named(purpose).pause ?? '', policy)),
    counter('sends', 'messages to this recipient', named('').recipient ?? '', policy.perRecipient),
    ...(kind === 'phone' ? [counter('alike', 'messages to numbers like it', prefixId(text), brake.perPrefix)] : []),
    counter('failures', 'wrong codes', failuresId(text), failuresPerRecipient),
    counter('reserve', 'wrong codes of those who asked', reserveId(text), [reserveRule], hitsOfReserve),
  ];
}

function pauseCounter(purpose: string, recipient: string, id: string, policy: SendPolicy): LimitCounter {
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
): LimitCounter {
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
