// Stores the session of the client: the tokens in header mode, only their times in cookie mode.
import type { Calls } from './api-types.ts';
import type { Events, SignOutReason } from './events.ts';
import { newKey } from './new-key.ts';
import type { Storage } from './storage.ts';

export type SessionRecord = {
  /** The ID of the access token: each renewal changes it. */
  readonly id: string;
  readonly session: string;
  /** Unknown for a session that an older version has stored, until its next renewal. */
  readonly user?: string;
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly refreshAt: number;
  readonly expiresAt: number;
  /** Set in header mode only. */
  readonly tokens?: Calls['refreshTokenPair']['data'];
};

export type SessionKeeper = {
  read(): Promise<SessionRecord | undefined>;
  keep(pair: Calls['refreshTokenPair']['data']): Promise<SessionRecord>;
  /**
   * Removes the session and emits `signed-out`, unless another tab already did so or a new session has started. A session of cookies
   * that this client has not started is not stored: its end is reported too.
   */
  end(seen: SessionRecord | undefined, reason: SignOutReason): Promise<void>;
};

type Claims = { jti: string; sid: string; sub: string; iat: number; exp: number };

type Parts = { readonly storage: Storage; readonly key: string; readonly isCookie: boolean; readonly events: Events };

/** The token is renewed before use once this part of its lifetime has passed. */
const renewAfter = 0.8;

/** Every call reads the storage, because other tabs write to it too. */
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
      const isUnknown = isCookie && seen === undefined && reason !== 'ended';
      if (current?.session !== seen?.session || (seen === undefined && !isUnknown)) return;
      await storage.remove(key);
      events.emit({ kind: 'signed-out', session: seen?.session ?? newKey(), reason });
    },
  };
}

/** Uses the clock of this machine and the lifetime of the token, because the clock of the service may differ. */
function timesOf(accessToken: string): SessionRecord {
  const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const { jti, sid, sub, iat, exp } = JSON.parse(atob(payload)) as Claims;
  const lifetime = (exp - iat) * 1000;
  const now = Date.now();
  return { id: jti, session: sid, user: sub, refreshAt: now + lifetime * renewAfter, expiresAt: now + lifetime };
}

function parseRecord(text: string | null | undefined): SessionRecord | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null && 'session' in value ? (value as SessionRecord) : undefined;
  } catch {
    return undefined;
  }
}
