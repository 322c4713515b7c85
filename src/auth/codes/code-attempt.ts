// The shared step of signing in, binding and proving: prepares a submitted code for the commit that counts, checks and consumes it.

import { newId, randomText } from '../../kernel/crypto/random.ts';
import { recipientMarkKey } from '../../kernel/crypto/recipient-mark.ts';
import { Failure, failureFrom } from '../../kernel/failure.ts';
import type { AuthDeps } from '../deps.ts';
import type { KnownDevice } from '../devices/device-token.ts';
import { readAsker } from './ask-token.ts';
import { budgetOf } from './attempt-budget.ts';
import {
  type CodeAttempt,
  type CodeSubject,
  challengeSlot,
  codeKeys,
  normaliseCode,
  type OtpPolicy,
  type UnprovedAttempt,
} from './challenge.ts';
import { findTestRecipient } from './test-recipient.ts';

type Deps = Pick<AuthDeps, 'clock' | 'secrets' | 'testRecipients'>;

/** The submitted code, and what identifies the caller. */
export type GivenCode = { readonly otp: string; readonly ip: string; readonly askToken: string | undefined };

/** `device`: the known device of the caller, if the caller has one. It counts only if it belongs to the recipient. */
export function prepareAttempt(
  deps: Deps,
  subject: CodeSubject,
  code: GivenCode,
  policy: OtpPolicy,
  device?: KnownDevice,
): CodeAttempt {
  const given = normaliseCode(code.otp);
  if (!/^\d{6}$/.test(given)) throw new Failure('REQUEST_INVALID', { field: 'otp' });
  const now = deps.clock.now();
  return {
    slot: challengeSlot(subject.purpose, subject.recipient, subject.userId),
    budget: budgetOf(subject.recipient),
    caller: code.ip,
    asker: readAsker(deps.secrets, code.askToken, subject, now),
    device: device?.isOf(subject.recipient) === true ? device.id : undefined,
    seed: { id: newId(), nonce: randomText(16), secretId: deps.secrets.currentId },
    subject,
    given,
    fixed: findTestRecipient(deps.testRecipients, subject.recipient, now)?.code,
    keys: codeKeys(deps.secrets),
    policy,
    markKey: recipientMarkKey(deps.secrets),
    now,
  };
}

/** The failure that the user gets. An attempt that lost a race looks like any other used code. */
export function attemptFailure(outcome: UnprovedAttempt, policy: OtpPolicy): Failure {
  return outcome.kind === 'refused' ? failureFrom(outcome) : new Failure('OTP_INVALID', { left: policy.attempts - 1 });
}
