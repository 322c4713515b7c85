// Ending one session: by the user, an operator or staff.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endSession } from '../../../src/auth/sessions/end-session.ts';
import { createAuthStage, failureOf } from '../../helpers/people/auth-fakes.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const input = { userId: asUserId('ann'), sessionId: asSessionId('s') };
const ending = { ...input, scope: 'this', reason: 'revoked', now: noon };

describe('ending a session', () => {
  for (const by of [undefined, { actor: 'cli', why: 'stolen' } as const]) {
    it(`ending a session ${by === undefined ? 'by the user' : 'by an operator'} ends that one, then revokes it`, async () => {
      const { deps, calls } = createAuthStage({
        sessions: { endSessions: async () => ['s'].map(asSessionId) },
        revocations: { add: () => undefined },
      });
      assert.equal(await endSession(deps, { ...input, ...(by && { by }) }), undefined);
      assert.deepEqual(calls, [
        ['sessions.endSessions', { ...ending, ...(by && { by }) }],
        ['revocations.add', ['s']],
      ]);
    });
  }

  it('ending a session that is not active is not found, and revokes nothing', async () => {
    const { deps, calls } = createAuthStage({ sessions: { endSessions: async () => [].map(asSessionId) } });
    assert.deepEqual(await failureOf(endSession(deps, input)), ['NOT_FOUND', {}]);
    assert.deepEqual(calls, [['sessions.endSessions', ending]]);
  });
});
