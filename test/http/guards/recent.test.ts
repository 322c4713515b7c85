// The guard of calls that need a recent sign-in: it reads what the access token says, and asks nothing else.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRecentGuard } from '../../../src/http/guards/recent.ts';
import type { Caller } from '../../../src/http/interface/route.ts';
import { thrownCode } from '../../helpers/people/auth-fakes.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

describe('the guard of recent sign-ins', () => {
  const guard = createRecentGuard({ clock: { now: () => noon }, recentSeconds: 60 });
  const caller: Caller = {
    userId: asUserId('ann'),
    sessionId: asSessionId('session'),
    provedAt: noon - 60_000,
    via: 'cookie',
  };

  it('a caller who was proved within the time passes', () => assert.equal(guard(caller), undefined));

  it('a request without a caller is refused', () => {
    assert.equal(
      thrownCode(() => guard(undefined)),
      'RECENT_SIGN_IN_REQUIRED',
    );
  });

  for (const [what, provedAt] of [
    ['was proved earlier', noon - 60_001],
    ['has a token of an older version', undefined],
  ] as const) {
    it(`a caller who ${what} is refused`, () => {
      assert.equal(
        thrownCode(() => guard({ ...caller, provedAt })),
        'RECENT_SIGN_IN_REQUIRED',
      );
    });
  }
});
