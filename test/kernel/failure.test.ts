// The error of the domain: its code, its detail and its cause.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure, failureCodes, quotaNames } from '../../src/kernel/failure.ts';

describe('a failure', () => {
  it('a failure is an error whose message is its code', () => {
    const failure = new Failure('NOT_FOUND');
    assert.ok(failure instanceof Error);
    assert.deepEqual(
      [failure.name, failure.message, failure.code, failure.detail],
      ['Failure', 'NOT_FOUND', 'NOT_FOUND', {}],
    );
    assert.equal('cause' in failure, false);
  });

  it('a failure keeps its detail and its cause', () => {
    const cause = new Error('why');
    const failure = new Failure('RATE_LIMITED', { retryAfterSeconds: 5 }, cause);
    assert.deepEqual(failure.detail, { retryAfterSeconds: 5 });
    assert.equal(failure.cause, cause);
  });

  it('no code and no quota is listed twice', () => {
    assert.equal(new Set(failureCodes).size, failureCodes.length);
    assert.equal(new Set(quotaNames).size, quotaNames.length);
  });
});
