// Recent sign-in: how old the proof of a user may be.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRecent, requireRecent } from '../../../src/auth/sessions/recent-sign-in.ts';
import { thrownCode } from '../../helpers/people/auth-fakes.ts';
import { noon } from '../../helpers/store/fixtures.ts';

describe('a recent sign-in', () => {
  const cases: [what: string, provedAt: number | undefined, expected: boolean][] = [
    ['now', noon, true],
    ['exactly ten minutes ago', noon - 600_000, true],
    ['a moment more than ten minutes ago', noon - 600_001, false],
    ['in the future, by a clock that is ahead', noon + 5000, true],
    ['at a time that an older version did not write', undefined, false],
  ];
  for (const [what, provedAt, expected] of cases) {
    it(`a user who was proved ${what} ${expected ? 'signed in recently' : 'did not sign in recently'}`, () => {
      assert.equal(isRecent(provedAt, 600, noon), expected);
      const code = expected ? undefined : 'RECENT_SIGN_IN_REQUIRED';
      if (code === undefined) return requireRecent(provedAt, 600, noon);
      assert.equal(
        thrownCode(() => requireRecent(provedAt, 600, noon)),
        code,
      );
    });
  }
});
