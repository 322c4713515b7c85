// GET /api/auth/me: the caller's account.
import type { AuthDeps } from '../../../../auth/deps.ts';
import { accountView } from '../../../../auth/directory/user-views.ts';
import { Failure } from '../../../../kernel/failure.ts';
import { defineRoute } from '../../../interface/route.ts';
import { account, accountExample } from '../../user-schemas.ts';

export function meRoute({ users }: AuthDeps) {
  return defineRoute({
    summary: 'Show my account',
    success: 'ME',
    failures: [],
    data: account,
    example: accountExample,
    handle: async ({ caller }) => {
      const user = await users.findUser(caller.userId);
      if (user === undefined) throw new Failure('SESSION_REVOKED');
      return { data: accountView(user) };
    },
  });
}
