// Use case: end this session, all other sessions, or all sessions. Their access tokens stop working at once.

import type { UserId } from '../../kernel/ids.ts';
import type { AuthDeps } from '../deps.ts';
import type { SessionId } from './session-id.ts';

type Deps = Pick<AuthDeps, 'clock' | 'sessions' | 'revocations'>;

type SignOut = { userId: UserId; sessionId: SessionId; scope: 'local' | 'others' | 'global' };

const scopes = { local: 'this', others: 'others', global: 'all' } as const;

export async function signOut(
  { clock, sessions, revocations }: Deps,
  { userId, sessionId, scope }: SignOut,
): Promise<void> {
  const now = clock.now();
  const ended = await sessions.endSessions({ userId, sessionId, scope: scopes[scope], reason: 'logged out', now });
  revocations.add(ended);
}
