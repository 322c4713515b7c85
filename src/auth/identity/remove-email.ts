// Use case: remove the bound e-mail address of the signed-in user. The removed address gets a notice.

import type { Act } from '../../kernel/audit.ts';
import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/text/language.ts';
import type { AuthDeps } from '../deps.ts';
import { prepareMailNotice, prepareSmsNotice } from '../notices/notice.ts';
import type { EmailRemoval } from './email-binding.ts';

type Deps = Pick<AuthDeps, 'clock' | 'secrets' | 'bindings' | 'noticeChoice' | 'wakeDelivery'>;

/** `by` is left out where users remove their own address. */
export type RemoveEmail = { readonly userId: UserId; readonly language: Language; readonly by?: Act };

/** Repeating the call succeeds: without an address there is nothing to remove, and nobody to notify. Returns whether there was one. */
export async function removeEmail(deps: Deps, { userId, language, by }: RemoveEmail): Promise<boolean> {
  const now = deps.clock.now();
  const notices = prepareNotices(deps, { language, now });
  const outcome = await deps.bindings.removeEmail({
    userId,
    ...(by !== undefined && { by }),
    ...(notices !== undefined && { notices }),
    now,
  });
  if (outcome === 'last') throw new Failure('LAST_WAY_IN');
  if (outcome === 'removed') deps.wakeDelivery(notices?.sms === undefined ? 'mail' : undefined);
  return outcome === 'removed';
}

function prepareNotices(
  { secrets, noticeChoice }: Deps,
  about: { language: Language; now: number },
): EmailRemoval['notices'] {
  if (noticeChoice === 'off') return undefined;
  return {
    mail: prepareMailNotice(secrets, 'email-removed', about),
    sms: noticeChoice === 'mail+sms' ? prepareSmsNotice(secrets, 'email-removed', about) : undefined,
  };
}
