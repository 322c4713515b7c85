// Proving the user of a session again: one commit consumes the code, renews the proof and rotates the refresh token.

import type { DatedEvent } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { EmailKey, PhoneNumber } from '../../kernel/recipient.ts';
import type { Challenge, CodeAttempt, UnprovedAttempt } from '../codes/challenge.ts';
import type { LastProof, ProofMethod, Reseeding, Rotation, RotationOutcome } from './session.ts';

/** The code as it would be if it had been sent by one of the user's channels. */
export type ProofCandidate = {
  readonly proof: Extract<ProofMethod, 'sms' | 'email'>;
  readonly attempt: CodeAttempt;
  /** The country whose codes the spending brake counts. Undefined if it does not count this one. */
  readonly country: string | undefined;
};

export type SessionProof = {
  readonly userId: UserId;
  /** The first one is tried if no code was sent. */
  readonly candidates: readonly ProofCandidate[];
  /** With the refresh token of the session, or with the seed of new ones. */
  readonly rotation: Rotation | Reseeding;
  readonly ip: string;
};

/** A refused refresh token leaves the code untouched, and a refused code leaves the session untouched. */
export type ProofOutcome = RotationOutcome | UnprovedAttempt;

export type ProofStore = {
  /**
   * Atomic: counts and judges the code, then renews the proof and rotates the token as a refresh does, or replaces its seed. One of
   * several racing calls with the same code proves the session. Nothing is consumed if the session has ended or the token is refused.
   */
  prove(proof: SessionProof): Promise<ProofOutcome>;
};

/** What the rules need to know of a user. */
export type ProvedUser = { readonly phone: PhoneNumber | undefined; readonly emailKey: EmailKey | undefined };

/** A code proves only who has the number or the address now: it may have been replaced since the code was sent. */
export function ownCandidates(user: ProvedUser, candidates: readonly ProofCandidate[]): ProofCandidate[] {
  const own = { sms: user.phone, email: user.emailKey };
  return candidates.filter(({ proof, attempt }) => attempt.subject.recipient === own[proof]);
}

/**
 * Which channel a code is from. The client that asked for it says so by its ask token. Otherwise it is the channel of the latest
 * code. One attempt is judged against one code only.
 */
export function chooseCandidate(
  candidates: readonly ProofCandidate[],
  find: (slot: string) => Challenge | undefined,
): ProofCandidate | undefined {
  const asked = candidates.find(({ attempt }) => attempt.asker !== undefined);
  if (asked !== undefined) return asked;
  const sentAt = ({ attempt: { slot, policy } }: ProofCandidate) => {
    const challenge = find(slot);
    if (challenge?.state !== 'pending') return 0;
    // The end of a code that was sent again may be capped, so it shows only the earliest time of the latest message.
    return Math.max(challenge.sentAt ?? 0, challenge.expiresAt - policy.lifeSeconds * 1000);
  };
  return candidates.toSorted((a, b) => sentAt(b) - sentAt(a))[0];
}

export function provedEvent({ userId, rotation, ip }: SessionProof, { proof, provedAt }: LastProof): DatedEvent {
  return { kind: 'session.proved', userId, detail: { session: rotation.sessionId, method: proof, ip }, now: provedAt };
}
