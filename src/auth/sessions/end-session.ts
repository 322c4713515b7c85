// Use case: end one session of a user, for the user, an operator or staff.

import type { Act } from '../../kernel/audit.ts';
import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { AuthDeps } from '../deps.ts';
import type { SessionId } from './session-id.ts';

type Deps = Pick<AuthDeps, 'clock' | 'sessions' | 'revocations'>;

export async function endSession(
  { clock, sessions, revocations }: Deps,
  input: { userId: UserId; sessionId: SessionId; by?: Act },
): Promise<void> {
  const ended = await sessions.endSessions({ ...input, scope: 'this', reason: 'revoked', now: clock.now() });
  if (ended.length === 0) throw new Failure('NOT_FOUND');
  revocations.add(ended);
}
