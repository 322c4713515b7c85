// The shared step of endpoints 2 and 5: count the attempt, derive the code, compare. Gives what the winner may consume.
import { Failure } from '../kernel/failure.ts';
import { newId, randomText } from '../kernel/random.ts';
import {
  type CodeSubject,
  challengeSlot,
  deriveCode,
  failuresId,
  judgeCode,
  normaliseCode,
  type OtpPolicy,
  type ProvedAttempt,
} from './challenge.ts';
import type { AuthDeps } from './deps.ts';
import { findTestRecipient } from './test-recipient.ts';

type Deps = Pick<AuthDeps, 'clock' | 'secrets' | 'challenges' | 'testRecipients'>;

export async function proveCode(
  deps: Deps,
  subject: CodeSubject,
  given: string,
  policy: OtpPolicy,
): Promise<ProvedAttempt> {
  const code = normaliseCode(given);
  if (!/^\d{6}$/.test(code)) throw new Failure('REQUEST_INVALID', { field: 'otp' });
  const now = deps.clock.now();
  const slot = challengeSlot(subject.purpose, subject.recipient, subject.userId);
  const failures = failuresId(subject.recipient);
  const seed = { id: newId(), nonce: randomText(16), secretId: deps.secrets.currentId };
  const counted = await deps.challenges.countAttempt({ slot, failuresId: failures, seed, policy, now });
  if (counted.kind === 'exceeded') {
    throw new Failure('OTP_ATTEMPTS_EXCEEDED', { retryAfterSeconds: counted.retryAfterSeconds });
  }
  const fixed = findTestRecipient(deps.testRecipients, subject.recipient, now);
  const right = fixed?.code ?? deriveCode(deps.secrets, counted.challenge, subject);
  judgeCode(counted.challenge, right, code, policy, now);
  return { slot, challengeId: counted.challenge.id, failuresId: failures, countedAt: now };
}

/** Another request consumed the code first: to the loser it is a used code. */
export function lostRace(policy: OtpPolicy): Failure {
  return new Failure('OTP_INVALID', { left: policy.attempts - 1 });
}
