// Use case: end one session of a user, or all of them, for the back end of an app.
import type { AuthDeps } from '../auth/deps.ts';
import { actOnUser } from '../auth/directory/act-on-user.ts';
import { noSuchUser, parseUserId, type UserDirectory } from '../auth/directory/user-directory.ts';
import { parseSessionId } from '../auth/sessions/session-id.ts';
import type { Act } from '../kernel/audit.ts';

type Deps = Pick<AuthDeps, 'clock' | 'sessions' | 'users' | 'revocations'> & {
  readonly directory: Pick<UserDirectory, 'actOn'>;
};

type EndUserSessions = { readonly userId: string; readonly sessionId: string | undefined; readonly by: Act };

/** A session that has ended, is unknown or belongs to somebody else counts as none: a repeated call gets the same answer. */
export async function endUserSessions(
  deps: Deps,
  { sessionId, by, ...given }: EndUserSessions,
): Promise<{ ended: number }> {
  const userId = parseUserId(given.userId);
  if (sessionId === undefined) {
    const { endedSessions } = await actOnUser(deps, { userId, act: 'sign out', by });
    return { ended: endedSessions };
  }
  const known = parseSessionId(sessionId);
  const ending = { userId, scope: 'this', reason: 'revoked', by, now: deps.clock.now() } as const;
  const ended = known === undefined ? [] : await deps.sessions.endSessions({ ...ending, sessionId: known });
  deps.revocations.add(ended);
  if (ended.length === 0 && (await deps.users.findUser(userId)) === undefined) throw noSuchUser(userId);
  return { ended: ended.length };
}
