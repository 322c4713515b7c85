// Use case: list the files of a user for the back end, newest first, page by page. A user who does not exist is not found.
import type { AuthDeps } from '../auth/deps.ts';
import { noSuchUser, parseUserId } from '../auth/directory/user-directory.ts';
import type { FileDeps } from '../files/deps.ts';
import { type FilePage, listFiles } from '../files/list-files.ts';

type Deps = Pick<FileDeps, 'files' | 'clock'> & { readonly users: Pick<AuthDeps['users'], 'findUser'> };

export async function listUserFiles(
  deps: Deps,
  input: { userId: string; cursor: string | undefined; limit: number },
): Promise<FilePage> {
  const userId = parseUserId(input.userId);
  const [user, page] = await Promise.all([deps.users.findUser(userId), listFiles(deps, { ...input, userId })]);
  if (user === undefined) throw noSuchUser(userId);
  return page;
}
