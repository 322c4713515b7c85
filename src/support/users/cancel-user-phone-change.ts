// Use case: cancel the scheduled change of a user's phone number for an operator or staff. The number and the address get a notice.

import type { AuthDeps } from '../../auth/deps.ts';
import type { UserDirectory } from '../../auth/directory/user-directory.ts';
import { preparePhoneNotices } from '../../auth/identity/phone-change.ts';
import type { Act } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/text/language.ts';
import { findOneUser } from './find-one-user.ts';

type Deps = Pick<AuthDeps, 'clock' | 'secrets' | 'scheduledPhones' | 'wakeDelivery'> & {
  readonly directory: UserDirectory;
};

type CancelUserPhoneChange = { readonly userId: UserId; readonly by: Act; readonly language: Language };

/** Returns whether a change was scheduled. */
export async function cancelUserPhoneChange(
  deps: Deps,
  { userId, by, language }: CancelUserPhoneChange,
): Promise<boolean> {
  await findOneUser(deps, userId);
  const now = deps.clock.now();
  const notices = preparePhoneNotices(deps.secrets, 'phone-change-cancelled', { language, now });
  const isCancelled = await deps.scheduledPhones.cancelPhoneChange({ userId, by, notices, now });
  if (isCancelled) deps.wakeDelivery();
  return isCancelled;
}
