// The command `backup journal`: prints deletions, blocks and replaced addresses, one per line, so that no restore undoes them.
import { resolve } from 'node:path';
import { extendJournal, type JournalSource, journalSince } from '../../backup/extend-journal.ts';
import { writeEntry } from '../../backup/journal.ts';
import type { Command } from '../declarations.ts';
import { openExisting, unreachable } from '../open-migrated.ts';
import { print } from '../terminal.ts';

export const backupJournal: Command<'backup journal'> = async (context, { append }) => {
  const config = context.config();
  // The database may be of an older version, or read-only.
  const store = await openExisting(config);
  try {
    const source: JournalSource = {
      clock: store.clock,
      listJournal: (input) => store.call('listJournal', input),
    };
    // Reads once before it creates the file, so that a wrong database leaves none.
    await source.listJournal({ after: '', most: 1 }).catch(unreachable(config));
    if (append === undefined) {
      await printAll(source);
      return 0;
    }
    const path = resolve(append);
    const added = await extendJournal(source, path);
    context.say(`${path}: ${added} ${added === 1 ? 'entry' : 'entries'} added.`);
    return 0;
  } finally {
    await store.close();
  }
};

async function printAll(source: JournalSource): Promise<void> {
  for await (const entries of journalSince(source, '')) for (const entry of entries) print(`${writeEntry(entry)}\n`);
}
