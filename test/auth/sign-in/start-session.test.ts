// The first and the last step of a sign-in: the draft of a session, and its first tokens after the commit.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { issueFirstTokens, prepareSession } from '../../../src/auth/sign-in/start-session.ts';
import { hashSeed, parseRefreshToken } from '../../../src/auth/tokens/refresh-token.ts';
import { createAuthStage, secrets } from '../../helpers/people/auth-fakes.ts';
import { asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon, sessionPolicy } from '../../helpers/store/fixtures.ts';

const caller = { method: 'link', userAgent: ' Firefox\n140 ', ip: '192.0.2.1' } as const;

describe('a session that starts', () => {
  it('a session that starts is drafted with the hash of its seed, and never with the seed', () => {
    const { deps } = createAuthStage();
    const { draft, seed } = prepareSession(deps, caller);
    const { id, ...others } = draft;
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.equal(seed.length, 16);
    assert.deepEqual(others, {
      seedHash: hashSeed(seed),
      userAgent: 'Firefox 140',
      ip: '192.0.2.1',
      method: 'link',
      policy: sessionPolicy,
      now: noon,
    });
    assert.notEqual(prepareSession(deps, caller).draft.id, id);
  });

  it('a session of a client that names no program has none', () => {
    const { draft } = prepareSession(createAuthStage().deps, { ...caller, userAgent: undefined });
    assert.equal(draft.userAgent, undefined);
  });

  it('a session that started evicts others on this node, then has its first tokens', () => {
    const { deps, calls } = createAuthStage({ revocations: { add: () => undefined } });
    const prepared = prepareSession(deps, caller);
    const signedIn = {
      kind: 'signed in',
      userId: asUserId('ann'),
      isNewUser: false,
      hasNotice: false,
      phone: asPhone('+491510000001'),
      claims: { plan: 'pro' },
      evicted: ['old', 'older'].map(asSessionId),
    } as const;
    const pair = issueFirstTokens(deps, prepared, signedIn, undefined);
    assert.deepEqual(calls, [['revocations.add', ['old', 'older']]]);
    assert.deepEqual(parseRefreshToken(secrets, pair.refreshToken), {
      sessionId: prepared.draft.id,
      seed: prepared.seed,
      counter: 0,
    });
    const claims = JSON.parse(Buffer.from(pair.accessToken.split('.')[1] ?? '', 'base64url').toString());
    assert.deepEqual([claims.sub, claims.sid, claims.amr], ['ann', prepared.draft.id, ['link', 'email']]);
    assert.deepEqual([pair.accessSeconds, pair.refreshSeconds], [900, sessionPolicy.idleSeconds]);
  });

  it('a session that ends before its idle time has a refresh token until then', () => {
    const policy = { ...sessionPolicy, idleSeconds: 500, lifeSeconds: 70 };
    const { deps } = createAuthStage({ revocations: { add: () => undefined } }, { sessionPolicy: policy });
    const signedIn = {
      kind: 'signed in',
      userId: asUserId('ann'),
      isNewUser: false,
      hasNotice: false,
      phone: asPhone('+491510000001'),
      claims: { plan: 'pro' },
      evicted: [],
    } as const;
    assert.equal(issueFirstTokens(deps, prepareSession(deps, caller), signedIn, undefined).refreshSeconds, 70);
  });
});
