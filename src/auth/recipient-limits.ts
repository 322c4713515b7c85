// Which counters hold a recipient or a caller back, by what they are called, and how each is judged.
import type { Hits, LimitRule } from '../guard/limits.ts';
import { findBlock } from '../guard/limits.ts';
import { refuseSend, type SendPolicy, sendLimitIds } from '../guard/sends.ts';
import { prefixId } from '../guard/sms-brake.ts';
import { Failure } from '../kernel/failure.ts';
import { maskEmail, maskPhone } from '../kernel/mask.ts';
import { failuresId } from './challenge.ts';
import type { AuthDeps } from './deps.ts';
import { parseEmailAddress } from './email-address.ts';
import type { User } from './user.ts';

/** Whom a limit is about; an address is that of a caller, as the limits know it. */
export type LimitSubject = { readonly kind: 'phone' | 'email' | 'address'; readonly text: string };

export type LimitPolicies = Pick<AuthDeps, 'sends' | 'otp' | 'brake'>;

/** What a counter counts. */
export type LimitKind = 'pause' | 'sends' | 'alike' | 'failures' | 'address';

export type Counter = {
  readonly kind: LimitKind;
  readonly name: string;
  readonly id: string;
  /** Seconds until it lets something through again; 0 where it does now. */
  blockedSeconds(hits: Hits, now: number): number;
};

/** Names every counter, also one that is switched off by now and still remembers. */
const allOn: SendPolicy = {
  resendAfterSeconds: [1],
  perRecipient: [{ count: 1, windowSeconds: 1 }],
  perIp: [{ count: 1, windowSeconds: 1 }],
};

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

export function countersOf({ kind, text }: LimitSubject, { sends, otp, brake }: LimitPolicies): Counter[] {
  if (kind === 'address') {
    const { ip = '' } = idsFor('', '', text);
    const rules = [...sends.sms.perIp, ...sends.mail.perIp];
    return [counter('address', 'messages asked for from this address', ip, rules)];
  }
  const policy = kind === 'phone' ? sends.sms : sends.mail;
  const purposes = kind === 'phone' ? ['phone-login'] : ['email-binding', 'login-link'];
  const { recipient = '' } = idsFor('', text, '');
  const pauses = purposes.map((purpose): Counter => {
    const { pause = '' } = idsFor(purpose, text, '');
    return {
      kind: 'pause',
      name: `pause after ${purpose}`,
      id: pause,
      blockedSeconds: (hits, now) => {
        const wish = { purpose, recipient: text, ip: '', policy: { ...policy, perRecipient: [], perIp: [] }, now };
        return refuseSend(wish, { pause: hits })?.detail.retryAfterSeconds ?? 0;
      },
    };
  });
  const { failuresPerRecipient } = kind === 'phone' ? otp.sms : otp.mail;
  return [
    ...pauses,
    counter('sends', 'messages to this recipient', recipient, policy.perRecipient),
    ...(kind === 'phone' ? [counter('alike', 'messages to numbers like it', prefixId(text), brake.perPrefix)] : []),
    counter('failures', 'wrong codes', failuresId(text), failuresPerRecipient),
  ];
}

function counter(kind: LimitKind, name: string, id: string, rules: readonly LimitRule[]): Counter {
  return { kind, name, id, blockedSeconds: (hits, now) => findBlock(hits, rules, now)?.retryAfterSeconds ?? 0 };
}

function idsFor(purpose: string, recipient: string, ip: string) {
  return sendLimitIds({ purpose, recipient, ip, policy: allOn, now: 0 });
}
