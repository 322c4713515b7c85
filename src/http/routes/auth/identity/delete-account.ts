// DELETE /api/auth/me: deletes the account and all its data.

import type { AuthDeps } from '../../../../auth/deps.ts';
import { deleteAccount } from '../../../../auth/identity/delete-account.ts';
import type { CookieWriter } from '../../../interface/cookies.ts';
import { defineRoute } from '../../../interface/route.ts';

export function deleteAccountRoute(deps: AuthDeps, cookies: CookieWriter) {
  return defineRoute({
    summary: 'Delete my account',
    description:
      'Ends every session and deletes the user’s data. The phone number can sign up again as a new user. Needs a recent sign-in.',
    success: 'ACCOUNT_DELETED',
    failures: [],
    handle: async ({ caller }) => {
      await deleteAccount(deps, caller.userId);
      return { data: null, cookies: [...cookies.clear(), cookies.device('', 0)] };
    },
  });
}
