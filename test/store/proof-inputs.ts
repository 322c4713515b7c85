// Inputs for the contract of ProofStore: a signed-in user, codes that were sent to them, and proofs with and without a refresh token.

import { type CodeSubject, challengeSlot } from '../../src/auth/codes/challenge.ts';
import type { SessionDraft } from '../../src/auth/sessions/session.ts';
import type { ProofCandidate, SessionProof } from '../../src/auth/sessions/session-proof.ts';
import type { UserId } from '../../src/kernel/ids.ts';
import { asEmailKey, asPhone } from '../helpers/people/ids.ts';
import { attempt, minute, newPhone, noon, rightAttempt, sessionPolicy, signIn } from '../helpers/store/fixtures.ts';
import type { TestStore } from '../helpers/store/test-store.ts';

/** The sign-in was at noon. */
export const later = noon + 60 * minute;

export function createProofInputs(open: () => TestStore) {
  const begin = async () => {
    const phone = newPhone();
    return { ...(await signIn(open().ports, phone, noon)), phone };
  };
  const wrong = (proof: 'sms' | 'email', recipient: string, userId: UserId, now = later) => {
    const subject: CodeSubject =
      proof === 'sms'
        ? { purpose: 'proof-phone', recipient: asPhone(recipient), userId }
        : { purpose: 'proof-email', recipient: asEmailKey(recipient), userId };
    return { ...attempt(recipient, now), subject, slot: challengeSlot(subject.purpose, subject.recipient, userId) };
  };
  const sent = async (proof: 'sms' | 'email', recipient: string, userId: UserId): Promise<ProofCandidate> => ({
    proof,
    attempt: await rightAttempt(open().ports, recipient, later, wrong(proof, recipient, userId)),
    country: undefined,
  });
  const rotationOf = ({ id: sessionId, seedHash }: SessionDraft, counter = 0) => {
    return { sessionId, seedHash, counter, policy: sessionPolicy, now: later };
  };
  const ip = '192.0.2.1';
  const proofOf = (userId: UserId, session: SessionDraft, candidates: ProofCandidate[]): SessionProof => {
    return { userId, candidates, rotation: rotationOf(session), ip };
  };
  /** A proof without a refresh token. */
  const withoutToken = (userId: UserId, session: SessionDraft, candidates: ProofCandidate[]): SessionProof => {
    const rotation = { ...rotationOf(session), seedHash: 'new seed', counter: undefined };
    return { userId, candidates, rotation, ip };
  };
  const prove = (proof: SessionProof) => open().ports.proofs.prove(proof);
  const rowOf = async ({ id }: SessionDraft) => (await open().rows('sessions')).find((row) => row.id === id);
  const stateOf = async (slot: string) => (await open().rows('challenges')).find((row) => row.slot === slot)?.state;
  return { begin, wrong, sent, rotationOf, proofOf, withoutToken, prove, rowOf, stateOf };
}
