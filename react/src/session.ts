// Who is signed in, as the components see it. It follows the events of the client, which reach all tabs.
import type { Gatehouse, GatehouseError } from '@gatehouse/client';
import { startRetry } from './start-retry.ts';

export type User = Awaited<ReturnType<Gatehouse['me']>>;

/** `loading`: not known yet. `failed`: it could not be found out, and `error` says why; it is tried again by itself. */
export type SignInStatus = 'loading' | 'signed-in' | 'signed-out' | 'failed';

export type Snapshot = {
  readonly status: SignInStatus;
  /** Only while the user is signed in. */
  readonly user: User | undefined;
  /** Why the user could not be loaded, for example because the service cannot be reached. `reload` tries again at once. */
  readonly error: GatehouseError | undefined;
};

export type Session = {
  readonly client: Gatehouse;
  readonly read: () => Snapshot;
  readonly subscribe: (listener: () => void) => () => void;
  /** Does not fail: the result is in the snapshot. */
  readonly reload: () => Promise<void>;
};

export const unknown: Snapshot = { status: 'loading', user: undefined, error: undefined };

const signedOut: Snapshot = { status: 'signed-out', user: undefined, error: undefined };

/** Begins to load with the first listener. */
export function createSession(client: Gatehouse, retryLater = startRetry): Session {
  const listeners = new Set<() => void>();
  let snapshot = unknown;
  let stops: readonly (() => void)[] = [];
  let stopRetry = () => {};
  let failures = 0;
  /** Counts the loads, so that a late answer about an earlier user is dropped. */
  let turn = 0;

  const set = (next: Snapshot) => {
    snapshot = next;
    failures = next.error === undefined ? 0 : failures + 1;
    stopRetry();
    if (next.error !== undefined && listeners.size > 0)
      stopRetry = retryLater(failures, next.error.retryAfterSeconds, () => void reload());
    for (const listener of [...listeners]) listener();
  };
  const reload = async (): Promise<void> => {
    turn += 1;
    const own = turn;
    const next = await load(client, snapshot);
    if (own === turn) set(next);
  };
  const enter = () => {
    // It may be another user: what the one before could see must not stay.
    if (snapshot.user !== undefined) set(unknown);
    void reload();
  };
  const leave = () => {
    turn += 1;
    set(signedOut);
  };
  return {
    client,
    read: () => snapshot,
    reload,
    subscribe: (listener) => {
      const isFirst = listeners.size === 0;
      listeners.add(listener);
      if (isFirst) {
        stops = [client.on('signed-in', enter), client.on('signed-out', leave)];
        void reload();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stopRetry();
        for (const stop of stops) stop();
      };
    },
  };
}

async function load(client: Gatehouse, before: Snapshot): Promise<Snapshot> {
  try {
    if (!(await client.isSignedIn())) return signedOut;
    return { status: 'signed-in', user: await client.me(), error: undefined };
  } catch (thrown) {
    // The client decides what ends a session. While it keeps one, a failure is no sign-out, and the user that was there stays.
    if (await hasNoSession(client)) return signedOut;
    // The client throws nothing else. A client of the app may: that is reported too, because nobody else would do it.
    const error = thrown as GatehouseError;
    return before.user === undefined ? { status: 'failed', user: undefined, error } : { ...before, error };
  }
}

async function hasNoSession(client: Gatehouse): Promise<boolean> {
  try {
    return !(await client.isSignedIn());
  } catch {
    // The storage cannot be read, so nobody knows.
    return false;
  }
}
