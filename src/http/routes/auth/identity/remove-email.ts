// DELETE /api/auth/email: removes the caller's e-mail address.
import type { AuthDeps } from '../../../../auth/deps.ts';
import { removeEmail } from '../../../../auth/identity/remove-email.ts';
import { defineRoute } from '../../../interface/route.ts';

export function removeEmailRoute(deps: AuthDeps) {
  return defineRoute({
    summary: 'Remove my e-mail address',
    description:
      'The address no longer signs in, its sign-in links end, and it can be bound to another account. The removed address gets a notice. A repeated call succeeds. The address of an account without a phone number cannot be removed.',
    success: 'EMAIL_REMOVED',
    failures: ['LAST_WAY_IN'],
    handle: async ({ caller, language }) => {
      await removeEmail(deps, { userId: caller.userId, language });
      return { data: null };
    },
  });
}
