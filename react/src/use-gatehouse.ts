// The hook that says who is signed in.
import type { Gatehouse } from '@gatehouse/client';
import { useContext, useSyncExternalStore } from 'react';
import { GatehouseContext } from './gatehouse-context.ts';
import { type Snapshot, unknown } from './session.ts';

export type GatehouseState = Snapshot & {
  readonly client: Gatehouse;
  readonly signOut: Gatehouse['signOut'];
  /** Asks the service again, for example after the user has added an e-mail address. */
  readonly reload: () => Promise<void>;
};

/** Works below a `GatehouseProvider` only. All components that use it see the same state. */
export function useGatehouse(): GatehouseState {
  const session = useContext(GatehouseContext);
  if (session === undefined) throw new Error('useGatehouse needs a <GatehouseProvider> above it.');
  const { client, reload, subscribe, read } = session;
  const snapshot = useSyncExternalStore(subscribe, read, () => unknown);
  return { ...snapshot, client, signOut: client.signOut, reload };
}
