// Use case: list the active sessions of a user for the back end of an app. A user who does not exist is not found.
import type { AuthDeps } from '../auth/deps.ts';
import { noSuchUser, parseUserId } from '../auth/directory/user-directory.ts';
import type { Session } from '../auth/sessions/session.ts';

type Deps = Pick<AuthDeps, 'clock' | 'sessions' | 'users'>;

export async function listUserSessions({ clock, sessions, users }: Deps, id: string): Promise<Session[]> {
  const userId = parseUserId(id);
  const [user, list] = await Promise.all([users.findUser(userId), sessions.listSessions({ userId, now: clock.now() })]);
  if (user === undefined) throw noSuchUser(userId);
  return list;
}
