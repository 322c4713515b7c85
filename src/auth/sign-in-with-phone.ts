// Use case: sign in with a phone number and its one-time code. The first sign-in creates the user.
import { unreachable } from '../kernel/closed-list.ts';
import { Failure } from '../kernel/failure.ts';
import { newId } from '../kernel/random.ts';
import { attemptFailure, type GivenCode, prepareAttempt } from './code-attempt.ts';
import type { AuthDeps } from './deps.ts';
import { parsePhoneNumber } from './phone-number.ts';
import { issueFirstTokens, prepareSession } from './start-session.ts';
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

export type SignInWithPhone = GivenCode & { readonly phone: string; readonly userAgent: string | undefined };

export async function signInWithPhone(deps: Deps, input: SignInWithPhone): Promise<TokenPair> {
  const isTest = (text: string) => findTestRecipient(deps.testRecipients, text, deps.clock.now()) !== undefined;
  const { phone, country } = parsePhoneNumber(input.phone, deps.phoneTypes, isTest);
  const policy = deps.otp.sms;
  const attempt = prepareAttempt(deps, { purpose: 'phone-login', recipient: phone }, input, policy);
  const session = prepareSession(deps, { method: 'sms', userAgent: input.userAgent, ip: input.ip });
  const outcome = await deps.signIns.signInWithPhone({
    attempt,
    phone,
    country,
    countsUse: deps.brake.unused !== undefined && !isTest(phone),
    isSignupOpen: deps.isSignupOpen,
    newUserId: newId(),
    session: session.draft,
  });
  switch (outcome.kind) {
    case 'signed in':
      return issueFirstTokens(deps, session, outcome);
    case 'closed':
      throw new Failure('SIGNUP_CLOSED');
    case 'blocked':
      throw new Failure('USER_BLOCKED');
    case 'lost':
    case 'refused':
      throw attemptFailure(outcome, policy);
    default:
      return unreachable(outcome);
  }
}
