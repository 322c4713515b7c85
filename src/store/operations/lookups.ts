// The reading operations that find a few rows by their keys. SQLite runs them on the thread of the caller.

import { findUser } from './auth/users.ts';
import { checkSession } from './backend/backend-users.ts';
import { openFileLink } from './files/file-links.ts';
import { findFileFor } from './files/file-readers.ts';
import { fileUsage, findFile } from './files/files.ts';
import { hasFileRoom } from './files/reserved-space.ts';

/** Each asks one question by a key for each input, and gets at most a handful of rows. A list or a search does not belong here. */
export const lookups = { checkSession, fileUsage, findFile, findFileFor, findUser, hasFileRoom, openFileLink } as const;

export type LookupName = keyof typeof lookups;

export function isLookup(name: string): name is LookupName {
  return Object.hasOwn(lookups, name);
}
