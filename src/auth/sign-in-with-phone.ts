// Use case: sign in with a phone number and its one-time code; the first time makes the user.
import { Failure } from '../kernel/failure.ts';
import { newId } from '../kernel/random.ts';
import { attemptFailure, type GivenCode, prepareAttempt } from './code-attempt.ts';
import type { AuthDeps } from './deps.ts';
import { parsePhoneNumber } from './phone-number.ts';
import { startSession } from './start-session.ts';
import { findTestRecipient } from './test-recipient.ts';
import type { TokenPair } from './token-pair.ts';

type Deps = Pick<
  AuthDeps,
  | 'clock'
  | 'secrets'
  | 'keyRing'
  | 'revocations'
  | 'signIns'
  | 'testRecipients'
  | 'otp'
  | 'brake'
  | 'phoneTypes'
  | 'accessToken'
  | 'sessionPolicy'
  | 'isSignupOpen'
>;

export type LogInWithPhone = GivenCode & { readonly phone: string; readonly userAgent: string | undefined };

export async function signInWithPhone(deps: Deps, input: LogInWithPhone): Promise<TokenPair> {
  const isTest = (text: string) => findTestRecipient(deps.testRecipients, text, deps.clock.now()) !== undefined;
  const { phone, country } = parsePhoneNumber(input.phone, deps.phoneTypes, isTest);
  const policy = deps.otp.sms;
  const attempt = prepareAttempt(deps, { purpose: 'phone-login', recipient: phone }, input, policy);
  return startSession(deps, { method: 'sms', userAgent: input.userAgent, ip: input.ip }, async (session) => {
    const outcome = await deps.signIns.signInWithPhone({
      attempt,
      phone,
      country,
      countsUse: deps.brake.unused !== undefined && !isTest(phone),
      isSignupOpen: deps.isSignupOpen,
      newUserId: newId(),
      session,
    });
    if (outcome.kind === 'signed in') return outcome;
    if (outcome.kind === 'closed') throw new Failure('SIGNUP_CLOSED');
    if (outcome.kind === 'blocked') throw new Failure('USER_BLOCKED');
    throw attemptFailure(outcome, policy);
  });
}
