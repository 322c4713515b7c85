// Refuses to write inside a backup: a file that is no part of it would make all of it one that restore refuses.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { databasePath } from '../../backup/backup-folder.ts';
import { CommandError } from '../command-error.ts';

/** A folder is a backup if it has a database, which is written first. Other programs have a manifest.json too. */
export function refuseInside(place: string): void {
  for (let folder = dirname(place); ; folder = dirname(folder)) {
    if (existsSync(databasePath(folder)))
      throw new CommandError(
        `${place} is inside the backup ${folder}. Name a place outside of it: a backup with other files in it is refused.`,
      );
    if (folder === dirname(folder)) return;
  }
}
