// Opens one more node on a database, loading only the driver that it needs.
import type { Store } from '../../src/store/engine/store.ts';
import type { StoreKind } from '../support/gatehouse.ts';

/** The address is a file's path or a URL. */
export async function openNode(
  kind: StoreKind,
  address: string,
  onTrouble: (error: Error) => void = () => undefined,
): Promise<Store> {
  if (kind === 'sqlite') {
    const { openSqliteStore } = await import('../../src/store/sqlite/sqlite.ts');
    return openSqliteStore(address, onTrouble);
  }
  const { openPostgresStore } = await import('../../src/store/postgres/postgres.ts');
  return openPostgresStore(address, onTrouble);
}
