// Use case: sign in a staff member with a link from the command line. Each link works once.
import type { Clock } from '../../kernel/clock.ts';
import { randomText } from '../../kernel/crypto/random.ts';
import { Failure } from '../../kernel/failure.ts';
import { type Admin, type AdminStore, hashAdminToken, isAdminToken } from './admin.ts';

type Deps = { readonly admins: AdminStore; readonly clock: Clock };

/** Unknown, used, expired and revoked tokens get the same error. */
export async function enterAsAdmin({ admins, clock }: Deps, token: string): Promise<{ admin: Admin; session: string }> {
  const session = randomText(32);
  const hashes = { linkHash: hashAdminToken(token), sessionHash: hashAdminToken(session) };
  const admin = isAdminToken(token) ? await admins.enter({ ...hashes, now: clock.now() }) : undefined;
  if (admin === undefined) throw new Failure('ADMIN_REQUIRED');
  return { admin, session };
}
