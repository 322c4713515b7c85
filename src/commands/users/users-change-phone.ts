// The command `users change-phone`: schedules a new number for a user who lost the phone, or cancels the scheduled change.
import { Failure } from '../../kernel/failure.ts';
import { cancelUserPhoneChange } from '../../support/users/cancel-user-phone-change.ts';
import { changeUserPhone } from '../../support/users/change-user-phone.ts';
import { findOneUser } from '../../support/users/find-one-user.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { isoTime, writePhone, writeTime } from '../write-text.ts';
import { readLanguage, staffDeps } from './staff-deps.ts';

export const usersChangePhone: Command<'users change-phone'> = async (
  context,
  { who, to, cancel, language, reason },
) => {
  const by = context.act(reason);
  if (cancel === (to !== undefined))
    throw new CommandError('Give the new number: --to +12025550199. Or cancel the scheduled change: --cancel', 2);
  const deps = await staffDeps(context);
  const { id: userId } = await findOneUser(deps, who);
  const input = { userId, by, language: readLanguage(language) };
  if (to === undefined) {
    const cancelled = await cancelUserPhoneChange(deps, input);
    const text = cancelled ? 'the change is cancelled; the user is notified.' : 'no change was scheduled.';
    context.show({ id: userId, cancelled }, `${userId}: ${text}`);
    return 0;
  }
  const { phone, effectiveAt } = await changeUserPhone(deps, { ...input, phone: to }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'REQUEST_INVALID') throw error;
    throw new CommandError('The user has this phone number already.');
  });
  const masked = writePhone(phone, false);
  context.show(
    { id: userId, phone: masked, effectiveAt: isoTime(effectiveAt) },
    `${userId} has the number ${masked} from ${writeTime(effectiveAt)}. The old number and the address are notified, and can cancel it.`,
  );
  return 0;
};
