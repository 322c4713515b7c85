// The command `backup deletions`: prints what was deleted, a line each, so that a restore can leave it out.
import { openStore } from '../adapters/sql/open-store.ts';
import type { DeletionPage } from '../backup/deletion.ts';
import type { Config } from '../config/config.ts';

const pageSize = 1000;

export async function backupDeletions(config: Config): Promise<void> {
  const store = await openStore(config);
  try {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: DeletionPage = await store.call('listDeletions', { after, most: pageSize });
      for (const { kind, id, at } of page.deletions)
        process.stdout.write(`${JSON.stringify({ kind, id, at: new Date(at).toISOString() })}\n`);
      after = page.next;
    }
  } finally {
    await store.close();
  }
}
