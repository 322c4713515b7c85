// Use case: remove the e-mail address of a user for an operator or staff, as if the user removed it. The removed address gets a notice.

import type { UserDirectory } from '../../auth/directory/user-directory.ts';
import { type RemoveEmail, removeEmail } from '../../auth/identity/remove-email.ts';
import type { Act } from '../../kernel/audit.ts';
import { findOneUser } from './find-one-user.ts';

type Deps = Parameters<typeof removeEmail>[0] & { readonly directory: UserDirectory };

/** Returns whether there was an address. */
export async function removeUserEmail(deps: Deps, input: RemoveEmail & { readonly by: Act }): Promise<boolean> {
  await findOneUser(deps, input.userId);
  return removeEmail(deps, input);
}
