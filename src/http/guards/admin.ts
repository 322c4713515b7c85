// Guard: the admin interface requires the staff cookie and our own origin. It does not exist until an operator creates a staff link.
import { Failure } from '../../kernel/failure.ts';
import type { SupportDeps } from '../../support/deps.ts';
import type { Admin } from '../../support/staff/admin.ts';
import { checkAdmin, createAdminEnabledCheck } from '../../support/staff/check-admin.ts';
import { includesRole, type StaffRole } from '../../support/staff/staff-role.ts';
import { readCookie } from '../interface/cookies.ts';
import { paths } from '../interface/paths.ts';
import type { HttpRequest } from '../server/request.ts';
import type { OriginGuard } from './origin.ts';
import { createRateGuard } from './rate.ts';

export type AdminGuards = {
  /** Throws NOT_FOUND if no staff link was ever created. */
  requireAdminEnabled(): Promise<void>;
  /** For the request that signs staff in. */
  enter(request: HttpRequest): Promise<void>;
  /** Without a role only owners may call: a line of the table that has lost its role must not open to all staff. */
  check(request: HttpRequest, role: StaffRole | undefined): Promise<Admin>;
};

/** The page of the staff. */
export const adminPage = '/admin';

/** From other networks than those of the staff no admin path exists, whatever its method. Returns true for such a request. */
export function createAdminHiding(isFromAllowed: (request: HttpRequest) => boolean) {
  return (request: HttpRequest): boolean => isAdminPath(request.target.path) && !isFromAllowed(request);
}

function isAdminPath(path: string): boolean {
  return [paths.admin, adminPage].some((start) => path === start || path.startsWith(`${start}/`));
}

/** Tokens cannot be guessed. The limit keeps attempts from loading the store. */
const attempts = [{ count: 20, windowSeconds: 60 }];

/** `ownOrigin` accepts only the service's own origin: pages of the CORS origins may not even read here. */
export function createAdminGuards(
  deps: Pick<SupportDeps, 'admins' | 'clock'>,
  ownOrigin: OriginGuard,
  now?: () => number,
): AdminGuards {
  const requireAdminEnabled = createAdminEnabledCheck(deps);
  const countAttempt = createRateGuard(attempts, 'admin-sign-ins', now);
  return {
    requireAdminEnabled,
    enter: async (request) => {
      await requireAdminEnabled();
      ownOrigin(request);
      countAttempt(request.clientAddress);
    },
    check: async (request, role = 'owner') => {
      await requireAdminEnabled();
      ownOrigin(request);
      const admin = await checkAdmin(deps, readCookie(request.headers.cookie, 'ADMIN'));
      if (!includesRole(admin.role, role)) throw new Failure('STAFF_ROLE_REQUIRED', { list: role });
      return admin;
    },
  };
}
