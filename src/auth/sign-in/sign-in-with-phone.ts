// Use case: sign in with a phone number and its one-time code. The first sign-in creates the user.

import { Failure } from '../../kernel/failure.ts';
import { newUserId } from '../../kernel/ids.ts';
import { unreachable } from '../../kernel/text/closed-list.ts';
import { attemptFailure, type GivenCode, prepareAttempt } from '../codes/code-attempt.ts';
import { findTestRecipient } from '../codes/test-recipient.ts';
import type { AuthDeps } from '../deps.ts';
import { parsePhoneNumber } from '../identity/phone-number.ts';
import { writeProofTicket } from './proof-ticket.ts';
import { type GivenDevice, prepareDevice } from './signing-device.ts';
import { type FirstTokens, issueFirstTokens, prepareSession } from './start-session.ts';

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
  | 'phoneRecycledSeconds'
  | 'noticeChoice'
  | 'wakeDelivery'
>;

type SignInWithPhone = GivenCode & GivenDevice & { readonly phone: string };

export async function signInWithPhone(deps: Deps, input: SignInWithPhone): Promise<FirstTokens> {
  const isTest = (text: string) => findTestRecipient(deps.testRecipients, text, deps.clock.now()) !== undefined;
  const { phone, country } = parsePhoneNumber(input.phone, deps.phoneTypes, isTest);
  const policy = deps.otp.sms;
  const { known, device } = prepareDevice(deps, input);
  const attempt = prepareAttempt(deps, { purpose: 'phone-login', recipient: phone }, input, policy, known);
  const session = prepareSession(deps, { method: 'sms', userAgent: input.userAgent, ip: input.ip });
  const outcome = await deps.signIns.signInWithPhone({
    attempt,
    phone,
    country,
    countsUse: deps.brake.unused !== undefined && !isTest(phone),
    isSignupOpen: deps.isSignupOpen,
    recycledSeconds: deps.phoneRecycledSeconds,
    newUserId: newUserId(),
    session: session.draft,
    device,
  });
  switch (outcome.kind) {
    case 'signed in':
      if (outcome.hasCancelled) deps.wakeDelivery();
      else if (outcome.hasNotice) deps.wakeDelivery('mail');
      return issueFirstTokens(deps, session, outcome, known);
    case 'closed':
      throw new Failure('SIGNUP_CLOSED');
    case 'blocked':
      throw new Failure('USER_BLOCKED');
    case 'needs proof': {
      const { userId, lastUse } = outcome;
      const proofTicket = writeProofTicket(deps.secrets, { userId, phone, lastUse }, deps.clock.now());
      throw new Failure('PHONE_NEEDS_PROOF', { proofTicket });
    }
    case 'lost':
    case 'refused':
      throw attemptFailure(outcome, policy);
    default:
      return unreachable(outcome);
  }
}
