// The command `backup journal`: prints deletions, blocks and replaced addresses, one per line, so that no restore undoes them.
import { resolve } from 'node:path';
import type { BackupKey } from '../../backup/backup-mac.ts';
import { extendJournal, type JournalSource, journalSince } from '../../backup/journal/extend-journal.ts';
import { writeEntry } from '../../backup/journal/journal.ts';
import type { Command } from '../declarations.ts';
import { openExisting, unreachable } from '../open-migrated.ts';
import { print } from '../terminal.ts';
import { signingKey, tellSignature } from './backup-keys.ts';
import { refuseInside } from './refuse-inside.ts';

export const backupJournal: Command<'backup journal'> = async (context, { append }) => {
  if (append !== undefined) refuseInside(resolve(append));
  const config = context.config();
  const key = signingKey(config);
  // The database may be of an older version, or read-only.
  const store = await openExisting(config);
  try {
    const source: JournalSource = {
      clock: store.clock,
      list: (input) => store.call('journal.list', input),
    };
    // Reads once before it creates the file, so that a wrong database leaves none.
    await source.list({ after: '', most: 1 }).catch(unreachable(config));
    if (append === undefined) {
      await printAll(source, key);
      context.say(tellSignature(key));
      return 0;
    }
    const path = resolve(append);
    const { added, isMixed } = await extendJournal(source, path, key);
    context.say(`${path}: ${added} ${added === 1 ? 'entry' : 'entries'} added. ${tellSignature(key)}`);
    await store.call('journal.note', { now: store.clock.now() }).catch(() => context.say(unnoted));
    if (isMixed) context.say('Its first lines have no MAC. Begin a new file, so that a restore can check all of it.');
    return 0;
  } finally {
    await store.close();
  }
};

const unnoted = 'The database could not note the time of this journal, so the metrics show the one before.';

async function printAll(source: JournalSource, key: BackupKey | undefined): Promise<void> {
  for await (const entries of journalSince(source, ''))
    for (const entry of entries) print(`${writeEntry(entry, key)}\n`);
}
