// A token pair: both tokens of one session, and how long each lives.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verifyAccessToken } from '../../../src/auth/tokens/access-token.ts';
import { parseRefreshToken } from '../../../src/auth/tokens/refresh-token.ts';
import { issueTokenPair, type PairSubject } from '../../../src/auth/tokens/token-pair.ts';
import { accessToken, createAuthStage, secrets, signingKey } from '../../helpers/people/auth-fakes.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon, sessionPolicy } from '../../helpers/store/fixtures.ts';

const subject: PairSubject = {
  userId: asUserId('0192f0c1-7d1e-7abc-8def-000000000001'),
  sessionId: asSessionId('0192f0c1-7d1e-7abc-8def-000000000002'),
  seed: Buffer.alloc(16, 9),
  counter: 4,
  proof: 'link',
  provedAt: noon,
  endsAt: noon + 1e12,
  claims: { plan: 'pro' },
};
const { deps } = createAuthStage();

describe('a token pair', () => {
  it('a token pair holds an access token and a refresh token of the same session', () => {
    const pair = issueTokenPair(deps, subject, noon);
    const claims = verifyAccessToken(pair.accessToken, signingKey, accessToken);
    assert.deepEqual(claims, {
      userId: subject.userId,
      sessionId: subject.sessionId,
      expiresAt: noon + 900_000,
      provedAt: noon,
      amr: ['link', 'email'],
      keyId: signingKey().id,
    });
    const { sessionId, seed, counter } = subject;
    assert.deepEqual(parseRefreshToken(secrets, pair.refreshToken), { sessionId, seed, counter });
    assert.equal(pair.accessSeconds, 900);
  });

  const { idleSeconds } = sessionPolicy;
  const cases: [what: string, endsAt: number, expected: number][] = [
    ['for its idle time', noon + 1e12, idleSeconds],
    ['for its idle time where the session ends with it', noon + idleSeconds * 1000, idleSeconds],
    ['until the session ends', noon + 7999, 7],
    ['for no time at the end of the session', noon, 0],
    ['for no time after the end of the session', noon - 5000, 0],
  ];
  for (const [what, endsAt, expected] of cases) {
    it(`the refresh token of a pair lives ${what}`, () => {
      assert.equal(issueTokenPair(deps, { ...subject, endsAt }, noon).refreshSeconds, expected);
    });
  }
});
