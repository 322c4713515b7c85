// Calls with the access token: renewed before it ends, and once more when the service refuses it.
import { GatehouseError, toGatehouseError } from './gatehouse-error.ts';
import { retry } from './retry.ts';
import type { SessionKeeper, SessionRecord } from './session-keeper.ts';
import type { Lock } from './tab-lock.ts';
import type { Wire } from './wire.ts';

export type Access = {
  /** Renews the pair, unless another call or tab has just done so. */
  renew(seen: SessionRecord | undefined): Promise<void>;
  /** The session with a token that still lives, renewed if its time has come; undefined where none is known. */
  ready(): Promise<SessionRecord | undefined>;
  /** Runs a call with the headers that it needs, and once more after renewing if its token is refused. */
  run<T>(call: (headers: Record<string, string>) => Promise<T>): Promise<T>;
};

type Parts = {
  readonly wire: Wire;
  readonly keeper: SessionKeeper;
  readonly lock: Lock;
  readonly isCookie: boolean;
};

export function createAccess({ wire, keeper, lock, isCookie }: Parts): Access {
  let underWay: Promise<void> | undefined;

  const renewAlone = async (seen: SessionRecord | undefined): Promise<void> => {
    const current = await keeper.read();
    const isRenewed = current !== undefined && current.id !== seen?.id && current.expiresAt > Date.now();
    if (isRenewed) return;
    if (!isCookie && current?.tokens === undefined) throw nobody();
    try {
      const headers: Record<string, string> = current?.tokens === undefined ? {} : { RT: current.tokens.RT };
      const pair = await retry(() => wire('refreshTokenPair', { headers }));
      // Signed out, or in as somebody else, while the answer was on its way.
      if ((await keeper.read())?.session === current?.session) await keeper.keep(pair);
    } catch (error) {
      if (toGatehouseError(error).status === 401) await keeper.end(current, 'ended');
      throw error;
    }
  };

  const renew = (seen: SessionRecord | undefined): Promise<void> => {
    underWay ??= lock(() => renewAlone(seen)).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };

  const ready = async (): Promise<SessionRecord | undefined> => {
    const record = await keeper.read();
    if (record === undefined || Date.now() < record.refreshAt) return record;
    try {
      await renew(record);
    } catch (error) {
      // The old token may do for now: a service that cannot renew at the moment signs nobody out.
      if (toGatehouseError(error).status === 401 || Date.now() >= record.expiresAt) throw error;
    }
    return keeper.read();
  };

  const attempt = async <T>(
    record: SessionRecord | undefined,
    call: (headers: Record<string, string>) => Promise<T>,
  ): Promise<T> => {
    try {
      return await call(headersOf(record));
    } catch (error) {
      if (toGatehouseError(error).code === 'SESSION_REVOKED') await keeper.end(record, 'ended');
      throw error;
    }
  };

  return {
    renew,
    ready,
    run: async (call) => {
      const record = await ready();
      try {
        return await attempt(record, call);
      } catch (error) {
        const canRenew = isCookie || record !== undefined;
        if (!canRenew || !isTokenRefused(toGatehouseError(error))) throw error;
        await renew(record);
        return await attempt(await keeper.read(), call);
      }
    },
  };
}

export function headersOf(record: SessionRecord | undefined): Record<string, string> {
  return record?.tokens === undefined ? {} : { authorization: `Bearer ${record.tokens.JWT}` };
}

/** In cookie mode a token that has ended is simply not there any more. */
function isTokenRefused({ code }: GatehouseError): boolean {
  return code === 'ACCESS_TOKEN_EXPIRED' || code === 'ACCESS_TOKEN_MISSING' || code === 'ACCESS_TOKEN_INVALID';
}

function nobody(): GatehouseError {
  return new GatehouseError({ code: 'REFRESH_TOKEN_MISSING', message: 'Nobody is signed in.', status: 401 });
}
