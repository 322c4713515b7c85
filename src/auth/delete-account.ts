// Use case: delete the user's account. Its phone and e-mail address become available again, and its tokens stop working.
import type { AuthDeps } from './deps.ts';

type Deps = Pick<AuthDeps, 'clock' | 'users' | 'revocations' | 'removeBlobs'>;

export async function deleteAccount({ clock, users, revocations, removeBlobs }: Deps, userId: string): Promise<void> {
  const { sessionIds, fileIds } = await users.deleteUser({ userId, now: clock.now() });
  revocations.add(sessionIds);
  await removeBlobs(fileIds);
}
