// Use case: an app signs its user out of this service: the session of the browser ends, and those of its apps.

import type { SessionId } from '../auth/sessions/session-id.ts';
import { signOut } from '../auth/sessions/sign-out.ts';
import type { UserId } from '../kernel/ids.ts';
import type { AppDeps } from './deps.ts';

type Deps = Pick<AppDeps, 'clock' | 'sessions' | 'revocations'>;

export async function endSignIn(
  deps: Deps,
  { userId, sessionId }: { readonly userId: UserId; readonly sessionId: SessionId },
): Promise<void> {
  await signOut(deps, { userId, sessionId, scope: 'local' });
}
