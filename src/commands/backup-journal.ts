// The command `backup journal`: prints deletions and blocks, a line each, so that a restore does not undo them.
import { openStore } from '../adapters/sql/open-store.ts';
import { type JournalPage, writeEntry } from '../backup/journal.ts';
import type { Config } from '../config/config.ts';
import { print } from './terminal.ts';

const pageSize = 1000;

export async function backupJournal(config: Config): Promise<void> {
  const store = await openStore(config);
  try {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: JournalPage = await store.call('listJournal', { after, most: pageSize });
      for (const entry of page.entries) print(`${writeEntry(entry)}\n`);
      after = page.next;
    }
  } finally {
    await store.close();
  }
}
