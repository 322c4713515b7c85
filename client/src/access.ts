// Runs calls with the access token. Renews the token before it expires, and once more if the service refuses it.
import type { Calls } from './api-types.ts';
import type { DeviceKeeper } from './device-keeper.ts';
import { endsSession } from './ends-session.ts';
import { GatehouseError, toGatehouseError } from './gatehouse-error.ts';
import { retry } from './retry.ts';
import type { SessionKeeper, SessionRecord } from './session-keeper.ts';
import type { Lock } from './tab-lock.ts';
import type { Wire } from './wire.ts';

export type Access = {
  /** Renews the token pair, unless another call or tab has renewed it since `seen` was read. */
  renew(seen: SessionRecord | undefined): Promise<void>;
  /** Returns the session. Renews its token if that is due. Returns undefined if no session is stored. */
  ready(): Promise<SessionRecord | undefined>;
  /** Runs a call with its authorization headers. If the token is refused, renews it and runs the call once more. */
  run<T>(call: (headers: Record<string, string>) => Promise<T>): Promise<T>;
  /** Runs a call that returns the next token pair of this session, and stores the pair. No renewal runs at the same time. */
  replace(call: (headers: Record<string, string>) => Promise<TokenPair>): Promise<void>;
};

type TokenPair = Calls['refreshTokenPair']['data'];

type Parts = {
  readonly wire: Wire;
  readonly keeper: SessionKeeper;
  readonly devices: DeviceKeeper;
  readonly lock: Lock;
  readonly isCookie: boolean;
};

/** How long a call with a valid token waits for the renewal that is due. */
const patienceMilliseconds = 2000;
/** Between two attempts to renew a valid token, or longer if the service says so. */
const restSeconds = 5;

export function createAccess({ wire, keeper, devices, lock, isCookie }: Parts): Access {
  let renewal: Promise<void> | undefined;
  /** The renewal that no further call waits for while its token is valid. */
  let tooSlow: Promise<void> | undefined;
  let restsUntil = 0;

  /** The user may have signed out, or signed in to another account, while the response was on its way. */
  const keepFor = async (record: SessionRecord | undefined, pair: TokenPair): Promise<void> => {
    if ((await keeper.read())?.session === record?.session) await keeper.keep(pair);
  };

  const renewAlone = async (seen: SessionRecord | undefined): Promise<void> => {
    const current = await keeper.read();
    const isRenewed = current !== undefined && current.id !== seen?.id && current.expiresAt > Date.now();
    if (isRenewed) return;
    try {
      if (!isCookie && current?.tokens === undefined) throw notSignedIn();
      // The device token tells the service that a repeated call, after a night without its answer, comes from the same device.
      const headers = { ...refreshHeadersOf(current), ...(await devices.headers()) };
      const pair = await retry(() => wire('refreshTokenPair', { headers }));
      await keepFor(current, pair);
    } catch (error) {
      if (endsSession(error)) await keeper.end(current, 'ended');
      throw error;
    }
  };

  const renew = (seen: SessionRecord | undefined): Promise<void> => {
    renewal ??= lock(() => renewAlone(seen)).finally(() => {
      renewal = undefined;
    });
    return renewal;
  };

  /** Renews a valid token that is due. A service that fails or hangs costs one call a moment, and the old token is used until it expires. */
  const renewInTime = async (record: SessionRecord): Promise<void> => {
    if (renewal === undefined && Date.now() < restsUntil) return;
    const renewed = renew(record);
    if (renewed === tooSlow) return;
    const outcome = renewed.catch((error: unknown) => {
      if (endsSession(error)) throw error;
      restsUntil = Date.now() + Math.max(restSeconds, toGatehouseError(error).retryAfterSeconds ?? 0) * 1000;
    });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        tooSlow = renewed;
        resolve();
      }, patienceMilliseconds);
      void outcome.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  };

  const ready = async (): Promise<SessionRecord | undefined> => {
    const record = await keeper.read();
    if (record === undefined || Date.now() < record.refreshAt) return record;
    await (Date.now() < record.expiresAt ? renewInTime(record) : renew(record));
    return keeper.read();
  };

  const attempt = async <T>(
    record: SessionRecord | undefined,
    call: (headers: Record<string, string>) => Promise<T>,
  ): Promise<T> => {
    try {
      return await call(headersOf(record));
    } catch (error) {
      // Only this code: an upload of an earlier user fails with one of a refresh token, and must not end the session of the next.
      if (toGatehouseError(error).code === 'SESSION_REVOKED') await keeper.end(record, 'ended');
      throw error;
    }
  };

  const runRenewing = async <T>(work: (record: SessionRecord | undefined) => Promise<T>): Promise<T> => {
    const record = await ready();
    try {
      return await work(record);
    } catch (error) {
      const canRenew = isCookie || record !== undefined;
      if (!canRenew || !isTokenRefused(toGatehouseError(error))) throw error;
      await renew(record);
      return await work(await keeper.read());
    }
  };

  return {
    renew,
    ready,
    replace: (call) =>
      runRenewing(() =>
        lock(async () => {
          const record = await keeper.read();
          await keepFor(record, await attempt(record, (headers) => call({ ...headers, ...refreshHeadersOf(record) })));
        }),
      ),
    run: (call) => runRenewing((record) => attempt(record, call)),
  };
}

function refreshHeadersOf(record: SessionRecord | undefined): Record<string, string> {
  return record?.tokens === undefined ? {} : { RT: record.tokens.RT };
}

export function headersOf(record: SessionRecord | undefined): Record<string, string> {
  return record?.tokens === undefined ? {} : { authorization: `Bearer ${record.tokens.JWT}` };
}

/** In cookie mode the browser drops an expired token, so the service reports it as missing. */
function isTokenRefused({ code }: GatehouseError): boolean {
  return code === 'ACCESS_TOKEN_EXPIRED' || code === 'ACCESS_TOKEN_MISSING' || code === 'ACCESS_TOKEN_INVALID';
}

function notSignedIn(): GatehouseError {
  return new GatehouseError({ code: 'REFRESH_TOKEN_MISSING', message: 'No user is signed in.', status: 401 });
}
