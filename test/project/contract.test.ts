// The check of the contract: what routes publish against what they were seen to answer.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Contract, neverSeen, publishedContract, type SeenAnswer, unpublished } from '../../scripts/contract.ts';
import { failureReplies } from '../../src/http/interface/failure-replies.ts';
import { failureCodes } from '../../src/kernel/failure.ts';

const login = 'POST /login';
const contract: Contract = { [login]: ['200', '400 OTP_INVALID'], 'GET /me': ['200'] };
const saw = (operation: string, answer: string, where = 'test/a.test.ts'): SeenAnswer => ({ operation, answer, where });
const everything = [saw(login, '200'), saw(login, '400 OTP_INVALID'), saw('GET /me', '200')];

describe('the check of the contract', () => {
  for (const [what, seen, lies] of [
    ['an answer that is published', everything, []],
    ['a failure that is not published', [saw(login, '403 USER_BLOCKED')], [`${login}: 403 USER_BLOCKED`]],
    ['a published failure with another status', [saw(login, '422 OTP_INVALID')], [`${login}: 422 OTP_INVALID`]],
    ['a failure that only another route publishes', [saw('GET /me', '400 OTP_INVALID')], ['GET /me: 400 OTP_INVALID']],
    ['a success that is not published', [saw('GET /me', '206')], ['GET /me: 206']],
    ['an answer of a page, which has no contract', [saw('GET /docs', '404 NOT_FOUND')], []],
  ] as const) {
    it(`the check ${lies.length === 0 ? 'accepts' : 'finds'} ${what}`, () =>
      assert.deepEqual(
        unpublished(contract, seen),
        lies.map((lie) => `${lie} is not published, and was answered in test/a.test.ts`),
      ));
  }

  it('the check names an unpublished answer once, with the test files that saw it', () => {
    const seen = ['b', 'a', 'b'].map((name) => saw('GET /me', '404 NOT_FOUND', `test/${name}.test.ts`));
    assert.deepEqual(unpublished(contract, seen), [
      'GET /me: 404 NOT_FOUND is not published, and was answered in test/b.test.ts, test/a.test.ts',
    ]);
  });

  it('the check finds a published answer that no test has seen', () => {
    assert.deepEqual(neverSeen(contract, everything, []), []);
    assert.deepEqual(neverSeen(contract, everything.slice(0, 1), []), [
      `${login}: 400 OTP_INVALID is published, and no test has seen it`,
      'GET /me: 200 is published, and no test has seen it',
    ]);
  });

  it('an excuse stands for one answer, as long as no test sees it and the route publishes it', () => {
    const excuse = (operation: string, answer: string) => [{ operation, answer, because: 'a test' }];
    assert.deepEqual(neverSeen(contract, everything.slice(0, 2), excuse('GET /me', '200')), []);
    assert.deepEqual(neverSeen(contract, everything, excuse('GET /me', '200')), [
      'GET /me: 200 needs no excuse any more',
    ]);
    assert.deepEqual(neverSeen(contract, everything, excuse('GET /me', '404')), [
      'GET /me: 404 needs no excuse any more',
    ]);
  });
});

describe('the published contract', () => {
  const published = publishedContract();

  it('the contract names every answer of an operation by status and code', () => {
    const me = published['GET /api/auth/me'] ?? [];
    assert.ok(me.includes('200') && me.includes('401 SESSION_REVOKED') && !me.includes('404 NOT_FOUND'), me.join(', '));
    assert.ok(published['GET /file/:id']?.includes('206'));
  });

  const withoutRoute = ['METHOD_NOT_ALLOWED', 'HEADERS_TOO_LARGE'] as const;

  it('every error code is published by a route or is answered before a route is known', () => {
    const codes = new Set(Object.values(published).flat());
    const lost = failureCodes.filter((code) => !codes.has(`${failureReplies[code].status} ${code}`));
    assert.deepEqual(lost, [...withoutRoute]);
  });
});
