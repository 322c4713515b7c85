// Signing out: which sessions end, and that their access tokens stop on this node at once.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signOut } from '../../../src/auth/sessions/sign-out.ts';
import { createAuthStage } from '../../helpers/people/auth-fakes.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

describe('signing out', () => {
  for (const [scope, ended] of [
    ['local', 'this'],
    ['others', 'others'],
    ['global', 'all'],
  ] as const) {
    it(`signing out with the scope ${scope} ends ${ended}, then revokes what ended`, async () => {
      const { deps, calls } = createAuthStage({
        sessions: { endSessions: async () => ['a', 'b'].map(asSessionId) },
        revocations: { add: () => undefined },
      });
      assert.equal(await signOut(deps, { userId: asUserId('ann'), sessionId: asSessionId('s'), scope }), undefined);
      assert.deepEqual(calls, [
        [
          'sessions.endSessions',
          { userId: 'ann', sessionId: asSessionId('s'), scope: ended, reason: 'logged out', now: noon },
        ],
        ['revocations.add', ['a', 'b']],
      ]);
    });
  }
});
