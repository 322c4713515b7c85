// Signing in with a link: only a text of the right form reaches the store, as a hash.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LinkSignIn, LinkSignInOutcome } from '../../../src/auth/sign-in/sign-in.ts';
import { signInWithLink } from '../../../src/auth/sign-in/sign-in-with-link.ts';
import { hashSeed, parseRefreshToken } from '../../../src/auth/tokens/refresh-token.ts';
import { sha256 } from '../../../src/kernel/crypto/digest.ts';
import { createAuthStage, failureOf, givenTo, secrets } from '../../helpers/people/auth-fakes.ts';
import { asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const token = 'x'.repeat(43);
const input = { token, userAgent: 'Firefox', deviceToken: undefined, language: 'en' as const, ip: '192.0.2.1' };
const stageOf = (outcome: LinkSignInOutcome) =>
  createAuthStage({ signIns: { signInWithLink: async () => outcome }, revocations: { add: () => undefined } });

describe('signing in with a link', () => {
  it('signing in with a link commits the hash of its token and the draft of a session, then issues the first tokens', async () => {
    const { deps, calls } = stageOf({
      kind: 'signed in',
      userId: asUserId('ann'),
      isNewUser: false,
      hasNotice: false,
      phone: asPhone('+491510000001'),
      claims: { plan: 'pro' },
      evicted: ['old'].map(asSessionId),
      authorizationTicket: 'ticket',
    });
    const pair = await signInWithLink(deps, input);
    assert.deepEqual(
      calls.map(([verb]) => verb),
      ['signIns.signInWithLink', 'revocations.add'],
    );
    const { tokenHash, session } = givenTo<LinkSignIn>(calls, 'signIns.signInWithLink');
    assert.equal(tokenHash, sha256(token));
    assert.equal(pair.authorizationTicket, 'ticket');
    assert.deepEqual(
      [session.method, session.userAgent, session.ip, session.now],
      ['link', 'Firefox', '192.0.2.1', noon],
    );
    const { sessionId, seed } = parseRefreshToken(secrets, pair.refreshToken);
    assert.deepEqual([sessionId, hashSeed(seed)], [session.id, session.seedHash]);
    assert.deepEqual(calls[1]?.[1], ['old']);
  });

  const cases: [outcome: LinkSignInOutcome, code: string][] = [
    [{ kind: 'lost' }, 'LINK_INVALID'],
    [{ kind: 'expired' }, 'LINK_EXPIRED'],
    [{ kind: 'blocked' }, 'USER_BLOCKED'],
  ];
  for (const [outcome, code] of cases) {
    it(`signing in with a link that ends with ${outcome.kind} fails with ${code}, and no token is issued`, async () => {
      const { deps, calls } = stageOf(outcome);
      assert.deepEqual(await failureOf(signInWithLink(deps, input)), [code, {}]);
      assert.equal(calls.length, 1);
    });
  }

  it('signing in with a link that ends in a way that is not known is an error, not a success', async () => {
    const { deps } = stageOf({ kind: 'new' } as never);
    await assert.rejects(signInWithLink(deps, input), /not handled: {"kind":"new"}/);
  });

  it('signing in with a text that is no link token is refused without the store', async () => {
    const { deps, calls } = stageOf({ kind: 'lost' });
    for (const text of ['', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`])
      assert.deepEqual(await failureOf(signInWithLink(deps, { ...input, token: text })), ['LINK_INVALID', {}]);
    assert.deepEqual(calls, []);
  });
});
