// Outcomes of the domain as metric labels.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RotationOutcome } from '../../../src/auth/sessions/session.ts';
import {
  type CountedProof,
  type CountedSignIn,
  endLabels,
  proofLabel,
  refreshLabel,
  signInLabel,
} from '../../../src/service/metrics/outcome-labels.ts';

describe('the label of an outcome', () => {
  for (const [outcome, label] of [
    [{ kind: 'signed in', isNewUser: true }, 'new'],
    [{ kind: 'signed in', isNewUser: false }, 'known'],
    [{ kind: 'blocked' }, 'blocked'],
    [{ kind: 'closed' }, 'closed'],
    [{ kind: 'lost' }, 'lost'],
    [{ kind: 'expired' }, 'expired'],
  ] as const) {
    it(`of a sign-in ${JSON.stringify(outcome)} is ${label}`, () =>
      assert.equal(signInLabel(outcome as unknown as CountedSignIn), label));
  }

  for (const [outcome, label] of [
    [{ kind: 'renewed', renewal: 'rotated' }, 'rotated'],
    [{ kind: 'renewed', renewal: 'repeated' }, 'repeated'],
    [{ kind: 'renewed', renewal: 'repeated late' }, 'repeated_late'],
    [{ kind: 'reused' }, 'reused'],
    [{ kind: 'expired' }, 'expired'],
    [{ kind: 'ended' }, 'ended'],
    [{ kind: 'invalid' }, 'invalid'],
  ] as const) {
    it(`of a refresh ${JSON.stringify(outcome)} is ${label}`, () =>
      assert.equal(refreshLabel(outcome as unknown as RotationOutcome), label));
  }

  for (const [outcome, label] of [
    [{ kind: 'renewed' }, 'proved'],
    [{ kind: 'lost' }, 'lost'],
    [{ kind: 'ended' }, 'ended'],
  ] as const) {
    it(`of a proof ${JSON.stringify(outcome)} is ${label}`, () =>
      assert.equal(proofLabel(outcome as unknown as CountedProof), label));
  }

  it('of a session that ended by a block is that of a revocation, and by its age that of an expiry', () => {
    assert.equal(endLabels.blocked, 'revoked');
    assert.deepEqual([endLabels.idle, endLabels.absolute], ['expired', 'expired']);
  });
});
