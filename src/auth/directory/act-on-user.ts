// Use case: block, unblock or sign out a user. Every node reads the ended sessions from the store.

import type { Act } from '../../kernel/audit.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { UserId } from '../../kernel/ids.ts';
import { noSuchUser, type UserAct, type UserDirectory } from './user-directory.ts';

type Deps = { readonly directory: Pick<UserDirectory, 'actOn'>; readonly clock: Clock };

export async function actOnUser(
  { directory, clock }: Deps,
  input: { userId: UserId; act: UserAct['act']; by: Act },
): Promise<{ endedSessions: number }> {
  const ended = await directory.actOn({ ...input, now: clock.now() });
  if (ended === undefined) throw noSuchUser(input.userId);
  return { endedSessions: ended.length };
}
