// What the client remembers of its session: the tokens in header mode, only their times in cookie mode.
import type { Calls } from './api-types.ts';
import type { Events, SignOutReason } from './events.ts';
import type { Storage } from './storage.ts';

export type SessionRecord = {
  /** Differs from one access token to the next. */
  readonly id: string;
  readonly session: string;
  readonly refreshAt: number;
  readonly expiresAt: number;
  /** Never there in cookie mode. */
  readonly tokens?: Calls['refreshTokenPair']['data'];
};

export type SessionKeeper = {
  read(): Promise<SessionRecord | undefined>;
  keep(pair: Calls['refreshTokenPair']['data']): Promise<SessionRecord>;
  /** Forgets the session and tells of it, unless another has begun or somebody else did so. */
  end(seen: SessionRecord | undefined, reason: SignOutReason): Promise<void>;
};

type Parts = { readonly storage: Storage; readonly key: string; readonly isCookie: boolean; readonly events: Events };

/** Of an access token's life, after which it is renewed before it is used. */
const freshPart = 0.8;

/** The storage is the only truth, because other tabs write to it too. */
export function createSessionKeeper({ storage, key, isCookie, events }: Parts): SessionKeeper {
  const read = async () => parseRecord(await storage.get(key));
  return {
    read,
    keep: async (pair) => {
      const record = { ...timesOf(pair.JWT), ...(!isCookie && { tokens: pair }) };
      await storage.set(key, JSON.stringify(record));
      return record;
    },
    end: async (seen, reason) => {
      const current = await read();
      if (seen === undefined || current?.session !== seen.session) return;
      await storage.remove(key);
      events.tell({ kind: 'signed-out', session: seen.session, reason });
    },
  };
}

/** By this machine's clock, and by the token's length of life alone: the service's clock may be another. */
function timesOf(accessToken: string): SessionRecord {
  const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const { jti, sid, iat, exp } = JSON.parse(atob(payload)) as { jti: string; sid: string; iat: number; exp: number };
  const life = (exp - iat) * 1000;
  return { id: jti, session: sid, refreshAt: Date.now() + life * freshPart, expiresAt: Date.now() + life };
}

function parseRecord(text: string | null | undefined): SessionRecord | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null && 'session' in value ? (value as SessionRecord) : undefined;
  } catch {
    return undefined;
  }
}
