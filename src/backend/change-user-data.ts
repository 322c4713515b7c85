// Use case: change what an app stores with a user.

import { type BackendUser, noSuchUser, parseUserId } from '../auth/directory/user-directory.ts';
import type { Act } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import { unreachable } from '../kernel/text/closed-list.ts';
import type { BackendUserStore } from './backend-user.ts';
import { type GivenUserData, readUserData } from './user-data.ts';

type Deps = { readonly backendUsers: Pick<BackendUserStore, 'change'>; readonly clock: Clock };

export async function changeUserData(
  { backendUsers, clock }: Deps,
  { given, by, ...input }: { userId: string; given: GivenUserData; by: Act },
): Promise<BackendUser> {
  const patch = readUserData(given);
  // A misspelled name is ignored, so a change of nothing is most likely a mistake.
  if (Object.keys(patch).length === 0) throw new Failure('REQUEST_INVALID', { field: 'externalId, claims, metadata' });
  const userId = parseUserId(input.userId);
  const outcome = await backendUsers.change({ userId, patch, by, now: clock.now() });
  switch (outcome.kind) {
    case 'changed':
      return outcome.user;
    case 'taken':
      throw new Failure('EXTERNAL_ID_TAKEN');
    case 'unknown':
      throw noSuchUser(userId);
    default:
      return unreachable(outcome);
  }
}
