// The error of the domain: its code, its detail and its cause.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure, failureCodes, failureFrom, refusalFrom, withDetail } from '../../src/kernel/failure.ts';
import { quotaNames } from '../../src/kernel/quota.ts';

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

  it('a refusal becomes the same failure again on the other side', () => {
    const failure = new Failure('RATE_LIMITED', { retryAfterSeconds: 5 });
    const cloned = structuredClone(refusalFrom(failure));
    assert.deepEqual(cloned, { code: 'RATE_LIMITED', detail: { retryAfterSeconds: 5 } });
    assert.deepEqual(failureFrom(cloned), failure);
  });

  it('a failure with more detail keeps its code, its cause and the rest of its detail', () => {
    const cause = new Error('why');
    const failure = withDetail(new Failure('FILE_TOO_LARGE', { limit: '5 MiB' }, cause), { uploadOffset: 5 });
    const detail = { limit: '5 MiB', uploadOffset: 5 };
    assert.deepEqual([failure.code, failure.detail, failure.cause], ['FILE_TOO_LARGE', detail, cause]);
  });

  it('what does not fit the code does not compile', () => {
    assert.equal(typeof notCompiling, 'function');
  });

  it('no code and no quota is listed twice', () => {
    assert.equal(new Set(failureCodes).size, failureCodes.length);
    assert.equal(new Set(quotaNames).size, quotaNames.length);
  });
});

/** None of these calls compiles, and the check of types says so if one does. They are never made. */
function notCompiling(either: 'RATE_LIMITED' | 'NOT_FOUND', error: unknown): void {
  // @ts-expect-error a value of the message is missing
  new Failure('OTP_RESEND_TOO_SOON');
  // @ts-expect-error
  new Failure('USER_DATA_TOO_LARGE', { field: 'claims' });
  // @ts-expect-error the header needs the ticket
  new Failure('PHONE_NEEDS_PROOF');
  // @ts-expect-error
  new Failure('METHOD_NOT_ALLOWED', {});
  // @ts-expect-error the detail of another code
  new Failure('OTP_INVALID', { left: 1, retryAfterSeconds: 5 });
  // @ts-expect-error a code without detail takes none
  new Failure('EMAIL_INVALID', { field: 'email' });
  // @ts-expect-error a detail must fit every code that it may be for
  new Failure(either, {});
  // @ts-expect-error
  failureFrom({ code: 'EMAIL_INVALID', detail: { field: 'email' } });
  // @ts-expect-error
  withDetail(new Failure('EMAIL_INVALID'), { uploadOffset: 5 });
  // @ts-expect-error the code is not compared
  if (error instanceof Failure) error.detail.left.toFixed();
  // @ts-expect-error another code is compared
  if (error instanceof Failure && error.code === 'OTP_EXPIRED') error.detail.left.toFixed();
  // @ts-expect-error a code without detail has nothing to read
  if (error instanceof Failure && error.code === 'EMAIL_INVALID') ''.concat(error.detail.field);
  if (error instanceof Failure && error.code === 'OTP_INVALID') error.detail.left.toFixed();
}
