// Use case: delete the caller's account; its phone and address are free again, its tokens dead.
import type { AuthDeps } from './deps.ts';

type Deps = Pick<AuthDeps, 'clock' | 'users' | 'revocations'>;

export async function deleteAccount({ clock, users, revocations }: Deps, userId: string): Promise<void> {
  revocations.add(await users.deleteUser({ userId, now: clock.now() }));
}
