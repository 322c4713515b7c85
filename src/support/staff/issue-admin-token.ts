// Use case: issue a sign-in link for a staff member. The token is returned once and stored as a hash.
import type { Clock } from '../../kernel/clock.ts';
import { newId, randomText } from '../../kernel/crypto/random.ts';
import { Failure } from '../../kernel/failure.ts';
import { cleanLine } from '../../kernel/text/plain-text.ts';
import { type Admin, type AdminStore, adminPolicy, hashAdminToken } from './admin.ts';
import { roleOfOld, type StaffRole } from './staff-role.ts';

type Deps = { readonly admins: AdminStore; readonly clock: Clock };

const longestName = 60;

export async function issueAdminToken(
  { admins, clock }: Deps,
  input: { name: string; role?: StaffRole | undefined; lifeSeconds: number },
): Promise<Admin & { token: string; linkEndsAt: number }> {
  const name = cleanLine(input.name, longestName + 1);
  if (name === '' || name.length > longestName) throw new Failure('REQUEST_INVALID', { field: 'name' });
  const { role = roleOfOld, lifeSeconds } = input;
  if (lifeSeconds < 60 || lifeSeconds > adminPolicy.longestLifeSeconds)
    throw new Failure('REQUEST_INVALID', { field: 'life' });
  const now = clock.now();
  const token = randomText(32);
  const endsAt = now + lifeSeconds * 1000;
  const linkEndsAt = Math.min(endsAt, now + adminPolicy.linkSeconds * 1000);
  const admin = { id: newId(), name, role, endsAt };
  await admins.issue({ ...admin, createdAt: now, linkEndsAt, linkHash: hashAdminToken(token) });
  return { ...admin, linkEndsAt, token };
}
