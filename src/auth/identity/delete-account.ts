// Use case: delete the user's account. Its phone and e-mail address become available again, and its tokens stop working.
import type { UserId } from '../../kernel/ids.ts';
import type { AuthDeps } from '../deps.ts';

type Deps = Pick<AuthDeps, 'clock' | 'users' | 'revocations' | 'removeBytes'>;

export async function deleteAccount({ clock, users, revocations, removeBytes }: Deps, userId: UserId): Promise<void> {
  const now = clock.now();
  const { sessionIds, fileIds, uploadIds } = await users.deleteUser({ userId, now });
  revocations.add(sessionIds);
  await removeBytes([...fileIds, ...uploadIds], now);
}
