// Use case: end a staff sign-in, or revoke an unused link, from the command line.
import type { Act } from '../../kernel/audit.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { AdminStore } from './admin.ts';

type Deps = { readonly admins: AdminStore; readonly clock: Clock };

export async function revokeAdmin({ admins, clock }: Deps, { id, by }: { id: string; by: Act }): Promise<void> {
  if (!(await admins.end({ id, reason: 'revoked', by, now: clock.now() }))) throw new Failure('NOT_FOUND');
}
