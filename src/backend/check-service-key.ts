// Use case: find the live key of a request. A missing, malformed, unknown, ended or revoked key gets the same error.
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import {
  type BackendCaller,
  isSecretOf,
  parseServiceKey,
  type ServiceKey,
  type ServiceKeyStore,
  type StoredServiceKey,
  stateOfKey,
  useOfKey,
} from './service-key.ts';

type Deps = { readonly serviceKeys: ServiceKeyStore; readonly clock: Clock };

/**
 * `key`: undefined for a request that must not use its key, whatever it is. `beforeReading` is called before the store is asked
 * for the sake of this key only. It may throw.
 */
export type ServiceKeyCheck = (key: string | undefined, beforeReading: () => void) => Promise<BackendCaller>;

/** A revoked key works this long at most on a node that has read it. */
export const keyCacheMilliseconds = 500;

type Keys = ReadonlyMap<string, StoredServiceKey>;
/** `readAt`: before the store was asked. What was revoked since then may be missing from the answer. */
type Snapshot = { readonly readAt: number; readonly keys: Promise<Keys> };

/**
 * A node reads all live keys at once and keeps them for a moment. An unknown key costs one read, which it shares with others: it
 * may have been created since. Throws NOT_FOUND while there is no live key. `tick` is a monotonic time in milliseconds.
 */
export function createServiceKeyCheck(
  { serviceKeys, clock }: Deps,
  tick: () => number = () => performance.now(),
): ServiceKeyCheck {
  let latest: Snapshot | undefined;
  const read = (since: number): Promise<Keys> => {
    if (latest !== undefined && latest.readAt >= since) return latest.keys;
    const taken: Snapshot = { readAt: tick(), keys: loadKeys(serviceKeys, clock) };
    latest = taken;
    taken.keys.catch(() => {
      if (latest === taken) latest = undefined;
    });
    return taken.keys;
  };
  const noteUse = createUseNotes(serviceKeys);
  return async (text, beforeReading) => {
    const arrivedAt = tick();
    const given = text === undefined ? undefined : parseServiceKey(text);
    let keys = await read(arrivedAt - keyCacheMilliseconds);
    if (given !== undefined && !keys.has(given.id)) {
      beforeReading();
      keys = await read(arrivedAt);
    }
    const now = clock.now();
    if (!keys.values().some((key) => stateOfKey(key, now) === 'live')) throw new Failure('NOT_FOUND');
    const key = given && keys.get(given.id);
    if (given === undefined || key === undefined || !isSecretOf(key, given.secret) || stateOfKey(key, now) !== 'live')
      throw new Failure('SERVICE_KEY_INVALID');
    await noteUse(key, keys, now);
    return { keyId: key.id, scopes: key.scopes };
  };
}

/** Requests at the same time write the use of a key once. */
function createUseNotes(serviceKeys: ServiceKeyStore) {
  const uses = new Map<string, number>();
  return async ({ id, lastUsedAt = 0 }: ServiceKey, keys: Keys, now: number): Promise<void> => {
    if (useOfKey({ lastUsedAt: Math.max(lastUsedAt, uses.get(id) ?? 0) }, now) === undefined) return;
    for (const known of uses.keys()) if (!keys.has(known)) uses.delete(known);
    uses.set(id, now);
    await serviceKeys.touch({ id, now });
  };
}

async function loadKeys(serviceKeys: ServiceKeyStore, clock: Clock): Promise<Keys> {
  return new Map((await serviceKeys.listLive(clock.now())).map((key) => [key.id, key]));
}
