// The times of a file that most files do not have, as commands print them: retention and trash.
import type { StoredFile } from '../../files/stored-file.ts';
import type { TrashedFile } from '../../files/trash/trash.ts';
import { isoTime } from '../write-text.ts';

type Times = Partial<Pick<TrashedFile, 'keepUntil' | 'deletedAt' | 'removedAt'>>;

export function fileTimes({ keepUntil, deletedAt, removedAt }: Times) {
  return {
    ...(keepUntil !== undefined && { keepUntil: isoTime(keepUntil) }),
    ...(deletedAt !== undefined && { deletedAt: isoTime(deletedAt) }),
    ...(removedAt !== undefined && { removedAt: isoTime(removedAt) }),
  };
}

/** Empty for a file that its owner sees. */
export function stateOf({ keepUntil, deletedAt }: Pick<StoredFile, 'keepUntil' | 'deletedAt'>, now: number): string {
  if (deletedAt !== undefined) return 'in the trash';
  return keepUntil !== undefined && keepUntil <= now ? 'expired' : '';
}
