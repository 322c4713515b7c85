// Use case: schedule a new phone number for a user who lost the old one, for an operator or staff. It is never changed at once.

import { readSmsRecipient } from '../../auth/codes/sms-code-request.ts';
import type { AuthDeps } from '../../auth/deps.ts';
import { preparePhoneNotices, type ScheduledPhone } from '../../auth/identity/phone-change.ts';
import { scheduleFailure } from '../../auth/identity/schedule-limit.ts';
import type { Act } from '../../kernel/audit.ts';
import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import type { Language } from '../../kernel/text/language.ts';
import type { StaffPhoneStore } from './staff-phone.ts';

type Deps = Pick<
  AuthDeps,
  'clock' | 'secrets' | 'testRecipients' | 'phoneTypes' | 'brake' | 'phoneRecoveryWaitSeconds' | 'wakeDelivery'
> & { readonly directory: StaffPhoneStore };

type ChangeUserPhone = {
  readonly userId: UserId;
  /** In any spelling, with its plus sign. */
  readonly phone: string;
  readonly by: Act;
  readonly language: Language;
};

/** The number is proved by its first sign-in: a wrong one leaves the account without a phone that opens it. */
export async function changeUserPhone(deps: Deps, input: ChangeUserPhone): Promise<ScheduledPhone> {
  const { userId, by, language } = input;
  const now = deps.clock.now();
  // A number that the service does not send to could not sign in.
  const { phone } = readSmsRecipient(deps, input.phone, now);
  const notices = preparePhoneNotices(deps.secrets, 'phone-change-scheduled', { language, now });
  const waitSeconds = deps.phoneRecoveryWaitSeconds;
  const outcome = await deps.directory.schedulePhone({ userId, phone, waitSeconds, language, notices, by, now });
  switch (outcome.kind) {
    case 'scheduled':
      deps.wakeDelivery();
      return { phone, effectiveAt: outcome.effectiveAt };
    case 'gone':
      throw new Failure('NOT_FOUND');
    case 'own':
      throw new Failure('REQUEST_INVALID', { field: 'phone' });
    case 'limited':
      throw scheduleFailure(outcome.block);
    case 'taken':
      throw new Failure('PHONE_TAKEN');
    default:
      return unreachable(outcome);
  }
}
