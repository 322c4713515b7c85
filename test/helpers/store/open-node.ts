// Opens one more node on a database, loading only the driver that it needs.
import type { Store } from '../../../src/store/store.ts';
import type { StoreKind } from '../services/gatehouse.ts';

/** The address is a file path or a URL. The lock order of every operation is checked. */
export async function openNode(
  kind: StoreKind,
  address: string,
  onTrouble: (error: Error) => void = () => undefined,
  endpoints: readonly string[] = [],
): Promise<Store> {
  if (kind === 'sqlite') {
    const { openSqliteStore } = await import('../../../src/store/sqlite/sqlite.ts');
    return openSqliteStore(address, onTrouble, endpoints, true);
  }
  const { openPostgresStore } = await import('../../../src/store/postgres/postgres.ts');
  return openPostgresStore(address, onTrouble, endpoints, undefined, true);
}
