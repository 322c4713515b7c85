// A simple model of one-time codes: when one may be sent, what a guess is charged to, and when it proves its recipient.

export type Verdict = '200' | '202' | `${number} ${string}`;

export const second = 1000;
const hour = 3600 * second;
export const day = 24 * hour;

/** Whom a code is for. A code of one purpose proves nothing else. */
export type Subject = {
  readonly purpose: 'phone-login' | 'login-link' | 'proof-phone' | 'phone-change' | 'email-binding' | 'proof-email';
  readonly recipient: string;
  readonly userId?: string;
};

/** Who tries a code: a client that requested one, a device on which users signed in, or a stranger. */
export type Guesser = { readonly ask?: Ask | undefined; readonly device?: Device | undefined };

/** A client that requested a code, by the token of the answer. */
export type Ask = { readonly token: string; readonly subject: Subject; readonly endsAt: number };

export type Device = {
  readonly token: string;
  readonly userId: string;
  readonly phone: string | undefined;
  readonly endsAt: number;
};

type Challenge = {
  readonly state: 'pending' | 'consumed' | 'phantom';
  readonly attempts: Readonly<Record<Who, number>>;
  readonly openedAt: number;
  readonly expiresAt: number;
  /** Of the latest message. */
  readonly sentAt: number;
  /** Empty until the message has arrived. */
  readonly code: string;
};

type Who = 'stranger' | 'asker' | 'device';

type Budget = { failures: number[]; devices: number[]; reserve: { at: number; token: string }[] };

export const codeSettings = {
  OTP_RESEND_AFTER: '30s,60s,120s,300s',
  LIMIT_SENDS_PER_RECIPIENT: '9/1h,30/24h',
};

const pauses = [30, 60, 120, 300];
const limits = [
  { count: 9, window: hour },
  { count: 30, window: day },
];
const noAttempts = { stranger: 0, asker: 0, device: 0 };

export function lifeOf({ recipient }: Subject): number {
  return (recipient.includes('@') ? 600 : 300) * second;
}

const capOf = ({ recipient }: Subject) => (recipient.includes('@') ? 900 : 600) * second;

const keyOf = ({ purpose, recipient, userId = '' }: Subject) => `${purpose} ${recipient} ${userId}`;

export function isSameSubject(one: Subject, other: Subject): boolean {
  return keyOf(one) === keyOf(other);
}

export function createCodes(now: () => number) {
  const challenges = new Map<string, Challenge>();
  const sends = new Map<string, number[]>();
  const resends = new Map<string, number[]>();
  const budgets = new Map<string, Budget>();

  /** Seconds until a limit of messages to one recipient allows another one. */
  const limitLeft = (recipient: string) =>
    Math.max(
      ...limits.map(({ count, window }) => {
        const recent = (sends.get(recipient) ?? []).filter((time) => time > now() - window);
        const oldest = recent[recent.length - count];
        return oldest === undefined ? 0 : Math.ceil((oldest + window - now()) / second);
      }),
    );

  /** The messages of one purpose to one recipient. After an hour without one the pauses start over. */
  const chainOf = (subject: Subject) => {
    const chain = resends.get(`${subject.purpose} ${subject.recipient}`) ?? [];
    return now() - (chain.at(-1) ?? 0) >= hour ? [] : chain;
  };

  const admit = (subject: Subject): Verdict => {
    const chain = chainOf(subject);
    const pause = pauses[Math.min(chain.length, pauses.length) - 1] ?? 0;
    const cool = Math.max(0, Math.ceil(((chain.at(-1) ?? 0) + pause * second - now()) / second));
    const limit = limitLeft(subject.recipient);
    if (limit > 0 && limit >= cool) return '429 OTP_SEND_LIMIT';
    if (cool > 0) return '429 OTP_RESEND_TOO_SOON';
    sends.set(subject.recipient, [...(sends.get(subject.recipient) ?? []), now()]);
    resends.set(`${subject.purpose} ${subject.recipient}`, [...chain, now()]);
    return '200';
  };

  const send = (subject: Subject): Verdict => {
    const verdict = admit(subject);
    if (verdict !== '200') return verdict;
    const known = challenges.get(keyOf(subject));
    const isOpen = known?.state === 'pending' && Math.max(...Object.values(known.attempts)) < 5;
    const expiresAt = now() + lifeOf(subject);
    challenges.set(
      keyOf(subject),
      isOpen && now() < known.expiresAt
        ? { ...known, sentAt: now(), expiresAt: Math.min(expiresAt, known.openedAt + capOf(subject)) }
        : { state: 'pending', attempts: noAttempts, openedAt: now(), expiresAt, sentAt: now(), code: '' },
    );
    return '200';
  };

  const budgetOf = (recipient: string): Budget => {
    const { failures, devices, reserve } = budgets.get(recipient) ?? { failures: [], devices: [], reserve: [] };
    const isRecent = (at: number) => at > now() - day;
    const recent = {
      failures: failures.filter(isRecent),
      devices: devices.filter(isRecent),
      reserve: reserve.filter(({ at }) => isRecent(at)),
    };
    budgets.set(recipient, recent);
    return recent;
  };

  /** Fifteen a day for all. Five more for known devices, and five for clients that requested a code, two for each of them. */
  const chargeTo = ({ failures, devices, reserve }: Budget, token: string | undefined, hasDevice: boolean) => {
    if (failures.length < 15) return () => failures.push(now());
    if (hasDevice && devices.length < 5) return () => devices.push(now());
    const own = reserve.filter((used) => used.token === token).length;
    if (token !== undefined && reserve.length < 5 && own < 2) return () => reserve.push({ at: now(), token });
    return undefined;
  };

  /** What an attempt is counted on: the code that was sent, or one that nobody can know. */
  const currentOf = (subject: Subject, who: Who): Challenge => {
    const known = challenges.get(keyOf(subject));
    const isOver =
      known !== undefined && now() >= known.expiresAt && (known.state === 'phantom' || known.attempts[who] >= 5);
    if (known !== undefined && known.state !== 'consumed' && !isOver) return known;
    const times = { openedAt: now(), expiresAt: now() + lifeOf(subject), sentAt: 0 };
    return { state: 'phantom', attempts: noAttempts, code: '', ...times };
  };

  /** 200: the code proved its recipient and is used up. */
  const guess = (subject: Subject, isRight: boolean, guesser: Guesser): Verdict => {
    const { token, hasDevice } = readGuesser(subject, guesser, now());
    const pay = chargeTo(budgetOf(subject.recipient), token, hasDevice);
    if (pay === undefined) return '429 OTP_ATTEMPTS_EXCEEDED';
    const who = hasDevice ? 'device' : token === undefined ? 'stranger' : 'asker';
    const current = currentOf(subject, who);
    if (current.attempts[who] < 5) {
      const attempts = { ...current.attempts, [who]: current.attempts[who] + 1 };
      const isPending = isRight && current.state === 'pending';
      const isProved = isPending && now() < current.expiresAt;
      challenges.set(keyOf(subject), { ...current, attempts, state: isProved ? 'consumed' : current.state });
      if (isProved) return '200';
      pay();
      return isPending ? '400 OTP_EXPIRED' : '400 OTP_INVALID';
    }
    return '429 OTP_ATTEMPTS_EXCEEDED';
  };

  return {
    admit,
    send,
    guess,
    /** The newest code that has arrived; undefined if there is none. */
    codeFor: (subject: Subject): string | undefined => challenges.get(keyOf(subject))?.code || undefined,
    /** A message with the code has arrived. Messages during the life of a code repeat it. */
    arrive: (subject: Subject, code: string): boolean => {
      const known = challenges.get(keyOf(subject));
      if (known === undefined || (known.code !== '' && known.code !== code)) return false;
      challenges.set(keyOf(subject), { ...known, code });
      return true;
    },
    /** When the latest message with a code that is not used up was requested; 0 if there is none. */
    sentAt: (subject: Subject): number => {
      const known = challenges.get(keyOf(subject));
      return known?.state === 'pending' ? known.sentAt : 0;
    },
  };
}

/** The token of another subject, or one that has ended, is none; so is the device of another number. */
function readGuesser(subject: Subject, { ask, device }: Guesser, now: number) {
  const isAsker = ask !== undefined && now < ask.endsAt && isSameSubject(ask.subject, subject);
  const isDevice = device !== undefined && now < device.endsAt && device.phone === subject.recipient;
  return { token: isAsker ? ask.token : undefined, hasDevice: isDevice };
}

export function isAskedFor(subject: Subject, ask: Ask | undefined, now: number): boolean {
  return readGuesser(subject, { ask }, now).token !== undefined;
}
