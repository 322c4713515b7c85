// Who asks for a file: a user, or the back end of the app with a service key. And who of them may read it.
import type { UserId } from '../kernel/ids.ts';
import type { Purpose } from './purpose.ts';
import type { StoredFile } from './stored-file.ts';

export type FileReader = { readonly userId: UserId } | { readonly keyId: string };

/** The back end reads every file: also of a blocked user, and of a purpose that no longer exists. */
export function mayRead(
  reader: FileReader,
  { userId, isNamed }: Pick<StoredFile, 'userId'> & { readonly isNamed: boolean },
  purpose: Pick<Purpose, 'readableBy'> | undefined,
): boolean {
  if ('keyId' in reader) return true;
  if (userId === reader.userId) return true;
  return purpose?.readableBy === 'signed-in' || (purpose?.readableBy === 'named' && isNamed);
}
