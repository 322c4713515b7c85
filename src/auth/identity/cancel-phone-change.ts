// Use case: the signed-in user cancels the scheduled change of the phone number. The number and the address get a notice.

import type { UserId } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/text/language.ts';
import type { AuthDeps } from '../deps.ts';
import type { SessionId } from '../sessions/session-id.ts';
import { preparePhoneNotices } from './phone-change.ts';

type Deps = Pick<AuthDeps, 'clock' | 'secrets' | 'scheduledPhones' | 'wakeDelivery'>;

type CancelPhoneChange = {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly language: Language;
};

/** Repeating the call succeeds: without a scheduled change there is nothing to cancel, and nobody to notify. */
export async function cancelPhoneChange(deps: Deps, { userId, sessionId, language }: CancelPhoneChange): Promise<void> {
  const now = deps.clock.now();
  const notices = preparePhoneNotices(deps.secrets, 'phone-change-cancelled', { language, now });
  const isCancelled = await deps.scheduledPhones.cancelPhoneChange({ userId, sessionId, notices, now });
  if (isCancelled) deps.wakeDelivery();
}
