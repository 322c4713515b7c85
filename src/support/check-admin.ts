// Use case: who a cookie of the admin page speaks for. Missing, unknown, idle, ended and revoked ones are refused alike.
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import { type Admin, type AdminStore, hashAdminToken, isAdminToken, stateOf } from './admin.ts';

type Deps = { readonly admins: AdminStore; readonly clock: Clock };

/** Use is written down at most so often: reading a page must not write at every step. */
const touchMilliseconds = 60_000;

export async function checkAdmin({ admins, clock }: Deps, session: string | undefined): Promise<Admin> {
  const record =
    session !== undefined && isAdminToken(session) ? await admins.find(hashAdminToken(session)) : undefined;
  const now = clock.now();
  if (record === undefined || stateOf(record, now) !== 'active') throw new Failure('ADMIN_REQUIRED');
  const { id, name, endsAt, lastUsedAt = 0 } = record;
  if (now - lastUsedAt >= touchMilliseconds) await admins.touch({ id, now });
  return { id, name, endsAt };
}

/** Where nobody was ever let in, the admin interface is not there; a node that has seen one need not ask again. */
export function createAdminEnabledCheck({ admins }: Pick<Deps, 'admins'>): () => Promise<void> {
  let isOpen = false;
  return async () => {
    isOpen ||= await admins.hasAny();
    if (!isOpen) throw new Failure('NOT_FOUND');
  };
}
