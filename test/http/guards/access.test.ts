// The access guard: where a token is taken from, and what counts as one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AccessClaims, longestAccessToken } from '../../../src/auth/tokens/access-token.ts';
import type { AccessCheck } from '../../../src/auth/tokens/check-access-token.ts';
import { bearerToken, createAccessGuard } from '../../../src/http/guards/access.ts';
import type { HttpRequest } from '../../../src/http/server/request.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';

const requestOf = (headers: Record<string, string>) => ({ headers }) as unknown as HttpRequest;

/** Accepts every token, and notes it. */
function stage() {
  const tokens: string[] = [];
  const check = async (token: string) => {
    tokens.push(token);
    return { userId: 'ann', sessionId: asSessionId('ses'), provedAt: 7, more: 'not for callers' };
  };
  return { guard: createAccessGuard(check as unknown as AccessCheck), tokens };
}

describe('the token of a request', () => {
  for (const [header, expected] of [
    [undefined, undefined],
    ['', undefined],
    ['Basic YTpi', undefined],
    ['Bearerabc', undefined],
    ['Bearer', ''],
    ['bearer', ''],
    ['Bearer ', ''],
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['Bearer   abc  ', 'abc'],
    ['Bearer a b', 'a b'],
    ['Beare', undefined],
    ['Token abc', undefined],
    [`Bearer ${'a'.repeat(2 * longestAccessToken - 7)}`, 'a'.repeat(2 * longestAccessToken - 7)],
    [`Bearer ${'a'.repeat(2 * longestAccessToken - 6)}`, ''],
  ] as const) {
    it(`the header ${header === undefined ? 'that is missing' : JSON.stringify(header.slice(0, 20))} (${header?.length ?? 0}) has the token ${expected === undefined ? 'of nobody' : JSON.stringify(expected.slice(0, 20))}`, () => {
      assert.equal(bearerToken(header), expected);
    });
  }
});

describe('the access guard', () => {
  for (const [what, headers, token, via] of [
    ['the header', { authorization: 'Bearer abc' }, 'abc', 'header'],
    ['the cookie', { cookie: 'JWT=abc' }, 'abc', 'cookie'],
    ['the header, if there are both', { authorization: 'Bearer abc', cookie: 'JWT=other' }, 'abc', 'header'],
    [
      'the cookie, if the header has another scheme',
      { authorization: 'Basic abc', cookie: 'JWT=abc' },
      'abc',
      'cookie',
    ],
    ['an empty header, even if there is a cookie', { authorization: 'Bearer', cookie: 'JWT=abc' }, '', 'header'],
  ] as const) {
    it(`a token is taken from ${what}`, async () => {
      const { guard, tokens } = stage();
      assert.deepEqual(await guard(requestOf(headers)), {
        userId: 'ann',
        sessionId: asSessionId('ses'),
        provedAt: 7,
        via,
      });
      assert.deepEqual(tokens, [token]);
    });
  }

  for (const headers of [{}, { cookie: 'RT=abc' }, { cookie: 'JWT=' }, { authorization: 'Basic abc' }]) {
    it(`a request without a token is refused before it is checked: ${JSON.stringify(headers)}`, async () => {
      const { guard, tokens } = stage();
      assert.throws(() => guard(requestOf(headers as Record<string, string>)), { code: 'ACCESS_TOKEN_MISSING' });
      assert.deepEqual(tokens, []);
    });
  }

  it('a token that the check refuses is refused with its error', async () => {
    const expired = { code: 'ACCESS_TOKEN_EXPIRED' };
    const guardWith = (check: AccessCheck) => createAccessGuard(check)(requestOf({ authorization: 'Bearer abc' }));
    const refuse = () => {
      throw new Failure('ACCESS_TOKEN_EXPIRED');
    };
    await assert.rejects(async () => guardWith(async () => refuse()), expired);
    assert.throws(() => guardWith(refuse), expired);
  });

  it('nobody waits for a token that is known, and its scopes are checked all the same', () => {
    const claims: AccessClaims = {
      userId: asUserId('ann'),
      sessionId: asSessionId('ses'),
      expiresAt: 9,
      provedAt: 7,
      amr: [],
      keyId: 'key',
    };
    const app = { id: 'shop', scopes: ['openid'], isFirstParty: true };
    const request = requestOf({ authorization: 'Bearer abc' });
    const caller = { userId: 'ann', sessionId: asSessionId('ses'), provedAt: 7, via: 'header' };
    assert.deepEqual(createAccessGuard(() => claims)(request), caller);
    const guard = createAccessGuard(() => ({ ...claims, app }));
    assert.deepEqual(guard(request, 'openid'), caller);
    assert.throws(() => guard(request, 'files'), { code: 'APP_SCOPE_MISSING' });
    assert.throws(() => guard(request), { code: 'APP_SCOPE_MISSING' });
  });
});
