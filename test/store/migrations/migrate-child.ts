// A process that waits for a message, opens a store, migrates it, and reports the applied migrations.
import type { StoreKind } from '../../helpers/services/gatehouse.ts';
import { openNode } from '../../helpers/store/open-node.ts';

const [kind, address] = process.argv.slice(2) as [StoreKind, string];

process.once('message', async () => {
  const store = await openNode(kind, address);
  process.send?.('migrating');
  const applied = await store.migrations.up();
  await store.close();
  process.send?.({ applied }, () => process.disconnect?.());
});
process.send?.('ready');
