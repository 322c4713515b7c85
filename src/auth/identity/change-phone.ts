// Use case: confirm a number with its code and make it the number of the signed-in user, at once or after the wait.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import type { Language } from '../../kernel/text/language.ts';
import { attemptFailure, type GivenCode, prepareAttempt } from '../codes/code-attempt.ts';
import { findTestRecipient } from '../codes/test-recipient.ts';
import type { AuthDeps } from '../deps.ts';
import { type DeviceToken, readDevice, writeDeviceToken } from '../devices/device-token.ts';
import type { SessionId } from '../sessions/session-id.ts';
import { preparePhoneNotices, type ScheduledPhone } from './phone-change.ts';
import { parsePhoneNumber } from './phone-number.ts';
import { scheduleFailure } from './schedule-limit.ts';
import type { User } from './user.ts';

type Deps = Pick<
  AuthDeps,
  | 'clock'
  | 'secrets'
  | 'phones'
  | 'revocations'
  | 'testRecipients'
  | 'otp'
  | 'brake'
  | 'phoneTypes'
  | 'phoneRecoveryWaitSeconds'
  | 'wakeDelivery'
>;

type ChangePhone = GivenCode & {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly phone: string;
  readonly language: Language;
  readonly deviceToken: string | undefined;
};

/** changed: also if the user had this number before. `device`: the token of a device that was known by the old number. */
type ChangedPhone =
  | { readonly kind: 'changed'; readonly user: User; readonly device?: DeviceToken }
  | ({ readonly kind: 'scheduled' } & ScheduledPhone);

export async function changePhone(deps: Deps, input: ChangePhone): Promise<ChangedPhone> {
  const { userId, sessionId, language } = input;
  const isTest = (text: string) => findTestRecipient(deps.testRecipients, text, deps.clock.now()) !== undefined;
  const { phone, country } = parsePhoneNumber(input.phone, deps.phoneTypes, isTest);
  const policy = deps.otp.sms;
  const known = readDevice(deps.secrets, input.deviceToken, deps.clock.now());
  const attempt = prepareAttempt(deps, { purpose: 'phone-change', recipient: phone, userId }, input, policy, known);
  const { now } = attempt;
  const outcome = await deps.phones.changePhone({
    attempt,
    userId,
    sessionId,
    phone,
    country: deps.brake.unused !== undefined && !isTest(phone) ? country : undefined,
    waitSeconds: deps.phoneRecoveryWaitSeconds,
    language,
    notices: {
      changed: preparePhoneNotices(deps.secrets, 'phone-changed', { language, now }),
      scheduled: preparePhoneNotices(deps.secrets, 'phone-change-scheduled', { language, now }),
    },
    now,
  });
  switch (outcome.kind) {
    case 'changed':
      deps.revocations.add(outcome.sessionIds);
      deps.wakeDelivery();
      return {
        kind: 'changed',
        user: outcome.user,
        ...(known?.userId === userId && { device: writeDeviceToken(deps.secrets, { userId, phone, known }, now) }),
      };
    case 'own':
      return { kind: 'changed', user: outcome.user };
    case 'scheduled':
      deps.wakeDelivery();
      return outcome;
    case 'limited':
      throw scheduleFailure(outcome.block);
    case 'taken':
      throw new Failure('PHONE_TAKEN');
    case 'gone':
      throw new Failure('SESSION_REVOKED');
    case 'lost':
    case 'refused':
      throw attemptFailure(outcome, policy);
    default:
      return unreachable(outcome);
  }
}
