// Which failures end the session of the client: codes of the service about the session, and nothing else.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endsSession } from '../../client/src/ends-session.ts';
import { type ErrorCode, GatehouseError } from '../../client/src/gatehouse-error.ts';
import { readAnswer } from '../../client/src/read-answer.ts';

const failure = (code: ErrorCode, status = 401) => new GatehouseError({ code, message: '', status });

describe('the end of a session', () => {
  for (const code of [
    'SESSION_REVOKED',
    'REFRESH_TOKEN_MISSING',
    'REFRESH_TOKEN_INVALID',
    'REFRESH_TOKEN_EXPIRED',
    'REFRESH_TOKEN_REUSED',
  ] as const)
    it(`${code} ends the session`, () => assert.equal(endsSession(failure(code)), true));

  for (const [code, status] of [
    ['ACCESS_TOKEN_MISSING', 401],
    ['ACCESS_TOKEN_INVALID', 401],
    ['ACCESS_TOKEN_EXPIRED', 401],
    ['NETWORK', 401],
    ['NETWORK', 0],
    ['NETWORK', 403],
    ['RATE_LIMITED', 429],
    ['SERVICE_UNAVAILABLE', 503],
    ['INTERNAL_ERROR', 500],
    ['ABORTED', 0],
  ] as const)
    it(`${code} with the status ${status} does not end the session`, () =>
      assert.equal(endsSession(failure(code, status)), false));

  it('another error does not end the session', () =>
    assert.equal(endsSession(new TypeError('SESSION_REVOKED')), false));

  for (const text of [
    '',
    '<h1>Sign in</h1>',
    '{}',
    '[]',
    '"x"',
    '{"success":false}',
    '{"success":true}',
    '{"success":0}',
  ])
    it(`the answer ${text || 'without a body'} is not of the service`, () =>
      assert.throws(() => readAnswer({ status: 401, header: () => null, text }), { code: 'NETWORK', status: 401 }));
});
