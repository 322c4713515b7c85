// Use case: find the staff member of an admin cookie. Missing, unknown, idle, ended and revoked cookies get the same error.
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { type Admin, type AdminStore, hashAdminToken, isAdminToken, stateOf } from './admin.ts';

type Deps = { readonly admins: AdminStore; readonly clock: Clock };

/** Minimum time between two writes of `lastUsedAt`, so that not every read request causes a write. */
const touchMilliseconds = 60_000;

export async function checkAdmin({ admins, clock }: Deps, session: string | undefined): Promise<Admin> {
  const record =
    session !== undefined && isAdminToken(session) ? await admins.find(hashAdminToken(session)) : undefined;
  const now = clock.now();
  if (record === undefined || stateOf(record, now) !== 'active') throw new Failure('ADMIN_REQUIRED');
  const { id, name, role, endsAt, lastUsedAt = 0 } = record;
  if (now - lastUsedAt >= touchMilliseconds) await admins.touch({ id, now });
  return { id, name, role, endsAt };
}

/** Answers NOT_FOUND until a first admin link has been issued. A node that has seen one does not query again. */
export function createAdminEnabledCheck({ admins }: Pick<Deps, 'admins'>): () => Promise<void> {
  let isEnabled = false;
  return async () => {
    isEnabled ||= await admins.hasAny();
    if (!isEnabled) throw new Failure('NOT_FOUND');
  };
}
