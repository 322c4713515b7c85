// A simple model of sessions: their tokens, when and how their user was proved, and how they end.
import { day, second, type Verdict } from './codes.ts';

export type Proof = 'sms' | 'link' | 'email';

export type ModelSession = {
  readonly id: string;
  readonly userId: string;
  /** Refresh tokens by their place in the chain; the last one is the newest. */
  readonly tokens: string[];
  /** The newest access token, and what it says. */
  accessToken: string;
  accessEndsAt: number;
  provedAt: number;
  proof: Proof;
  rotatedAt: number;
  /** When a token was first repeated after the grace period, by the place of the token. */
  readonly late: Map<number, number>;
  lastUsedAt: number;
  idlesAt: number;
  readonly endsAt: number;
  end?: 'expired' | 'revoked';
};

type Tokens = { readonly JWT: string; readonly RT: string };

/** How old a proof may be. */
const recent = 600 * second;

export const sessionSettings = { SESSIONS_PER_USER: '3' };

/** Tokens count in whole seconds. */
function accessEnd(now: number): number {
  return (Math.floor(now / second) + 900) * second;
}

export function createSessions(now: () => number) {
  const sessions: ModelSession[] = [];
  const aliveOf = (userId: string) => sessions.filter((one) => one.userId === userId && one.end === undefined);

  const begin = (userId: string, id: string, proof: Proof, { JWT, RT }: Tokens): void => {
    const oldest = aliveOf(userId).sort((a, b) => a.lastUsedAt - b.lastUsedAt);
    for (const session of oldest.slice(0, Math.max(0, oldest.length - 2))) session.end = 'revoked';
    const times = { provedAt: now(), rotatedAt: now(), lastUsedAt: now(), idlesAt: now() + 30 * day, late: new Map() };
    const access = { accessToken: JWT, accessEndsAt: accessEnd(now()) };
    sessions.push({ id, userId, tokens: [RT], proof, ...times, ...access, endsAt: now() + 180 * day });
  };

  /** All clients of the model are one device. It may need a late repeat for three tokens in a day. */
  const mayBeLate = ({ tokens, late }: ModelSession): boolean =>
    late.has(tokens.length - 2) || [...late.values()].filter((at) => at > now() - day).length < 3;

  /** What a refresh token is worth, and what it does to its session. `back`: 0 for the newest, 1 for the one before it. */
  const present = (session: ModelSession, back: number): Verdict => {
    if (session.end !== undefined)
      return session.end === 'expired' ? '401 REFRESH_TOKEN_EXPIRED' : '401 SESSION_REVOKED';
    if (now() >= Math.min(session.idlesAt, session.endsAt)) {
      session.end = 'expired';
      return '401 REFRESH_TOKEN_EXPIRED';
    }
    if (back === 0 || (back === 1 && (now() - session.rotatedAt <= 30 * second || mayBeLate(session)))) return '200';
    session.end = 'revoked';
    return '401 REFRESH_TOKEN_REUSED';
  };

  /** The pair that a refresh or a proof answers. */
  const renew = (session: ModelSession, back: number, { JWT, RT }: Tokens): void => {
    if (back === 0) {
      Object.assign(session, { rotatedAt: now(), lastUsedAt: now() });
      session.idlesAt = Math.min(now() + 30 * day, session.endsAt);
      session.tokens.push(RT);
    }
    const isLate = back === 1 && now() - session.rotatedAt > 30 * second;
    const place = session.tokens.length - 2;
    if (isLate && !session.late.has(place)) session.late.set(place, now());
    Object.assign(session, { accessToken: JWT, accessEndsAt: accessEnd(now()) });
  };

  const use = (session: ModelSession): Verdict => {
    if (now() >= session.accessEndsAt + 30 * second) return '401 ACCESS_TOKEN_EXPIRED';
    return session.end === undefined ? '200' : '401 SESSION_REVOKED';
  };

  /** Access tokens tell the time of the proof in whole seconds. */
  const isRecent = ({ provedAt }: ModelSession) => now() - Math.floor(provedAt / second) * second <= recent;

  /** A session that had expired stays expired. Returns those that were alive. */
  const end = (ended: readonly ModelSession[]): ModelSession[] =>
    ended.filter((session) => {
      const wasAlive = now() < session.idlesAt;
      session.end = wasAlive ? 'revoked' : 'expired';
      return wasAlive;
    });

  return {
    list: sessions,
    aliveOf,
    begin,
    present,
    renew,
    use,
    isRecent,
    /** The verdict of a guard that requires a recent sign-in. */
    useRecently: (session: ModelSession): Verdict => {
      const verdict = use(session);
      return verdict !== '200' || isRecent(session) ? verdict : '403 RECENT_SIGN_IN_REQUIRED';
    },
    end,
    /** All sessions of the user, or all but one, whether or not they had expired. */
    revokeAll: (userId: string, except?: ModelSession): void => {
      for (const session of aliveOf(userId)) if (session !== except) session.end = 'revoked';
    },
    /** The sessions that their user sees. */
    shownTo: (userId: string) => aliveOf(userId).filter((session) => now() < session.idlesAt),
  };
}
