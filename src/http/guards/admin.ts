// Guard: the admin interface, for the support staff alone: its cookie, from our own pages, and not there at all where nobody was let in.
import type { FastifyRequest } from 'fastify';
import type { Admin } from '../../support/admin.ts';
import { checkAdmin, createAdminEnabledCheck } from '../../support/check-admin.ts';
import type { SupportDeps } from '../../support/deps.ts';
import { readCookie } from '../interface/cookies.ts';
import type { OriginGuard } from './origin.ts';
import { createRateGuard } from './rate.ts';

export type AdminGuards = {
  /** Throws NOT_FOUND where nobody of the staff was ever let in. */
  requireAdminEnabled(): Promise<void>;
  /** For whoever wants to sign in. */
  enter(request: FastifyRequest): Promise<void>;
  check(request: FastifyRequest): Promise<Admin>;
};

/** Tokens cannot be guessed; this keeps those who try from costing anything. */
const attempts = [{ count: 20, windowSeconds: 60 }];

/** `ownOrigin` knows no origin but the service's: other pages of the house have no business here, not even reading. */
export function createAdminGuards(deps: Pick<SupportDeps, 'admins' | 'clock'>, ownOrigin: OriginGuard): AdminGuards {
  const requireAdminEnabled = createAdminEnabledCheck(deps);
  const countAttempt = createRateGuard(attempts, 'admin-sign-ins');
  return {
    requireAdminEnabled,
    enter: async (request) => {
      await requireAdminEnabled();
      ownOrigin(request);
      countAttempt(request.clientAddress);
    },
    check: async (request) => {
      await requireAdminEnabled();
      ownOrigin(request);
      return checkAdmin(deps, readCookie(request.headers.cookie, 'ADMIN'));
    },
  };
}
