// Proving a session again: whose code counts, which channel it is from, and what is audited.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Challenge } from '../../../src/auth/codes/challenge.ts';
import {
  chooseCandidate,
  ownCandidates,
  type ProofCandidate,
  provedEvent,
} from '../../../src/auth/sessions/session-proof.ts';
import { asEmailKey, asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { attempt, noon, sessionPolicy } from '../../helpers/store/fixtures.ts';

const candidate = (proof: 'sms' | 'email', recipient: string, asker?: string): ProofCandidate => ({
  proof,
  attempt: { ...attempt(recipient, noon), slot: proof, asker },
  country: undefined,
});
const sms = candidate('sms', '+491510000001');
const email = candidate('email', 'ann@example.com');

const sent = (sentAgo: number, changes: Partial<Challenge> = {}): Challenge => ({
  id: 'id',
  nonce: 'nonce',
  secretId: 'abcd',
  state: 'pending',
  attempts: 0,
  askerAttempts: 0,
  deviceAttempts: 0,
  openedAt: noon - sentAgo,
  expiresAt: noon - sentAgo + sms.attempt.policy.lifeSeconds * 1000,
  ...changes,
});

describe('the channel of a code that proves a session', () => {
  const cases: [what: string, rows: Partial<Record<string, Challenge>>, expected: 'sms' | 'email'][] = [
    ['without any code is the phone', {}, 'sms'],
    ['is the only one that has a code', { email: sent(60_000) }, 'email'],
    ['is the one of the later code', { sms: sent(60_000), email: sent(30_000) }, 'email'],
    ['is the one of the later code, in any order', { sms: sent(30_000), email: sent(60_000) }, 'sms'],
    [
      'is the one of the later message, where the end of its code is capped',
      { sms: sent(580_000, { sentAt: noon - 1000, expiresAt: noon + 20_000 }), email: sent(181_000) },
      'sms',
    ],
    [
      'is the one of the later message, where an older version sent the code again',
      { sms: sent(60_000, { sentAt: noon - 90_000 }), email: sent(70_000) },
      'sms',
    ],
    ['is not one whose code was used', { sms: sent(60_000), email: sent(1, { state: 'consumed' }) }, 'sms'],
    ['is not one that has only seen guesses', { sms: sent(60_000), email: sent(1, { state: 'phantom' }) }, 'sms'],
  ];
  for (const [what, rows, expected] of cases) {
    it(`the channel ${what}`, () => {
      assert.equal(chooseCandidate([sms, email], (slot) => rows[slot])?.proof, expected);
    });
  }

  it('the channel is the one that the client asked for, whatever was sent later', () => {
    const asked = candidate('sms', asPhone('+491510000001'), 'asker');
    assert.equal(
      chooseCandidate([asked, email], (slot) => (slot === 'email' ? sent(1) : undefined)),
      asked,
    );
  });

  it('no channel is chosen where none is left', () =>
    assert.equal(
      chooseCandidate([], () => undefined),
      undefined,
    ));
});

describe('a code that proves a session', () => {
  const user = { phone: asPhone('+491510000001'), emailKey: asEmailKey('ann@example.com') };
  const cases: [what: string, user: Parameters<typeof ownCandidates>[0], expected: ProofCandidate[]][] = [
    ['counts for both channels of its user', user, [sms, email]],
    ['does not count for an address that was replaced', { ...user, emailKey: asEmailKey('new@example.com') }, [sms]],
    ['does not count for an address that was removed', { ...user, emailKey: undefined }, [sms]],
    ['does not count for a number that was changed', { ...user, phone: asPhone('+491510000002') }, [email]],
  ];
  for (const [what, known, expected] of cases) {
    it(`a code ${what}`, () => assert.deepEqual(ownCandidates(known, [sms, email]), expected));
  }

  it('a code that proved a session is audited with its session, its channel and its caller', () => {
    const rotation = {
      sessionId: asSessionId('session'),
      seedHash: 'seed',
      counter: 0,
      policy: sessionPolicy,
      now: noon,
    };
    const proof = { userId: asUserId('ann'), candidates: [sms], rotation, ip: '192.0.2.1' };
    assert.deepEqual(provedEvent(proof, { proof: 'email', provedAt: noon }), {
      kind: 'session.proved',
      userId: 'ann',
      detail: { session: 'session', method: 'email', ip: '192.0.2.1' },
      now: noon,
    });
  });
});
