// Who is signed in, as the components see it. It follows the events of the client, which reach all tabs.
import { type Gatehouse, GatehouseError } from '@gatehouse/client';

export type User = Awaited<ReturnType<Gatehouse['me']>>;

/** `loading`: not known yet. */
export type SignInStatus = 'loading' | 'signed-in' | 'signed-out';

export type Snapshot = {
  readonly status: SignInStatus;
  /** Only while the user is signed in. */
  readonly user: User | undefined;
  /** Why the user could not be loaded, for example because the service cannot be reached. `reload` tries again. */
  readonly error: GatehouseError | undefined;
};

export type Session = {
  readonly client: Gatehouse;
  readonly read: () => Snapshot;
  readonly subscribe: (listener: () => void) => () => void;
  readonly reload: () => Promise<void>;
};

export const unknown: Snapshot = { status: 'loading', user: undefined, error: undefined };

const signedOut: Snapshot = { status: 'signed-out', user: undefined, error: undefined };

/** Begins to load with the first listener. */
export function createSession(client: Gatehouse): Session {
  const listeners = new Set<() => void>();
  let snapshot = unknown;
  let stops: readonly (() => void)[] = [];
  /** Counts the loads, so that a late answer about an earlier user is dropped. */
  let turn = 0;

  const set = (next: Snapshot) => {
    snapshot = next;
    for (const listener of [...listeners]) listener();
  };
  const reload = async (): Promise<void> => {
    turn += 1;
    const own = turn;
    const next = await load(client, snapshot);
    if (own === turn) set(next);
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
      if (listeners.size === 0) {
        stops = [client.on('signed-in', () => void reload()), client.on('signed-out', leave)];
        void reload();
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        for (const stop of stops) stop();
      };
    },
  };
}

async function load(client: Gatehouse, before: Snapshot): Promise<Snapshot> {
  try {
    if (!(await client.isSignedIn())) return signedOut;
    return { status: 'signed-in', user: await client.me(), error: undefined };
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error;
    // A lost network is not a sign-out: the user that was there stays.
    return error.status === 401 ? signedOut : { ...before, error };
  }
}
