// The user's own number as a recipient of codes. Undefined if the service no longer sends to such numbers.
import { Failure } from '../../kernel/failure.ts';
import { readSmsRecipient, type SmsRecipient } from '../codes/sms-code-request.ts';

/** The settings may have changed since the user signed up, and the number of a test recipient has an end date. */
export function readOwnPhone(
  deps: Parameters<typeof readSmsRecipient>[0],
  phone: string,
  now: number,
): SmsRecipient | undefined {
  try {
    return readSmsRecipient(deps, phone, now);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
