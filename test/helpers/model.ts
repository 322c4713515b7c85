// A simple model of codes and sessions, without a store, a network or secrets. The service is compared with it, call by call.

export type Verdict = '200' | `${number} ${string}`;

export type ModelSession = {
  /** Refresh tokens by their place in the chain; the last one is the newest. */
  readonly tokens: string[];
  accessToken: string;
  accessEndsAt: number;
  rotatedAt: number;
  lastUsedAt: number;
  idlesAt: number;
  readonly endsAt: number;
  end?: 'expired' | 'revoked';
};

type Challenge = {
  state: 'pending' | 'consumed' | 'phantom';
  /** Guesses of strangers, and of callers who requested the code. */
  attempts: { stranger: number; asker: number };
  openedAt: number;
  expiresAt: number;
};

/** A caller who requested a code, by the token of the answer, and the time until which the token is valid. */
export type Ask = { readonly token: string; readonly endsAt: number };

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;

export const modelSettings = {
  SESSIONS_PER_USER: '3',
  OTP_RESEND_AFTER: '30s,60s,120s,300s',
  LIMIT_SENDS_PER_RECIPIENT: '5/1h,10/24h',
};

export function createModel(phone: string, now: () => number) {
  let code = '';
  let challenge: Challenge | undefined;
  let failures: number[] = [];
  let reserve: { at: number; token: string }[] = [];
  const sends: number[] = [];
  let pauses: number[] = [];
  const sessions: ModelSession[] = [];
  const alive = () => sessions.filter((session) => session.end === undefined);

  /** Seconds until a limit of that many sends per window allows another one. */
  const waitFor = (count: number, window: number) => {
    const recent = sends.filter((time) => time > now() - window);
    const oldest = recent[recent.length - count];
    return oldest === undefined ? 0 : Math.ceil((oldest + window - now()) / second);
  };

  const send = (): Verdict => {
    const last = pauses.at(-1);
    if (last !== undefined && now() - last >= hour) pauses = [];
    const pause = [0, 30, 60, 120, 300][Math.min(pauses.length, 4)] ?? 0;
    const limit = Math.max(waitFor(5, hour), waitFor(10, day));
    const cool = Math.max(0, Math.ceil(((pauses.at(-1) ?? 0) + pause * second - now()) / second));
    if (limit > 0 && limit >= cool) return '429 OTP_SEND_LIMIT';
    if (cool > 0) return '429 OTP_RESEND_TOO_SOON';
    sends.push(now());
    pauses.push(now());
    const lives = challenge?.state === 'pending' && mayGoOn(challenge) && now() < challenge.expiresAt;
    const expiresAt = now() + 300 * second;
    challenge =
      lives && challenge !== undefined
        ? { ...challenge, expiresAt: Math.min(expiresAt, challenge.openedAt + 600 * second) }
        : { state: 'pending', attempts: { stranger: 0, asker: 0 }, openedAt: now(), expiresAt };
    if (!lives) code = '';
    return '200';
  };

  /** Fifteen a day for all callers. Five more for callers who requested the code, two for each of them. */
  const hasRoom = (token: string | undefined): boolean => {
    failures = failures.filter((time) => time > now() - day);
    reserve = reserve.filter(({ at }) => at > now() - day);
    if (failures.length < 15) return true;
    return token !== undefined && reserve.length < 5 && reserve.filter((used) => used.token === token).length < 2;
  };

  const guess = (isRight: boolean, ask?: Ask): Verdict => {
    const token = ask !== undefined && now() < ask.endsAt ? ask.token : undefined;
    const who = token === undefined ? 'stranger' : 'asker';
    if (!hasRoom(token)) return '429 OTP_ATTEMPTS_EXCEEDED';
    const known = challenge;
    const isOver =
      known !== undefined && now() >= known.expiresAt && (known.state === 'phantom' || known.attempts[who] >= 5);
    if (known === undefined || known.state === 'consumed' || isOver) {
      const attempts = { stranger: 0, asker: 0 };
      challenge = { state: 'phantom', attempts, openedAt: now(), expiresAt: now() + 300 * second };
    }
    const current = challenge as Challenge;
    if (current.attempts[who] >= 5) return '429 OTP_ATTEMPTS_EXCEEDED';
    current.attempts[who] += 1;
    if (isRight && current.state === 'pending' && now() < current.expiresAt) {
      current.state = 'consumed';
      return '200';
    }
    if (failures.length < 15) failures.push(now());
    else reserve.push({ at: now(), token: token ?? '' });
    return isRight && current.state === 'pending' ? '400 OTP_EXPIRED' : '400 OTP_INVALID';
  };

  const begin = (accessToken: string, refreshToken: string): void => {
    const oldest = alive().sort((a, b) => a.lastUsedAt - b.lastUsedAt);
    for (const session of oldest.slice(0, Math.max(0, oldest.length - 2))) session.end = 'revoked';
    const times = { rotatedAt: now(), lastUsedAt: now(), idlesAt: now() + 30 * day, endsAt: now() + 180 * day };
    sessions.push({ tokens: [refreshToken], accessToken, accessEndsAt: accessEnd(now()), ...times });
  };

  /** `back`: 0 for the newest token, 1 for the one before it, and so on. */
  const refresh = (session: ModelSession, back: number): Verdict => {
    if (session.end !== undefined)
      return session.end === 'expired' ? '401 REFRESH_TOKEN_EXPIRED' : '401 SESSION_REVOKED';
    if (now() >= Math.min(session.idlesAt, session.endsAt)) {
      session.end = 'expired';
      return '401 REFRESH_TOKEN_EXPIRED';
    }
    if (back === 0) {
      Object.assign(session, { rotatedAt: now(), lastUsedAt: now() });
      session.idlesAt = Math.min(now() + 30 * day, session.endsAt);
      return '200';
    }
    if (back === 1 && now() - session.rotatedAt <= 30 * second) return '200';
    session.end = 'revoked';
    return '401 REFRESH_TOKEN_REUSED';
  };

  const use = (session: ModelSession): Verdict => {
    if (now() >= session.accessEndsAt + 30 * second) return '401 ACCESS_TOKEN_EXPIRED';
    return session.end === undefined ? '200' : '401 SESSION_REVOKED';
  };

  const signOut = (session: ModelSession, scope: 'local' | 'others' | 'global'): Verdict => {
    const verdict = use(session);
    if (verdict !== '200') return verdict;
    for (const other of alive()) {
      if (scope === 'global' || (scope === 'local') === (other === session)) other.end = 'revoked';
    }
    return '200';
  };

  return {
    phone,
    asks: [] as Ask[],
    sessions,
    send,
    guess,
    begin,
    refresh,
    use,
    signOut,
    get code() {
      return code;
    },
    set code(digits: string) {
      code = digits;
    },
  };
}

function mayGoOn({ attempts }: Challenge): boolean {
  return attempts.stranger < 5 && attempts.asker < 5;
}

export type Model = ReturnType<typeof createModel>;

/** Tokens count in whole seconds. */
export function accessEnd(now: number): number {
  return (Math.floor(now / second) + 900) * second;
}
