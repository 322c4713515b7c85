// The command `backup journal`: deletions, blocks and replaced addresses, a line each, so that no restore undoes them.
import { resolve } from 'node:path';
import { extendJournal, type JournalSource, journalSince } from '../backup/extend-journal.ts';
import { writeEntry } from '../backup/journal.ts';
import type { Config } from '../config/config.ts';
import { openExisting, unreachable } from './open-migrated.ts';
import { orRefusal } from './refusals.ts';
import { print, tell } from './terminal.ts';

export type JournalOptions = { readonly append?: string };

export function backupJournal(config: Config, { append }: JournalOptions): Promise<number> {
  return orRefusal(async () => {
    const store = await openExisting(config);
    try {
      const source: JournalSource = {
        clock: store.clock,
        listJournal: (input) => store.call('listJournal', input),
      };
      // Asked once before the file is made, so that a wrong database leaves none.
      await source.listJournal({ after: '', most: 1 }).catch(unreachable(config));
      if (append === undefined) await printAll(source);
      else await appendTo(source, resolve(append));
      return 0;
    } finally {
      await store.close();
    }
  });
}

async function printAll(source: JournalSource): Promise<void> {
  for await (const entries of journalSince(source, '')) for (const entry of entries) print(`${writeEntry(entry)}\n`);
}

async function appendTo(source: JournalSource, path: string): Promise<void> {
  const added = await extendJournal(source, path);
  tell(`${path}: ${added} ${added === 1 ? 'entry' : 'entries'} added.\n`);
}
