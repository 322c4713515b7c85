// Use case: sign out here, everywhere else, or everywhere; live access tokens die with their sessions.
import type { AuthDeps } from './deps.ts';

type Deps = Pick<AuthDeps, 'clock' | 'sessions' | 'revocations'>;

export type LogOut = { userId: string; sessionId: string; scope: 'local' | 'others' | 'global' };

const scopes = { local: 'this', others: 'others', global: 'all' } as const;

export async function signOut(
  { clock, sessions, revocations }: Deps,
  { userId, sessionId, scope }: LogOut,
): Promise<void> {
  const now = clock.now();
  const ended = await sessions.endSessions({ userId, sessionId, scope: scopes[scope], reason: 'logged out', now });
  revocations.add(ended);
}
