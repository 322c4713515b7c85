// Proves which failures end the session on the pages: those by which the service says so, and no other.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ErrorCode, GatehouseError } from '../../client/src/gatehouse-error.ts';
import { readAnswer } from '../../client/src/read-answer.ts';
import { failureReplies } from '../../src/http/interface/failure-replies.ts';
import { endsSession } from '../../web/parts/ends-session.ts';

const failureOf = (status: number, text: string): unknown => {
  try {
    return readAnswer({ status, header: () => null, text });
  } catch (failure) {
    return failure;
  }
};

describe('the end of a session on the pages', () => {
  it('of all failures of the service, an ended session and a refused refresh token are the end', () => {
    const codes = Object.keys(failureReplies) as (keyof typeof failureReplies)[];
    const ends = codes.filter((code) =>
      endsSession(new GatehouseError({ code, message: '', status: failureReplies[code].status })),
    );
    assert.deepEqual(ends, [
      'SESSION_REVOKED',
      'REFRESH_TOKEN_MISSING',
      'REFRESH_TOKEN_INVALID',
      'REFRESH_TOKEN_EXPIRED',
      'REFRESH_TOKEN_REUSED',
    ] satisfies ErrorCode[]);
  });

  it('an answer without the envelope of the service is no end, whatever its status', () => {
    for (const status of [0, 200, 401, 403, 404, 407, 429, 502, 503])
      for (const text of ['', 'SESSION_REVOKED', '<h1>401</h1>', '{"code":"SESSION_REVOKED"}'])
        assert.equal(endsSession(failureOf(status, text)), false, `${status} ${text}`);
  });

  it('no failure, and a fault of the page, are no end', () => {
    assert.equal(endsSession(undefined), false);
    assert.equal(endsSession(new TypeError('401')), false);
  });
});
